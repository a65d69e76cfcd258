import { errors } from 'playwright';

/** What Playwright adds to the log of a launch when the process has ended. */
const EXITED = '<process did exit';

/**
 * Returns whether a launch failed because Playwright did not attach within its timeout to an app that still ran: rarely, it misses
 * that the first page was created, and waits for ever. An app that ends has failed. An app that hangs can't be distinguished from
 * this case, so the caller must report it, and an app that always hangs fails the repeated launch too.
 */
export function isAttachTimeout(error: unknown): boolean {
  return error instanceof errors.TimeoutError && !error.message.includes(EXITED);
}
