import { BrowserWindow } from 'electron';
import { type ContentRef, contentAddress } from '../../shared/contract/content-address.ts';
import { LOCKED_WEB_PREFERENCES } from './windows.ts';

/** The open window for documents; null while there is none. */
let open: BrowserWindow | null = null;

/**
 * Shows a document in a separate window: the one that is open, or a new one. That window has no preload, so it can't call the
 * engine; its page has the origin of documents, not that of the screens, and its bytes are always treated as a PDF. Links in a
 * document have no effect.
 */
export async function openDocumentWindow(ref: Omit<ContentRef, 'kind'>, title: string): Promise<void> {
  const window = open ?? newWindow(title);
  open = window;
  window.setTitle(title);
  if (window.isMinimized()) window.restore();
  window.focus();
  await window.loadURL(contentAddress({ kind: 'document', ...ref })).catch((error: { code?: string }) => {
    // The load was replaced by that of a later document. After any other error, the window would show an earlier one.
    if (error.code !== 'ERR_ABORTED' && !window.isDestroyed()) window.destroy();
  });
}

function newWindow(title: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 900,
    height: 1000,
    minWidth: 360,
    minHeight: 320,
    title,
    autoHideMenuBar: true,
    webPreferences: { ...LOCKED_WEB_PREFERENCES, plugins: true },
  });
  // The viewer would replace the title by the title inside the document.
  window.on('page-title-updated', (event) => event.preventDefault());
  window.on('closed', () => {
    if (open === window) open = null;
  });
  return window;
}
