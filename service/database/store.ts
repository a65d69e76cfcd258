import type { Subject } from './changes.ts';

/** A value that can be bound to a statement. */
export type Bindable = null | number | bigint | string | Uint8Array;

/** The one connection to the service's database: synchronous, single writer, statements prepared once per text. */
export interface Store {
  all<Row>(sql: string, ...params: Bindable[]): Row[];
  get<Row>(sql: string, ...params: Bindable[]): Row | undefined;
  /** Runs a statement that changes data. `id` is the row id of an insert. */
  run(sql: string, ...params: Bindable[]): { changes: number; id: number };
  /** All or nothing. Nested calls join the outer transaction. */
  transaction<T>(work: () => T): T;
  /** What `work` makes of the database, under a name; made anew once its subject has changed. */
  derived<T>(subject: Subject, name: string, work: () => T): T;
  /** False once it has been closed; for work that goes on in steps. */
  isOpen(): boolean;
  close(): void;
}
