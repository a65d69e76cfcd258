import { randomUUID } from 'node:crypto';
import { BrowserWindow } from 'electron';
import { appError } from '../../shared/contract/app-error.ts';
import { escapeHtml } from '../../shared/model/escape-html.ts';
import type { PlayerWindows, ShownPlayer } from '../engine/ports/player-windows.ts';
import { allowNavigation } from './security.ts';
import { joinNetwork } from './sign-in-network.ts';
import { texts } from './texts.ts';
import { isWebPage, readableOrigin } from './web-address.ts';
import { LOCKED_WEB_PREFERENCES } from './windows.ts';

const ABORTED = -3;
/** A player may have up to 10,000 pixels; the window scrolls. */
const MOST = { width: 1600, height: 1000 };
const LEAST = { width: 320, height: 180 };

/** The open window; null while there is none. */
let open: BrowserWindow | null = null;

/**
 * Shows players in a separate window: a page of the library never gets into our own screens. The window has no preload, so it can't
 * call the engine, and a session in memory, so it shows what a viewer without an account sees. `parent` returns the main window.
 */
export function playerWindows(parent: () => BrowserWindow | null): PlayerWindows {
  return {
    async show(player, network) {
      if (!isWebPage(player.url)) throw appError('site.address-invalid');
      open?.destroy();
      const window = newWindow(player, parent());
      open = window;
      window.once('closed', () => {
        if (open === window) open = null;
      });
      await joinNetwork(window.webContents, player.url, network);
      // The listener of `did-fail-load` shows a failure in the window.
      if (!window.isDestroyed()) await window.loadURL(player.url).catch(() => undefined);
    },
  };
}

function newWindow({ title, width, height }: ShownPlayer, parent: BrowserWindow | null): BrowserWindow {
  const window = new BrowserWindow({
    ...(parent ? { parent } : {}),
    useContentSize: true,
    width: Math.min(MOST.width, Math.max(LEAST.width, width)),
    height: Math.min(MOST.height, Math.max(LEAST.height, height)),
    title: texts.player.title(title),
    minimizable: false,
    autoHideMenuBar: true,
    webPreferences: { ...LOCKED_WEB_PREFERENCES, partition: `player-${randomUUID()}`, devTools: false },
  });
  window.removeMenu();
  const contents = window.webContents;
  // The address of a player redirects to its page; after that, the window stays at the library of that page.
  let page: string | null = null;
  contents.once('did-finish-load', () => {
    page = readableOrigin(contents.getURL());
  });
  allowNavigation(contents, (address, isMainFrame) => {
    if (!isMainFrame) return isWebPage(address) || address === 'about:blank' || address === 'about:srcdoc';
    return isWebPage(address) && (page === null || readableOrigin(address) === page);
  });
  window.on('page-title-updated', (event) => event.preventDefault());
  contents.on('did-fail-load', (_event, code, reason, address, isMainFrame) => {
    if (!isMainFrame || code === ABORTED || !isWebPage(address)) return;
    void contents.loadURL(failurePage(readableOrigin(address), reason)).catch(() => undefined);
  });
  return window;
}

function failurePage(origin: string, reason: string): string {
  const html = `<!doctype html><meta charset="utf-8"><title>${texts.player.failed}</title>
<style>body{font:15px system-ui;margin:10vh auto;max-width:24em;padding:0 1em;color-scheme:light dark}</style>
<h1>${texts.player.failed}</h1><p>${escapeHtml(texts.player.reason(origin, reason))}</p>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}
