import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../../electron/engine/engine.ts';
import { batchDefaultsSchema, type UploadRow } from '../../../shared/contract/uploads.ts';
import { createTestProfile, makeCollection, signInEngine } from '../../helpers/engine/engine-host.ts';
import { startService } from '../../helpers/service/service-process.ts';

export interface VeryManyReport {
  files: number;
  /** The uploads to send, spread over the whole queue; all others were cancelled. */
  sent: number;
  /** The maximum growth of the process's memory between the parts. */
  grownBytes: number;
  broken: string[];
}

const PER_FOLDER = 1000;
const PAGE = 500;

/**
 * Adds `files` files at once, reads all pages of the list after a restart, cancels all but `sent` and sends those.
 * Returns the violations: missing or duplicate rows, counts that do not add up, items that differ from those sent.
 */
export async function uploadFromVeryMany(
  files: number,
  sent: number,
  onProgress: (line: string) => void,
): Promise<VeryManyReport> {
  const service = await startService();
  const profile = createTestProfile(service);
  const dir = mkdtempSync(join(tmpdir(), 'mediadesk-many-'));
  const broken: string[] = [];
  const startBytes = process.memoryUsage().rss;
  let grownBytes = 0;
  const tell = (line: string) => {
    grownBytes = Math.max(grownBytes, process.memoryUsage().rss - startBytes);
    onProgress(line);
  };
  let engine: Engine | null = null;
  try {
    writeFiles(dir, files);
    tell('the files are written');
    engine = await profile.open();
    const siteId = await signInEngine(engine, service);
    const collectionId = await makeCollection(engine, siteId, 'Very many');
    await engine.call('uploads.pause', { kind: 'all' });
    const defaults = batchDefaultsSchema.parse({});
    const { added, batchId } = await engine.call('uploads.add', { siteId, collectionId, paths: [dir], defaults });
    if (added !== files) broken.push(`${added} were added`);
    tell('they are in the queue');
    await engine.stop();

    engine = await profile.open();
    const rows = await everyRow(engine);
    if (new Set(rows.map(({ path }) => path)).size !== files) broken.push(`${rows.length} rows after the restart`);
    const { counts } = await engine.call('uploads.totals', null);
    if (counts.queued !== files) broken.push(`${counts.queued} are queued after the restart`);
    tell('all are there after a restart');

    const chosen = new Set(rows.filter((_, index) => index % Math.floor(files / sent) === 0).slice(0, sent));
    const others = rows.filter((row) => !chosen.has(row)).map(({ id }) => id);
    await engine.call('uploads.cancel', { kind: 'ids', ids: others });
    tell('all but some are cancelled');
    await engine.call('uploads.resume', { kind: 'all' });
    engine.startUploads();
    await engine.whenUploadsIdle();
    tell('those are sent');

    const { totals } = await engine.call('uploads.receipt', { batchId });
    if (totals.complete !== chosen.size || totals.cancelled !== others.length || totals.added !== files) {
      broken.push(`the receipt says ${JSON.stringify(totals)}`);
    }
    const complete = (await everyRow(engine)).filter(({ state }) => state === 'complete').map(({ path }) => path);
    const wanted = [...chosen].map(({ path }) => path);
    if (complete.toSorted().join() !== wanted.toSorted().join()) broken.push('others were sent than those');
    const query = {
      siteId,
      collectionId,
      search: '',
      type: null,
      status: null,
      ...({ sort: 'created_on', order: 'desc' } as const),
    };
    const { total } = await engine.call('library.mediaWindow', { query, offset: 0, limit: 1 });
    if (total !== chosen.size) broken.push(`${total} items for ${chosen.size} files`);
    return { files, sent: chosen.size, grownBytes, broken };
  } finally {
    await engine?.stop();
    await service.stop();
    profile.remove();
    rmSync(dir, { recursive: true, force: true });
  }
}

function writeFiles(dir: string, files: number): void {
  for (let index = 0; index < files; index += 1) {
    const folder = join(dir, `year ${Math.floor(index / PER_FOLDER)}`);
    if (index % PER_FOLDER === 0) mkdirSync(folder);
    writeFileSync(join(folder, `${index}.bin`), `contents ${index}`);
  }
}

async function everyRow(engine: Engine): Promise<UploadRow[]> {
  const rows: UploadRow[] = [];
  for (;;) {
    const page = { filter: 'all', batchId: null, offset: rows.length, limit: PAGE } as const;
    const answer = await engine.call('uploads.list', page);
    rows.push(...answer.rows);
    if (rows.length >= answer.total || answer.rows.length === 0) return rows;
  }
}
