import { BrowserWindow } from 'electron';
import { type ContentRef, contentAddress } from '../../shared/contract/content-address.ts';
import { LOCKED_WEB_PREFERENCES } from './windows.ts';

/**
 * Shows a document in a separate window. That window has no preload, so it can't call the engine; its page has the origin of
 * documents, not that of the screens, and its bytes are always treated as a PDF. Links in a document have no effect.
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
  // The viewer would replace the title by the title inside the document.
  window.on('page-title-updated', (event) => event.preventDefault());
  await window.loadURL(address).catch(() => window.destroy());
}
