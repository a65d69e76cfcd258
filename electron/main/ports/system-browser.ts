import { appError } from '../../../shared/contract/app-error.ts';
import type { BrowserOpener } from '../../engine/ports/browser-opener.ts';
import { openExternal } from '../open-external.ts';

/** Opens sign-in pages in the user's own browser, which the app can neither observe nor close. */
export const systemBrowser: BrowserOpener = {
  async open(url) {
    let isOpened: boolean;
    try {
      isOpened = await openExternal(url);
    } catch (cause) {
      throw appError('sign-in.failed', { message: 'Mediadesk couldn’t open a web browser.', cause });
    }
    if (!isOpened) throw appError('site.address-insecure');
    return { close: () => undefined };
  },
};
