import type { Log } from './site.ts';

/** One JSON line per message, on stderr. What is logged must never hold a token, a password, a cookie or a signed URL. */
export function createLog(quiet: boolean): Log {
  if (quiet) return () => {};
  return (message, details = {}) => {
    process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), message, ...details })}\n`);
  };
}
