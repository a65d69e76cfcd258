import { toAppError } from '../../../shared/contract/app-error.ts';
import type { BrowserOpener } from '../../engine/ports/browser-opener.ts';

/**
 * Announces the address of the sign-in page before it is opened, and continues when no browser opens: the user can open the
 * address by hand, on this or another machine.
 */
export function announcingOpener(
  inner: BrowserOpener,
  hooks: { announce(url: string): void; onNoBrowser(reason: string): void },
): BrowserOpener {
  return {
    async open(url, events, network) {
      hooks.announce(url);
      // Without await: a browser may take long to report that it has started.
      const opened = inner.open(url, events, network).catch((thrown: unknown) => {
        hooks.onNoBrowser(toAppError(thrown).message);
        return null;
      });
      return { close: () => void opened.then((page) => page?.close()) };
    },
  };
}
