import { randomUUID } from 'node:crypto';
import { BrowserWindow } from 'electron';
import { allowNavigation } from './security.ts';
import { isWebPage, readableOrigin } from './web-address.ts';
import { LOCKED_WEB_PREFERENCES } from './windows.ts';

const ABORTED = -3;

export interface SignInWindowOptions {
  parent: BrowserWindow | null;
  url: string;
  /** The person closed the window. Not called after `close()`. */
  onClosed(): void;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Shown instead of Chromium's empty page, so that a person knows why nothing is there. */
function failurePage(address: string, reason: string): string {
  const html = `<!doctype html><meta charset="utf-8"><title>Not reachable</title>
<style>body{font:15px system-ui;margin:15vh auto;max-width:24em;padding:0 1em;color-scheme:light dark}</style>
<h1>This page can’t be reached</h1><p>${escapeHtml(readableOrigin(address))} did not answer
(${escapeHtml(reason)}).</p><p>Close this window, check your connection and sign in again.</p>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

/**
 * Opens a page of the library for a person to sign in. Its session lives in memory and is its own, so nothing stays
 * behind and no other sign-in is seen; it has no bridge to us. The title always names who is asking for the password.
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
    // Some sign-in pages open their next step in a new window. There is only this one, so it goes there.
    if (isWebPage(url)) void contents.loadURL(url).catch(() => undefined);
    return { action: 'deny' };
  });

  const nameTheHost = () => {
    const origin = readableOrigin(contents.getURL());
    if (!window.isDestroyed() && origin !== '') window.setTitle(`${origin} — sign in`);
  };
  window.on('page-title-updated', (event) => {
    event.preventDefault();
    nameTheHost();
  });
  contents.on('did-navigate', nameTheHost);
  contents.on('did-fail-load', (_event, code, reason, address, isMainFrame) => {
    if (!isMainFrame || code === ABORTED || !isWebPage(address)) return;
    void contents.loadURL(failurePage(address, reason));
  });

  let closedByUs = false;
  window.once('closed', () => {
    void session.clearStorageData();
    if (!closedByUs) options.onClosed();
  });
  window.once('ready-to-show', () => window.show());
  // A failure is shown in the window by did-fail-load; the promise repeats it.
  contents.loadURL(options.url).catch(() => undefined);
  return {
    close() {
      closedByUs = true;
      if (!window.isDestroyed()) window.destroy();
    },
  };
}

/** Frames that a page fills by itself have these addresses. */
function isEmptyFrame(address: string): boolean {
  return address === 'about:blank' || address === 'about:srcdoc';
}
