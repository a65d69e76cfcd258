import { existsSync } from 'node:fs';
import { readMeta, writeMeta } from '../meta.ts';
import type { Store } from '../store.ts';

/** The key in `meta` of the state of a move. */
export const MOVE_KEY = 'move';

/** What a database says of a move. */
export type Mark =
  /** Rows are copied to it. `step` and `after`: what is copied next, and the primary key of the row before. */
  | { state: 'copying'; id: string; epoch: string; step: number; after?: readonly (string | number)[] | undefined }
  /** The library is in another database. */
  | { state: 'moved'; id: string; epoch: string };

/** Returns the name of the file of a database when the library was moved to a server. */
export const movedDatabase = (file: string): string => `${file}.moved`;

/** Throws when the file of a database is not there because its library was moved to a server: an empty library would take its place. */
export function checkFileNotMoved(file: string): void {
  if (existsSync(file) || !existsSync(movedDatabase(file))) return;
  throw new Error(
    `The library was moved from ${file} to a database on a server. Start the service with the configuration of that database, or move the library back with “move-database --from”.`,
  );
}

/** Returns the state of the move of a database; undefined when it is in use or empty. */
export async function readMark(store: Store): Promise<Mark | undefined> {
  const text = await readMeta(store, MOVE_KEY);
  return text === undefined ? undefined : (JSON.parse(text) as Mark);
}

export function writeMark(store: Store, mark: Mark): Promise<void> {
  return writeMeta(store, MOVE_KEY, JSON.stringify(mark));
}

export async function removeMark(store: Store): Promise<void> {
  await store.run('DELETE FROM meta WHERE key = ?', MOVE_KEY);
}

/** Rejects with a sentence for the operator when a library is moved to this database, or was moved away from it. */
export async function checkNotMoved(store: Store): Promise<void> {
  const mark = await readMark(store);
  if (mark?.state === 'copying') {
    throw new Error('A library is being moved to this database, but not to the end. Run “move-database” again.');
  }
  if (mark?.state === 'moved') {
    throw new Error(
      'The library was moved from this database to another one. Start the service with the database that it is in now.',
    );
  }
}
