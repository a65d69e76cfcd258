import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeOf, type StorageConfig } from '../site/storage-settings.ts';
import { MoveError } from '../storage/move-error.ts';
import { clientOf } from './open-storage.ts';
import { OWNER_KEY } from './sweep-objects.ts';

/** The file of a data directory with the text that marks the target of a move. */
const MOVE_FILE = 'move.json';

/**
 * Marks an object store as the target of a move from this data directory, so that nothing else takes it. Throws `MoveError` when its
 * objects belong to another library. `epoch`: of the library, where it is known.
 */
export async function reserve(dataDir: string, to: StorageConfig, epoch: string | undefined): Promise<void> {
  const mark = markOf(dataDir, placeOf(to));
  const client = clientOf(to);
  try {
    const answer = await client.send({ method: 'GET', key: OWNER_KEY });
    if (answer.status === 200 && (answer.text === mark || answer.text === epoch)) return;
    if (answer.status === 200) {
      throw new MoveError('move.taken', `The objects in ${placeOf(to)} belong to another library.`);
    }
    const written = await client.send({ method: 'PUT', key: OWNER_KEY, body: mark });
    if (written.status !== 200) {
      throw new MoveError('move.no-store', `${placeOf(to)} can’t be used: it answers ${written.status} to a write.`);
    }
  } finally {
    client.close();
  }
}

/** Returns the mark of a move to a place: the same one in each run. */
function markOf(dataDir: string, place: string): string {
  const file = join(dataDir, MOVE_FILE);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const mark = known[place];
  if (mark !== undefined) return mark;
  const made = `moving ${randomUUID()}`;
  writeFileSync(file, JSON.stringify({ ...known, [place]: made }), { mode: 0o600 });
  return made;
}
