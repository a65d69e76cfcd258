// The fixture that most integration tests of the engine use: one real service for the file; for each test a new profile
// with a signed-in engine, a collection of its own and a folder for local files. Everything is disposed automatically.
//
//   import { deskTest } from '../../../helpers/engine/desk.ts';
//   const it = deskTest();
//   it.override({ speed: 20, host: { parallelTransfers: 1 } }); // for the file, or inside a `describe`
//   it('completes an upload when …', async ({ desk, service, clock }) => { … });
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'vitest';
import type { Engine, EngineHost } from '../../../electron/engine/engine.ts';
import { type BatchDefaults, batchDefaultsSchema, type UploadRow } from '../../../shared/contract/uploads.ts';
import { clearJournal } from '../service/journal.ts';
import { clientFor } from '../service/service-client.ts';
import { type ServiceProcess, type ServiceStart, startService } from '../service/service-process.ts';
import type { SignInTarget } from '../service/service-sign-in.ts';
import { fastClock } from '../time/fast-clock.ts';
import { allRows, createTestProfile, makeCollection, signInEngine, type TestProfile, whenRow } from './engine-host.ts';

/** A signed-in engine on its own profile, with short methods for frequent actions of tests. */
export class Desk {
  readonly service: ServiceProcess;
  readonly profile: TestProfile;
  /** A folder for local files. */
  readonly dir: string;
  readonly #host: Partial<EngineHost>;
  #engine: Engine | null = null;
  siteId = '';
  /** A collection that no other test uses. */
  collectionId = '';

  private constructor(service: ServiceProcess, host: Partial<EngineHost>) {
    this.service = service;
    this.#host = host;
    this.profile = createTestProfile(service);
    this.dir = mkdtempSync(join(tmpdir(), 'mediadesk-desk-'));
  }

  /** Signs in to the service, or to `site` in front of it; null: to none. The uploads are not started. */
  static async open(
    service: ServiceProcess,
    host: Partial<EngineHost> = {},
    site: SignInTarget | null = service,
  ): Promise<Desk> {
    const desk = new Desk(service, host);
    try {
      const engine = await desk.reopen();
      if (site === null) return desk;
      desk.siteId = await signInEngine(engine, site);
      desk.collectionId = await makeCollection(engine, desk.siteId, `desk ${desk.profile.dir.slice(-6)}`);
      return desk;
    } catch (error) {
      await desk.close();
      throw error;
    }
  }

  /** The running engine; `reopen` replaces it. */
  get engine(): Engine {
    if (this.#engine === null) throw new Error('The engine is stopped.');
    return this.#engine;
  }

  /**
   * Stops the engine and opens the same profile again, as a restart of the program does. The uploads are not started.
   */
  async reopen(changes: Partial<EngineHost> = {}): Promise<Engine> {
    await this.#engine?.stop();
    this.#engine = await this.profile.open({ ...this.#host, ...changes });
    return this.#engine;
  }

  /** Writes a file below `dir`; a number creates a sparse file of that size. Returns its path. */
  put(name: string, contents: string | Buffer | number = name): string {
    const path = resolve(this.dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof contents === 'number' ? '' : contents);
    if (typeof contents === 'number') truncateSync(path, contents);
    return path;
  }

  /** Adds files to the queue; all of the folder by default. */
  add(paths: string[] = [this.dir], defaults: Partial<BatchDefaults> = {}) {
    const { siteId, collectionId } = this;
    return this.engine.call('uploads.add', {
      siteId,
      collectionId,
      paths,
      defaults: { ...batchDefaultsSchema.parse({}), ...defaults },
    });
  }

  /** Starts the uploads and waits until every upload has ended. */
  async run(): Promise<void> {
    this.engine.startUploads();
    await this.engine.whenUploadsIdle();
  }

  rows(): Promise<UploadRow[]> {
    return allRows(this.engine);
  }

  /** The row of the file with this name. */
  async row(fileName: string): Promise<UploadRow> {
    const found = (await this.rows()).find((row) => row.fileName === fileName);
    if (found === undefined) throw new Error(`No upload has the file name ${fileName}.`);
    return found;
  }

  /** Resolves with the first announced row that satisfies `wanted`. */
  whenRow(wanted: (row: UploadRow) => boolean): Promise<UploadRow> {
    return whenRow(this.engine, wanted);
  }

  /** SHA-256 of a file as the service stores it. */
  async storedSha256(fileId: string | null): Promise<string> {
    return (await this.service.control<{ sha256: string }>('GET', `/files/${fileId}/sha256`)).sha256;
  }

  /** Stops the engine and removes its profile and the folder. */
  async close(): Promise<void> {
    await this.#engine?.stop();
    this.profile.remove();
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** Opens a second desk inside a test: `await using other = await Desk.open(service)`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

type Settings = Record<string, unknown>;

/**
 * Returns vitest's `it` with the fixtures of a desk. Each file makes its own, because files share the modules of their worker:
 * an override of a common one would stay for the next file.
 */
export function deskTest() {
  return (
    test
      /** The start options of the service. */
      .extend('serviceStart', { scope: 'file' }, {} as ServiceStart)
      /** The initial settings of the service for every test of the file. */
      .extend('settings', { scope: 'file' }, {} as Settings)
      /** One service for the file. */
      .extend('service', { scope: 'file' }, async ({ serviceStart, settings }, { onCleanup }) => {
        const service = await startService(serviceStart);
        onCleanup(() => service.stop());
        await service.control('PATCH', '/settings', settings);
        return service;
      })
      /** The API as the administrator, without the engine. */
      .extend('client', ({ service }) => clientFor(service))
      /** How many times faster than real time the engine's clock runs; backoff and polling use that clock. */
      .extend('speed', 1)
      .extend('clock', () => fastClock(1))
      /** Further options for opening the engine. */
      .extend('host', {} as Partial<EngineHost>)
      /** Where the engine signs in: the service, or a proxy in front of it; null: the test signs in. */
      .extend('site', ({ service }): SignInTarget | null => service)
      .extend('desk', async ({ service, clock, speed, host, site }, { onCleanup }) => {
        const settings = await service.control<Settings>('GET', '/settings');
        const desk = await Desk.open(service, { clock, ...host }, site);
        onCleanup(async () => {
          await desk.close();
          // Restores the state of the service for the next test.
          await service.control('DELETE', '/faults');
          await service.control('PATCH', '/settings', settings);
        });
        await clearJournal(service);
        // Only now, because the sign-in has its own timeout.
        clock.setSpeed(speed);
        return desk;
      })
  );
}
