import type { Log } from './site.ts';

/**
 * Creates a log on stderr with one JSON object per line. It must never contain a token, a password, a cookie or a
 * signed URL.
 */
export function createLog(quiet: boolean): Log {
  if (quiet) return () => {};
  return (message, details = {}) => {
    process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), message, ...details })}\n`);
  };
}
