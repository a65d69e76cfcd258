import { appError } from '../../../shared/contract/app-error.ts';
import type { BrowserOpener } from '../../engine/ports/browser-opener.ts';
import { openExternal } from '../open-external.ts';

/** Signing in with the person's own browser, which we can neither watch nor close. */
export const systemBrowser: BrowserOpener = {
  async open(url) {
    if (!(await openExternal(url))) throw appError('site.address-insecure', { details: { url } });
    return { close: () => undefined };
  },
};
