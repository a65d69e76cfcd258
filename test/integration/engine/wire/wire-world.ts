// The whole engine, the real service, and a proxy in between that breaks connections by rule.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Engine, EngineHost } from '../../../../electron/engine/engine.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { batchDefaultsSchema, type UploadRow } from '../../../../shared/contract/uploads.ts';
import { allRows, createTestProfile, signInEngine } from '../../../helpers/engine/engine-host.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, type ServiceStart, startService } from '../../../helpers/service/service-process.ts';
import { type FastClock, fastClock } from '../../../helpers/time/fast-clock.ts';
import { startWireProxy, type WireProxy, type WireProxyOptions } from '../../../helpers/wire/wire-proxy.ts';
import { FILE_BYTES, type WireCase } from './wire-cases.ts';

/** A backoff of 10 s passes in a quarter of a second, a stall timeout of a minute in one and a half. */
export const SPEED = 40;

export interface Journey {
  row: UploadRow;
  /** Every error that the row showed, each once. */
  errors: AppErrorData[];
}

export interface WireWorld {
  service: ServiceProcess;
  proxy: WireProxy;
  engine: Engine;
  siteId: string;
  /** The clock of the engine; `SPEED` times as fast as the real one unless a test changes it. */
  clock: FastClock;
  /** A file of this number of bytes with unique contents. */
  put(name: string, sizeBytes: number): string;
  /** A sparse file of zeros. */
  putSparse(name: string, sizeBytes: number): string;
  /** Uploads one file and waits until it is complete or has failed. */
  upload(path: string): Promise<Journey>;
  /** Breaks the connection of one upload as the case defines, and checks the result that the case expects. */
  expectEnd(wireCase: WireCase): Promise<void>;
  /** Checks that every byte of the file is in the library exactly once, in one item. */
  expectThereOnce(journey: Journey): Promise<void>;
  /** The number of items with the upload's title in the library, and of their files. */
  inLibrary(title: string): Promise<{ items: number; files: number }>;
  close(): Promise<void>;
}

export async function openWireWorld(
  options: { host?: Partial<EngineHost>; proxy?: WireProxyOptions; service?: ServiceStart } = {},
): Promise<WireWorld> {
  const service = await startService(options.service);
  const proxy = await startWireProxy(service.baseUrl, options.proxy);
  const profile = createTestProfile(service);
  const dir = mkdtempSync(join(tmpdir(), 'mediadesk-wire-'));
  const clock = fastClock(SPEED);
  const engine = await profile.open({ clock, ...options.host });
  const siteId = await signInEngine(engine, { ...service, baseUrl: proxy.baseUrl });
  const [top] = await engine.call('library.collections', { siteId, parentId: null });
  engine.startUploads();
  const hashes = new Map<string, string>();

  async function inLibrary(title: string) {
    // Uses a new token each time, because tests change the service's clock.
    const library: ServiceClient = await clientFor(service);
    // Does not use the search, which finds words: a title may have none.
    const found = await library.get('/api2/media?per_page=200');
    const items = (found.body.items as { id: string; title: string }[]).filter((item) => item.title === title);
    const files = await Promise.all(items.map(({ id }) => library.get(`/api2/media/${id}/files`)));
    const held = files.flatMap(({ body }) => body.items as { status: string }[]);
    return { items: items.length, files: held.filter(({ status }) => status === 'complete').length };
  }

  let cases = 0;
  const world: WireWorld = {
    service,
    proxy,
    engine,
    siteId,
    clock,
    put(name, sizeBytes) {
      const bytes = Buffer.alloc(sizeBytes, `${name} `);
      const path = join(dir, name);
      writeFileSync(path, bytes);
      hashes.set(path, createHash('sha256').update(bytes).digest('hex'));
      return path;
    },
    putSparse(name, sizeBytes) {
      const path = join(dir, name);
      writeFileSync(path, '');
      truncateSync(path, sizeBytes);
      return path;
    },
    async upload(path) {
      const errors = new Map<string, AppErrorData>();
      const dispose = engine.on('onDidChangeUploads', ({ rows }) => {
        for (const { path: changed, error } of rows) {
          if (changed === path && error !== null) errors.set(JSON.stringify(error), error);
        }
      });
      const defaults = batchDefaultsSchema.parse({});
      await engine.call('uploads.add', { siteId, collectionId: top?.id ?? '', paths: [path], defaults });
      await engine.whenUploadsIdle();
      dispose();
      const row = (await allRows(engine)).find((each) => each.path === path);
      if (row === undefined) throw new Error('The row is gone.');
      // The last change may not have been announced yet.
      if (row.error !== null) errors.set(JSON.stringify(row.error), row.error);
      return { row, errors: [...errors.values()] };
    },
    async expectThereOnce({ row }) {
      expect({ error: row.error, state: row.state, sha256: row.sha256 }).toEqual({
        error: null,
        state: 'complete',
        sha256: hashes.get(row.path),
      });
      const stored = await service.control<{ sha256: string }>('GET', `/files/${row.fileId}/sha256`);
      expect(stored.sha256).toBe(hashes.get(row.path));
      expect(await inLibrary(row.title)).toEqual({ items: 1, files: 1 });
    },
    async expectEnd({ break: what, shows, end, retries, details }) {
      proxy.break({ method: 'POST', path: /^\/upload\//, break: what });
      cases += 1;
      // A library that refuses to complete a file abandons it half an hour later by its clock.
      let givenUp: Promise<unknown> | null = null;
      const stopListening = engine.on('onDidChangeUploads', ({ rows }) => {
        if (givenUp !== null || !rows.some(({ error }) => error?.code === 'upload.completion-refused')) return;
        givenUp = service.control('PATCH', '/settings', { clock_offset_ms: 40 * 60_000 });
      });
      const journey = await world.upload(world.put(`Case ${cases}.bin`, FILE_BYTES));
      stopListening();
      if (givenUp !== null) {
        await givenUp;
        await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
      }
      const { row, errors } = journey;
      const shown = errors[0]?.code ?? null;
      expect(typeof shows === 'object' && shows !== null ? shows : [shows]).toContain(shown);
      expect({ shown, state: row.state, attempts: row.attempts }).toEqual({
        shown,
        state: end,
        attempts: retries ?? row.attempts,
      });
      if (details) expect(errors[0]?.details).toMatchObject(details);
      if (end === 'complete') await world.expectThereOnce(journey);
      else expect(await inLibrary(row.title)).toEqual({ items: 1, files: 0 });
    },
    inLibrary,
    async close() {
      await engine.stop();
      await proxy.close();
      await service.stop();
      profile.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return world;
}
