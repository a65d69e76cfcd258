import { app, type BrowserWindow } from 'electron';
import { reveal } from './windows.ts';

export interface SingleInstance {
  /** Says which window to bring forward when someone starts Mediadesk again. */
  owns(window: () => BrowserWindow | null): void;
}

/**
 * Makes this process the only one of its profile, or returns null when there is one already; that one then comes
 * forward. What the second start was given on its command line is not looked at: any program may have sent it.
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
