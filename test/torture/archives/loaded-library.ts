import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Prng } from '../../helpers/data/prng.ts';
import { sha256Of } from '../../helpers/service/service-archive.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

/** An item with a file, whose upload the service acknowledged. */
export interface KeptItem {
  path: string;
  title: string;
  sha256: string;
}

/** A library whose items come and go all the time. */
export interface LoadedLibrary {
  readonly service: ServiceProcess;
  /** The items that must be there now. */
  kept(): ReadonlySet<KeptItem>;
  /** Starts the changes, which end with `rest` or with the service. */
  load(): Promise<void>;
  /** Ends the changes. Rejects when an answer was wrong. */
  rest(): Promise<void>;
}

const WORKERS = 2;
const MOST_KEPT = 30;
const LARGEST_BYTES = 400_000;
export const OPERATED = ['--operations', '0', '--reserve-mib', '0'];

export async function openLoadedLibrary(dataDir: string, prng: Prng): Promise<LoadedLibrary> {
  const service = await startService({ dataDir, options: OPERATED });
  const kept = new Set<KeptItem>();
  let isOver = false;
  let workers: Promise<unknown> = Promise.resolve();

  async function work(client: ServiceClient): Promise<void> {
    try {
      while (!isOver) {
        const title = randomBytes(8).toString('hex');
        const bytes = randomBytes(prng.spread(1, LARGEST_BYTES));
        const path = await client.createItem(title);
        await client.upload(path, `${title}.bin`, bytes, { upload_type: 'blob' });
        kept.add({ path, title, sha256: sha256Of(bytes) });
        const [oldest] = kept;
        if (kept.size <= MOST_KEPT || oldest === undefined) continue;
        // From now on it may be there or not.
        kept.delete(oldest);
        const { status } = await client.delete(oldest.path);
        if (status !== 204) throw new Error(`${oldest.path} was not deleted: ${status}`);
      }
    } catch (error) {
      // The connection ends with the service.
      if (!(error instanceof TypeError && /fetch failed|terminated/.test(error.message))) throw error;
    }
  }

  return {
    service,
    kept: () => kept,
    async load() {
      isOver = false;
      const client = await clientFor(service);
      workers = Promise.all(Array.from({ length: WORKERS }, () => work(client)));
      // Looked at in `rest`.
      workers.catch(() => {});
    },
    async rest() {
      isOver = true;
      await workers;
    },
  };
}

/** Throws unless a backup, or a data directory whose service does not run, has these items with the bytes of their files. */
export function checkItems(dir: string, items: Iterable<KeptItem>): void {
  const db = new DatabaseSync(join(dir, 'library.sqlite'), { readOnly: true });
  try {
    const found = db.prepare(
      'SELECT title, stored_name FROM media JOIN files ON media_id = media.id WHERE media.id = ? AND stored_name IS NOT NULL',
    );
    for (const { path, title, sha256 } of items) {
      const row = found.get(Number(path.split('/').at(-1)));
      if (row?.title !== title) throw new Error(`${dir} lacks ${path}, which was there before.`);
      const name = String(row.stored_name);
      const bytes = readFileSync(join(dir, 'stored', name.slice(0, 2), name));
      if (sha256Of(bytes) !== sha256) throw new Error(`${dir} has other bytes for ${path}.`);
    }
  } finally {
    db.close();
  }
}
