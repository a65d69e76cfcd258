import { type ClientConfig, type CustomTypesConfig, types } from 'pg';

/** What the service needs to know of a database. */
export interface PostgresConfig {
  /** `postgresql://user:password@host:port/database`, or `socket:` and the folder of a socket. */
  connectionString: string;
  /** Connections for statements; one more listens. */
  connections?: number;
  /** Whether other processes may use the database; otherwise it is refused when one does. */
  isShared: boolean;
  /** After this time a statement is given up. */
  statementTimeoutMs?: number;
}

const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5000;

/** How values come: numbers as numbers, also sums; conditions as 0 and 1, as SQLite has them. By the ids of the types of PostgreSQL. */
const PARSERS: Readonly<Record<number, (text: string) => number>> = {
  [types.builtins.BOOL]: (text) => Number(text === 't'),
  [types.builtins.INT2]: Number,
  [types.builtins.INT4]: Number,
  [types.builtins.INT8]: Number,
  [types.builtins.NUMERIC]: Number,
};

const PARSING = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS[id]) ?? types.getTypeParser(id, format),
} as CustomTypesConfig;

/** Returns the settings of each connection. */
export function clientConfig({
  connectionString,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
}: PostgresConfig): ClientConfig {
  return {
    connectionString,
    types: PARSING,
    application_name: 'mediadesk-library',
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // The triggers send notices of what has changed. Compiling a statement takes longer than any statement of the service needs.
    options: '-c client_min_messages=notice -c jit=off',
  };
}
