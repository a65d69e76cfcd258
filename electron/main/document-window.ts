import { BrowserWindow, type WebContents } from 'electron';
import { type ContentRef, contentAddress } from '../../shared/contract/content-address.ts';
import { allowNavigation } from './security.ts';
import { LOCKED_WEB_PREFERENCES } from './windows.ts';

/** The viewer of documents, a part of Chromium. */
const VIEWER = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/';

/**
 * Shows a document in a window of its own. That window has no preload, so it can't call the engine; its page has the origin
 * of documents, not that of the screens, and its bytes are always treated as a PDF.
 */
export async function openDocumentWindow(ref: Omit<ContentRef, 'kind'>, title: string): Promise<void> {
  const window = new BrowserWindow({
    width: 900,
    height: 1000,
    minWidth: 360,
    minHeight: 320,
    title,
    autoHideMenuBar: true,
    webPreferences: { ...LOCKED_WEB_PREFERENCES, plugins: true },
  });
  const address = contentAddress({ kind: 'document', ...ref });
  keepIn(window.webContents, address);
  // The viewer would replace the title by that inside the document.
  window.on('page-title-updated', (event) => event.preventDefault());
  await window.loadURL(address).catch(() => window.destroy());
}

/** The viewer loads the document again into frames of its own; links in a document lead nowhere. */
function keepIn(contents: WebContents, address: string): void {
  allowNavigation(
    contents,
    (target, isMainFrame) =>
      !isMainFrame && (target === address || target.startsWith(VIEWER) || target === 'about:blank'),
  );
}
