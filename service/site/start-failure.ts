/** SQLite’s code when another process has the database (SQLITE_BUSY). */
const BUSY = 5;

/** Returns why a service could not start, and for failures that have a usual cause what the operator can do. */
export function startFailureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const { code, errcode, syscall } = (error ?? {}) as Record<string, unknown>;
  if (code === 'ERR_SQLITE_ERROR' && errcode === BUSY) {
    return `${message}. Another process has this library: a running service, or a backup. Wait for it, or stop it.`;
  }
  if (code === 'EACCES' && syscall !== 'listen')
    return `${message}. Start it as the user that owns the library’s folder.`;
  if (code === 'EADDRINUSE') return `${message}. Stop the other program, or choose another port.`;
  return message;
}
