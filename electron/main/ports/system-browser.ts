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
      throw appError('sign-in.failed', { message: 'No web browser could be opened.', cause });
    }
    if (!isOpened) throw appError('site.address-insecure');
    return { close: () => undefined };
  },
};
