import type { BrowserWindow } from 'electron';
import { appError } from '../../../shared/contract/app-error.ts';
import type { BrowserOpener } from '../../engine/ports/browser-opener.ts';
import { openSignInWindow } from '../sign-in-window.ts';
import { isWebPage } from '../web-address.ts';

/** Opens sign-in pages in a window of the app. `parent` returns the main window at the time of opening. */
export function embeddedBrowser(parent: () => BrowserWindow | null): BrowserOpener {
  return {
    async open(url, { onClosed }, network) {
      if (!isWebPage(url)) throw appError('site.address-invalid');
      return openSignInWindow({ parent: parent(), url, onClosed, network });
    },
  };
}
