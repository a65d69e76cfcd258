import { errors } from 'playwright';

/** The event that the main process logs when it has started. */
const READY = '"event":"shell.ready"';
/** What Playwright adds to the log of a launch when the process has ended. */
const EXITED = '<process did exit';

/**
 * Returns whether a launch failed only because Playwright did not attach within its timeout: the app reported that it is ready
 * (Playwright adds what the process wrote to the message) and was still running. An app that ends, or never gets ready, failed.
 * A main process that hangs after that report can't be distinguished from this case, so the caller must report it.
 */
export function isAttachTimeout(error: unknown): boolean {
  return error instanceof errors.TimeoutError && error.message.includes(READY) && !error.message.includes(EXITED);
}
