import { app, type BrowserWindow } from 'electron';
import { reveal } from './windows.ts';

export interface SingleInstance {
  /** Sets the window to bring to the front when Mediadesk is started again. */
  owns(window: () => BrowserWindow | null): void;
}

/**
 * Makes this process the only one of its profile, or returns null when another one exists; its window is then brought to the
 * front. The command line of the second start is ignored: any program may have sent it.
 */
export function claimSingleInstance(): SingleInstance | null {
  if (!app.requestSingleInstanceLock()) return null;
  let current: () => BrowserWindow | null = () => null;
  app.on('second-instance', () => {
    const window = current();
    if (window !== null) reveal(window);
  });
  return {
    owns(window) {
      current = window;
    },
  };
}
