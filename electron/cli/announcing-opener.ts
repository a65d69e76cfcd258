import { toAppError } from '../../shared/contract/app-error.ts';
import type { BrowserOpener } from '../engine/ports/browser-opener.ts';

/**
 * Tells the address of the sign-in page before it is opened, and stays put when no browser comes up: the person can open
 * the address by hand, here or on another machine's screen.
 */
export function announcingOpener(
  inner: BrowserOpener,
  hooks: { tell(url: string): void; onNoBrowser(reason: string): void },
): BrowserOpener {
  return {
    async open(url, events) {
      hooks.tell(url);
      // Not waited for: a browser may take its time to say that it is there.
      const opened = inner.open(url, events).catch((thrown: unknown) => {
        hooks.onNoBrowser(toAppError(thrown).message);
        return null;
      });
      return { close: () => void opened.then((page) => page?.close()) };
    },
  };
}
