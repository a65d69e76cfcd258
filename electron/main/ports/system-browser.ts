import { appError } from '../../../shared/contract/app-error.ts';
import type { BrowserOpener } from '../../engine/ports/browser-opener.ts';
import { openExternal } from '../open-external.ts';

/** Signing in with the person's own browser, which we can neither watch nor close. */
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
