import type { ChangeNotes } from './change-notes.ts';
import type { TableGroup } from './changes.ts';
import type { Bindable } from './condition.ts';
import type { FullText } from './full-text.ts';

export type { Bindable } from './condition.ts';

/** The database of a library in a file. */
interface DatabaseFile {
  /**
   * Copies the database as it is at one moment to a new file, while it is in use, in a thread. Must have ended before `close`, and
   * before the next copy begins. Rejects when `signal` is aborted.
   */
  copyTo(file: string, signal: AbortSignal): Promise<void>;
  /**
   * Returns whether the file of the database is there and begins as one. Statements may be answered from memory when it is cut or
   * deleted.
   */
  isThere(): boolean;
}

/**
 * The database: a file that this process alone has, or one on a server (`isShared`). A transaction runs as if no other one ran at the same
 * time; on a server its work may run more than once.
 */
export interface Store {
  /** undefined: the database is on a server. */
  readonly file: DatabaseFile | undefined;
  /** Whether other processes may use the database at the same time. */
  readonly isShared: boolean;
  /**
   * Runs `work` unless another process runs the work of this name; then it does nothing. Not within a transaction.
   */
  exclusively(name: string, work: () => Promise<void>): Promise<void>;
  all<Row>(sql: string, ...params: Bindable[]): Promise<Row[]>;
  get<Row>(sql: string, ...params: Bindable[]): Promise<Row | undefined>;
  /** Runs a statement that changes data. */
  run(sql: string, ...params: Bindable[]): Promise<{ changes: number }>;
  /** Runs an `INSERT … RETURNING id` of one row, and returns its id. */
  insert(sql: string, ...params: Bindable[]): Promise<number>;
  readonly fullText: FullText;
  /** Returns the condition that a column is in a set, which `select` selects. With `isSmall`, the engine begins with the set. */
  inSet(column: string, select: string, isSmall: boolean): string;
  /** A SELECT of the size of the database, as `bytes`. */
  readonly sizeSql: string;
  /**
   * Runs `work` atomically, as if no other transaction ran at the same time. Nested calls join the outer transaction. A statement that fails
   * may undo it whole. `work` may run again from its beginning when another process was faster, so it has no other effects: these wait
   * for `afterCommit`. Rejects with `OutcomeUnknown` when it may be durable or not.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * From now on, calls `work` at the end of each transaction, before it becomes durable; an error of `work` undoes the transaction.
   * A statement of `run` outside of one is a transaction of its own.
   */
  beforeCommit(work: () => Promise<void>): void;
  /**
   * Calls `work` when the transaction of the caller has become durable, never when it is undone; at once outside of one. The transaction
   * resolves when all such work has ended, and rejects as the first that fails.
   */
  afterCommit(work: () => void | Promise<void>): Promise<void>;
  /** From now on, the changes of a transaction are noted in a table, which `beforeCommit` reads and empties. */
  noteChanges(notes: ChangeNotes): Promise<void>;
  /** A cached result of `work`, by name; computed again after a change of its subject. */
  derived<T>(subject: TableGroup, name: string, work: () => T | Promise<T>): Promise<T>;
  /** The kept text of a media item (`keepItemText`); undefined when there is none any more. */
  itemText(id: number): string | undefined;
  /** The number of changes of items and their tags so far. */
  itemChanges(): number;
  /**
   * Keeps a text of a media item until the item or its tags change; not within a transaction, which may be undone. `since`: `itemChanges`
   * before the row was read; the text is not kept when something has changed since.
   */
  keepItemText(id: number, text: string, since: number): void;
  /** Returns false after `close`. Work that runs in several steps checks it between them. */
  isOpen(): boolean;
  close(): Promise<void>;
}
