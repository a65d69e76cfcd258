import type { BrowserWindow } from 'electron';

/** How long the first frame may take after the document was read. */
const FIRST_FRAME_MS = 300;

/**
 * Calls `present` once, when a hidden window has painted its first frame. On Wayland a hidden window paints nothing
 * (electron/electron#48859), and elsewhere Electron doesn't always report the frame (electron/electron#25253): then `present` is
 * called without it, a moment after the document was read. No window may stay hidden for that.
 */
export function whenPainted(window: BrowserWindow, present: (isPainted: boolean) => void): void {
  let isPresented = false;
  const once = (isPainted: boolean) => {
    if (isPresented || window.isDestroyed()) return;
    isPresented = true;
    present(isPainted);
  };
  window.once('ready-to-show', () => once(true));
  window.webContents.once('dom-ready', () => setTimeout(() => once(false), FIRST_FRAME_MS));
}
