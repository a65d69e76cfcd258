import { randomUUID } from 'node:crypto';
import { BrowserWindow } from 'electron';
import { escapeHtml } from '../../shared/model/escape-html.ts';
import type { BrowserNetwork } from '../engine/ports/browser-opener.ts';
import { whenPainted } from './first-frame.ts';
import { allowNavigation } from './security.ts';
import { joinNetwork } from './sign-in-network.ts';
import { texts } from './texts.ts';
import { isWebPage, readableOrigin } from './web-address.ts';
import { LOCKED_WEB_PREFERENCES } from './windows.ts';

const ABORTED = -3;

export interface SignInWindowOptions {
  parent: BrowserWindow | null;
  url: string;
  network: BrowserNetwork;
  /** Called when the user closes the window; not called after `close()`. */
  onClosed(): void;
}

/** Codes of Chromium for connections that a proxy prevented. */
const PROXY_FAULTS: ReadonlySet<number> = new Set([-111, -115, -127, -130, -131, -136]);

/** Returns what happened, and the next step. The codes of certificates that are not trusted are -200 to -299. */
function failureWords(origin: string, code: number, reason: string): { sentence: string; nextStep: string } {
  const { untrusted, trustIt, proxyFails, checkProxy, noAnswer, nextStep } = texts.signIn;
  if (code <= -200 && code > -300) return { sentence: untrusted(origin, reason), nextStep: trustIt };
  if (PROXY_FAULTS.has(code)) return { sentence: proxyFails(reason), nextStep: checkProxy };
  return { sentence: noAnswer(origin, reason), nextStep };
}

/** The page that replaces Chromium's empty error page and names the reason. */
function failurePage(address: string, code: number, reason: string): string {
  const { sentence, nextStep } = failureWords(readableOrigin(address), code, reason);
  const html = `<!doctype html><meta charset="utf-8"><title>${texts.signIn.notReachable}</title>
<style>body{font:15px system-ui;margin:15vh auto;max-width:24em;padding:0 1em;color-scheme:light dark}</style>
<h1>${texts.signIn.heading}</h1><p>${escapeHtml(sentence)}</p>
<p>${escapeHtml(nextStep)}</p>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

/**
 * Opens the sign-in page of a library. It has a separate session in memory, so that nothing is stored and no other sign-in is
 * shared; it has no bridge to the engine. The title always names the origin that requests the password.
 */
export function openSignInWindow(options: SignInWindowOptions): { close(): void } {
  const window = new BrowserWindow({
    ...(options.parent ? { parent: options.parent } : {}),
    width: 520,
    height: 720,
    minWidth: 360,
    minHeight: 480,
    title: readableOrigin(options.url),
    show: false,
    minimizable: false,
    fullscreenable: false,
    autoHideMenuBar: true,
    webPreferences: { ...LOCKED_WEB_PREFERENCES, partition: `sign-in-${randomUUID()}`, devTools: false },
  });
  window.removeMenu();
  const contents = window.webContents;
  const { session } = contents;
  allowNavigation(contents, (address, isMainFrame) => isWebPage(address) || (!isMainFrame && isEmptyFrame(address)));
  contents.setWindowOpenHandler(({ url }) => {
    // Some sign-in pages open their next step in a new window. The app opens no other window, so the step is loaded in this
    // window.
    if (isWebPage(url)) void contents.loadURL(url).catch(() => undefined);
    return { action: 'deny' };
  });

  const nameTheHost = () => {
    const origin = readableOrigin(contents.getURL());
    if (!window.isDestroyed() && origin !== '') window.setTitle(texts.signIn.title(origin));
  };
  window.on('page-title-updated', (event) => {
    event.preventDefault();
    nameTheHost();
  });
  contents.on('did-navigate', nameTheHost);
  contents.on('did-fail-load', (_event, code, reason, address, isMainFrame) => {
    if (!isMainFrame || code === ABORTED || !isWebPage(address)) return;
    void contents.loadURL(failurePage(address, code, reason));
  });

  let closedByUs = false;
  window.once('closed', () => {
    void session.clearStorageData();
    if (!closedByUs) options.onClosed();
  });
  whenPainted(window, () => window.show());
  const load = (address: string) => (window.isDestroyed() ? undefined : contents.loadURL(address));
  joinNetwork(contents, options.url, options.network)
    .then(
      () => load(options.url),
      (error: unknown) => load(failurePage(options.url, 0, String(error))),
    )
    // The listener of `did-fail-load` shows a failure of the page in the window.
    .catch(() => undefined);
  return {
    close() {
      closedByUs = true;
      if (!window.isDestroyed()) window.destroy();
    },
  };
}

/** Returns whether an address is that of a frame that a page fills by itself. */
function isEmptyFrame(address: string): boolean {
  return address === 'about:blank' || address === 'about:srcdoc';
}
