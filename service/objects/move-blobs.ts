import { createHash } from 'node:crypto';
import { readMeta, writeMeta } from '../database/meta.ts';
import type { Store } from '../database/store.ts';
import { epochOf } from '../site/epoch.ts';
import type { Log } from '../site/site.ts';
import { ON_DISK, placeOf, STORAGE_KEY, type StorageConfig } from '../site/storage-settings.ts';
import { IS_PROCESSING } from '../site/underway.ts';
import { forEachOf } from '../storage/for-each-of.ts';
import { MoveError } from '../storage/move-error.ts';
import { type ContentPlace, openPlace } from './content-place.ts';
import { claim, clientOf } from './open-storage.ts';
import { reserve } from './reserve-place.ts';

const AT_A_TIME = 4;

export interface MoveOptions {
  dataDir: string;
  /** Undefined: the data directory. */
  from: StorageConfig | undefined;
  to: StorageConfig | undefined;
  /** Opens the database of the library; undefined while a service uses it. */
  open(): Promise<Store | undefined>;
  /** Called now and then with the number of blobs that are at the target. */
  onProgress(done: number): void;
}

export interface MoveReport {
  /** `copied`: the service runs; run the command again when it is stopped. `moved`: the library has its content at the target. */
  state: 'copied' | 'moved';
  from: string;
  to: string;
  /** Blobs that were copied and compared. */
  copied: number;
  copied_bytes: number;
  /** Blobs that were at the target already. */
  present: number;
  /** Names of rows whose content is in neither place. */
  missing: string[];
}

/**
 * Copies the content of a library to another place, and makes this its place. While a service runs, only the copying is done: a later
 * run, with the service stopped, copies the rest and ends the move. Each copy is read again and compared by SHA-256. Nothing is deleted.
 * Throws `MoveError`.
 */
export async function moveBlobs(options: MoveOptions): Promise<MoveReport> {
  const { dataDir, from, to } = options;
  if (placeOf(from) === placeOf(to)) throw new MoveError('move.same-place', 'Both places are the same.');
  const store = await options.open();
  const [source, target] = [openPlace(dataDir, from), openPlace(dataDir, to)];
  try {
    if (store !== undefined) await checkSource(store, from);
    if (to !== undefined) await reserve(dataDir, to, store === undefined ? undefined : await epochOf(store));
    const report: MoveReport = {
      state: 'copied',
      from: placeOf(from),
      to: placeOf(to),
      copied: 0,
      copied_bytes: 0,
      present: 0,
      missing: [],
    };
    const copy = copier(source, target, report, options.onProgress);
    if (store === undefined) {
      for await (const names of source.names())
        await forEachOf(names, AT_A_TIME, (name) => copyIfThere(source, name, copy));
      return { ...report, missing: [] };
    }
    await forEachOf(await namesOf(store), AT_A_TIME, copy);
    if (report.missing.length > 0) return report;
    if (to !== undefined) await takePlace(to, await epochOf(store));
    await writeMeta(store, STORAGE_KEY, placeOf(to));
    report.state = 'moved';
    return report;
  } finally {
    source.close();
    target.close();
    await store?.close();
  }
}

async function checkSource(store: Store, from: StorageConfig | undefined): Promise<void> {
  const known = (await readMeta(store, STORAGE_KEY)) ?? ON_DISK;
  if (known !== placeOf(from)) {
    throw new MoveError('move.other-source', `The content of this library is in ${known}, not in ${placeOf(from)}.`);
  }
  const row = await store.get(`SELECT 1 FROM files WHERE ${IS_PROCESSING} AND incoming_name IS NOT NULL`);
  if (row === undefined) return;
  throw new MoveError(
    'move.processing',
    'Files that clients sent to the object store are not processed yet. Start the service, and wait until they are.',
  );
}

async function namesOf(store: Store): Promise<string[]> {
  return (
    await store.all<{ name: string }>(
      `SELECT stored_name AS name FROM files WHERE stored_name IS NOT NULL UNION SELECT stored_name FROM thumbs
       UNION SELECT name FROM processing_products`,
    )
  ).map(({ name }) => name);
}

async function takePlace(to: StorageConfig, epoch: string): Promise<void> {
  const client = clientOf(to);
  const log: Log = () => {};
  try {
    await claim(client, to, { epoch, takesStorage: true, log });
  } finally {
    client.close();
  }
}

/** As `copy`, but does nothing for content that the running service deletes meanwhile. */
async function copyIfThere(source: ContentPlace, name: string, copy: (name: string) => Promise<void>): Promise<void> {
  try {
    await copy(name);
  } catch (error) {
    if ((await source.size(name)) !== undefined) throw error;
  }
}

function copier(source: ContentPlace, target: ContentPlace, report: MoveReport, onProgress: (done: number) => void) {
  return async (name: string): Promise<void> => {
    const [bytes, there] = await Promise.all([source.size(name), target.size(name)]);
    if (bytes === undefined && there === undefined) {
      report.missing.push(name);
      return;
    }
    if (bytes === undefined || bytes === there) report.present += 1;
    else {
      await copyOne(source, target, name, bytes);
      report.copied += 1;
      report.copied_bytes += bytes;
    }
    onProgress(report.copied + report.present);
  };
}

/** Copies a blob, and compares what the target returns with what the source gave. */
async function copyOne(source: ContentPlace, target: ContentPlace, name: string, bytes: number): Promise<void> {
  const sent = createHash('sha256');
  await target.write(name, hashing(await source.read(name), sent), bytes);
  const kept = createHash('sha256');
  for await (const chunk of await target.read(name)) kept.update(chunk);
  if (kept.digest('hex') === sent.digest('hex')) return;
  throw new MoveError('move.changed', `The copy of ${name} differs from it. Run the command again.`);
}

async function* hashing(content: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
