/**
 * The log of the engine. `event` is a stable dotted name (`upload.sent`), `fields` are facts. It must never contain a
 * token, a password, a signed URL or the text of a user's document.
 */
export interface Logger {
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
