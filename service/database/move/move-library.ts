import { randomUUID } from 'node:crypto';
import { MoveError } from '../../storage/move-error.ts';
import { EPOCH_KEY, readMeta } from '../meta.ts';
import { SCHEMA_VERSION } from '../schema.ts';
import type { Store } from '../store.ts';
import { compareTables } from './compare.ts';
import { copyRows, type Step, stepsOf } from './copy-rows.ts';
import { type Mark, readMark, removeMark, writeMark } from './mark.ts';
import { copySequences } from './sequences.ts';
import { movedTables } from './tables.ts';

export interface MoveLibraryOptions {
  /** Nothing else uses either of them. */
  source: Store;
  target: Store;
  /** Called when the target has been found equal, before it may be used. */
  onCompared(): Promise<void>;
  /** Called when a table is copied. */
  onStep(step: Step): void;
}

export interface MoveLibraryReport {
  tables: number;
  /** Rows that are in both databases and equal. */
  rows: number;
  /** Rows that were copied now, not by an earlier run. */
  copied: number;
}

/**
 * Copies a library from one database to another, compares both, and makes the target the database of the library: a service refuses the
 * source from then on, and before that the target. Continues a move that was interrupted. Throws `MoveError`.
 */
export async function moveLibrary(options: MoveLibraryOptions): Promise<MoveLibraryReport> {
  const { source, target, onCompared, onStep } = options;
  for (const store of [source, target]) await checkVersion(store);
  const mark = await begin(source, target);
  const tables = movedTables();
  const copied = await copyRows(source, target, stepsOf(tables), mark, onStep);
  await copySequences(source, target, tables);
  const { rows, different } = await compareTables(source, target, tables);
  if (different.length > 0) {
    throw new MoveError(
      'move.different',
      `The copy differs from the library in ${different.join(', ')}: one of them was changed meanwhile. The library stays where it is. Empty the target, and run the command again.`,
    );
  }
  await onCompared();
  await writeMark(source, { state: 'moved', id: mark.id, epoch: mark.epoch });
  await removeMark(target);
  return { tables: tables.length, rows, copied };
}

/** The tables of a newer version are not known. */
async function checkVersion(store: Store): Promise<void> {
  const version =
    store.file === undefined
      ? Number(await readMeta(store, 'schema_version'))
      : (await store.get<{ user_version: number }>('PRAGMA user_version'))?.user_version;
  if (version === SCHEMA_VERSION) return;
  throw new MoveError('move.newer', `A newer version has written a database (schema ${version}). Use that version.`);
}

/** Returns how far the move is. */
async function begin(source: Store, target: Store): Promise<Extract<Mark, { state: 'copying' }>> {
  const [from, to] = [await readMark(source), await readMark(target)];
  const epoch = await readMeta(source, EPOCH_KEY);
  if (from?.state === 'copying') {
    throw new MoveError('move.incomplete', 'A library is being moved to this database. End that move first.');
  }
  if (epoch === undefined) throw new MoveError('move.no-library', 'There is no library in the database.');
  const isMine = to?.epoch === epoch && (from === undefined || from.id === to.id);
  if (to?.state === 'copying' && isMine) return to;
  if (from !== undefined) {
    throw new MoveError(
      'move.done',
      'The library was moved to another database already. Start the service with that one.',
    );
  }
  const isEmpty =
    to === undefined &&
    (await readMeta(target, EPOCH_KEY)) === undefined &&
    (await target.get('SELECT 1 AS one FROM users LIMIT 1')) === undefined;
  if (!isEmpty) throw new MoveError('move.target-used', 'The target has a library already. Give it an empty database.');
  const mark = { state: 'copying', id: randomUUID(), epoch, step: 0 } as const;
  await writeMark(target, mark);
  return mark;
}
