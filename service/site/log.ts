import type { Log } from './site.ts';
import { logRecord } from './standard-output.ts';

/**
 * Creates a log on stderr with one JSON object per line. It must never contain a token, a password, a cookie or a
 * signed URL.
 */
export function createLog(quiet: boolean): Log {
  if (quiet) return () => {};
  return (message, details = {}) => {
    logRecord({ at: new Date().toISOString(), message, ...details });
  };
}
