import { randomUUID } from 'node:crypto';
import type { Store } from '../database/store.ts';
import type { FileRow } from '../resources/files/file-row.ts';
import type { Site } from '../site/site.ts';
import { IS_PROCESSING } from '../site/underway.ts';
import { isSuspect } from './starts.ts';
import { ClaimLost } from './work-ended.ts';

/** A worker that does not renew its claim for this time has lost it. */
export const LEASE_MS = 60_000;
/** The name of the service itself as a worker begins so; each process of it has its own. */
export const HERE = 'service';

/** The right of one worker to process one file, until it ends or is not renewed. */
export interface Claim {
  id: string;
  /** The file as it was when it was claimed. */
  file: FileRow;
  /** Whether the start of the work is recorded already, so that `startClaim` is not needed. */
  isStarted: boolean;
}

/**
 * Which files a worker takes: all, or only those whose content is under its final name, or only those whose content is still where a
 * client has sent it.
 */
type Kind = 'any' | 'stored' | 'incoming';

const CONDITIONS: Readonly<Record<Kind, string>> = {
  any: 'TRUE',
  stored: 'incoming_name IS NULL',
  incoming: 'incoming_name IS NOT NULL',
};

type ClaimSite = Pick<Site, 'store' | 'now'>;

/** Which files a worker takes. `except`: the ids of files that it can't process now. */
interface Choice {
  kind: Kind;
  except?: readonly number[];
}

/**
 * Claims the oldest file that nobody processes. `startsAtOnce`: whether the work on a file begins with the claim; one transaction
 * records both then. Returns undefined when there is nothing to do for this worker.
 */
export function claimNext(
  site: ClaimSite,
  worker: string,
  { startsAtOnce, ...choice }: Choice & { startsAtOnce: (file: FileRow) => boolean },
): Promise<Claim | undefined> {
  return site.store.transaction(async () => {
    const file = await nextUnclaimed(site.store, worker, choice);
    return file && (await claim(site, worker, file, startsAtOnce(file)));
  });
}

/**
 * Returns the oldest file that nobody processes; undefined when there is nothing to do for this worker. A file that may have crashed its
 * worker is processed alone, so that no other file is suspected with it. To be called in the transaction that claims or finishes it.
 */
export async function nextUnclaimed(
  store: Store,
  worker: string,
  { kind, except = [] }: Choice,
): Promise<FileRow | undefined> {
  const held = await store.get<{ files: number; suspects: number }>(
    `SELECT count(*) AS files, count(CASE WHEN processing_starts > is_started THEN 1 END) AS suspects
     FROM processing_claims JOIN files ON files.id = file_id WHERE worker = ?`,
    worker,
  );
  if (held !== undefined && held.suspects > 0) return undefined;
  const file = await store.get<FileRow>(
    `SELECT * FROM files WHERE ${IS_PROCESSING} AND ${CONDITIONS[kind]} AND id NOT IN (SELECT file_id FROM processing_claims)
       AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY activity_at, id LIMIT 1`,
    JSON.stringify(except),
  );
  return file !== undefined && isSuspect(file) && (held?.files ?? 0) > 0 ? undefined : file;
}

/** Claims a file; `isStarted`: the work on it begins at once. To be called in the transaction that chose it. */
export async function claim(
  { store, now }: ClaimSite,
  worker: string,
  file: FileRow,
  isStarted: boolean,
): Promise<Claim> {
  const id = randomUUID();
  await store.run(
    'INSERT INTO processing_claims (id, file_id, worker, until_at, is_started) VALUES (?, ?, ?, ?, ?)',
    id,
    file.id,
    worker,
    now() + LEASE_MS,
    Number(isStarted),
  );
  if (isStarted) await countStart(store, file);
  return { id, file, isStarted };
}

async function countStart(store: Store, { id }: FileRow): Promise<void> {
  await store.run('UPDATE files SET processing_starts = processing_starts + 1 WHERE id = ?', id);
}

/**
 * Records durably that the work on a claimed file begins: if it never ends, the file may be the reason. Returns false when the claim
 * is lost. Does nothing for a claim that recorded it.
 */
export async function startClaim({ store }: ClaimSite, { id, file, isStarted }: Claim): Promise<boolean> {
  if (isStarted) return true;
  return await store.transaction(async () => {
    const { changes } = await store.run(
      'UPDATE processing_claims SET is_started = 1 WHERE id = ? AND is_started = 0',
      id,
    );
    if (changes === 0) return false;
    await countStart(store, file);
    return true;
  });
}

/** Returns false when the claim is lost: the file was deleted, or the claim was not renewed in time. */
export async function renewClaim({ store, now }: ClaimSite, id: string): Promise<boolean> {
  return (await store.run('UPDATE processing_claims SET until_at = ? WHERE id = ?', now() + LEASE_MS, id)).changes > 0;
}

/**
 * Gives a file back in an orderly way: the start of its work does not count as a crash, not even when the claim was lost, as after a
 * failure of the network.
 */
export async function releaseClaim(store: Store, id: string): Promise<void> {
  await store.transaction(async () => {
    await store.run(
      `UPDATE files SET processing_starts = processing_starts - 1 WHERE processing_starts > 0
         AND id IN (SELECT file_id FROM processing_claims WHERE id = ? AND is_started = 1
                    UNION ALL SELECT file_id FROM processing_lost WHERE claim = ?)`,
      id,
      id,
    );
    await store.run('DELETE FROM processing_claims WHERE id = ?', id);
    await store.run('DELETE FROM processing_lost WHERE claim = ?', id);
  });
}

/** Gives a file back that may be the reason why the work on it broke off: that counts as a crash. */
export async function abandonClaim(store: Store, id: string): Promise<void> {
  await store.run('DELETE FROM processing_claims WHERE id = ?', id);
}

/** Gives back what a worker does not know of: the answers that named these claims did not arrive. */
export async function releaseUnknown(store: Store, worker: string, known: readonly string[]): Promise<void> {
  const lost = await store.all<{ id: string }>(
    'SELECT id FROM processing_claims WHERE worker = ? AND id NOT IN (SELECT atom FROM json_each(?))',
    worker,
    JSON.stringify(known),
  );
  for (const { id } of lost) await releaseClaim(store, id);
}

/** Ends the claims that were not renewed. Returns their number. */
export async function expireClaims({ store, now }: ClaimSite): Promise<number> {
  const at = now();
  if ((await store.get('SELECT 1 FROM processing_claims WHERE until_at <= ?', at)) === undefined) return 0;
  return await store.transaction(async () => {
    await store.run(
      `INSERT INTO processing_lost (claim, file_id)
       SELECT id, file_id FROM processing_claims WHERE until_at <= ? AND is_started = 1
       ON CONFLICT DO NOTHING`,
      at,
    );
    return Number((await store.run('DELETE FROM processing_claims WHERE until_at <= ?', at)).changes);
  });
}

/** Gives each claim its full time again: nobody could renew for a while, or the clock was set. */
export async function extendClaims({ store, now }: ClaimSite): Promise<void> {
  await store.run('UPDATE processing_claims SET until_at = ?', now() + LEASE_MS);
}

/**
 * For the start: the claims of the service itself ended with its earlier run. No worker could renew while no service ran, so each
 * gets the time again. With several processes, another one may have claimed and renewed: claims end by their time alone.
 */
export async function resumeClaims(site: ClaimSite): Promise<void> {
  if (site.store.isShared) return;
  await site.store.run('DELETE FROM processing_claims WHERE worker = ?', HERE);
  await extendClaims(site);
}

/** Returns the file of a claim; undefined when the claim is lost. */
export function claimedFile(store: Store, id: string): Promise<FileRow | undefined> {
  return store.get<FileRow>(
    `SELECT files.* FROM processing_claims JOIN files ON files.id = file_id
     WHERE processing_claims.id = ? AND status = 'processing'`,
    id,
  );
}

export async function isClaimed(store: Store, id: string): Promise<boolean> {
  return (await store.get('SELECT 1 FROM processing_claims WHERE id = ?', id)) !== undefined;
}

/**
 * Stores a complete temporary file as a product of a claim; returns the name of the blob. Until the claim is finished, the blob is
 * deleted with the claim. Rejects with `ClaimLost`.
 */
export async function keepProduct(
  { store, blobs }: Pick<Site, 'store' | 'blobs'>,
  id: string,
  path: string,
): Promise<string> {
  const name = await blobs.put(path);
  const { changes } = await store.run(
    'INSERT INTO processing_products (name, claim) SELECT ?, id FROM processing_claims WHERE id = ?',
    name,
    id,
  );
  if (changes > 0) return name;
  await blobs.remove(name);
  throw new ClaimLost();
}

/** Returns whether all blobs are products of a claim. */
export async function areProducts(store: Store, id: string, names: readonly string[]): Promise<boolean> {
  const known = new Set(
    (await store.all<{ name: string }>('SELECT name FROM processing_products WHERE claim = ?', id)).map(
      ({ name }) => name,
    ),
  );
  return names.every((name) => known.has(name));
}

/** Ends a claim, whose blobs `names` are named by rows from now on. To be called in their transaction. */
export async function endClaim(store: Store, id: string, names: readonly string[]): Promise<void> {
  await store.run('DELETE FROM processing_claims WHERE id = ?', id);
  for (const name of names) await store.run('DELETE FROM processing_products WHERE name = ?', name);
}

/** Deletes the blobs of claims that ended without them. */
export async function removeProducts({ store, blobs }: Pick<Site, 'store' | 'blobs'>): Promise<void> {
  const rows = await store.all<{ name: string }>(
    'SELECT name FROM processing_products WHERE claim NOT IN (SELECT id FROM processing_claims)',
  );
  for (const { name } of rows) {
    await blobs.remove(name);
    await store.run('DELETE FROM processing_products WHERE name = ?', name);
  }
}
