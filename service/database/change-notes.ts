/** What notes the changes of each transaction, for each engine. */
export interface ChangeNotes {
  sqlite: ConnectionNotes;
  postgres: ServerNotes;
}

/** A table and triggers of one connection. */
interface ConnectionNotes {
  table: string;
  triggers: readonly string[];
}

/** A table of each connection, and triggers that write to it. */
interface ServerNotes {
  table: string;
  triggers: ProgramTriggers;
}

/** Triggers that belong to the program, not to the schema: another version may have others. */
export interface ProgramTriggers {
  /** Names them in `meta`. */
  name: string;
  /** The names of their functions begin with one of these. */
  prefixes: readonly string[];
  statements: readonly string[];
}
