import type { MenuItemConstructorOptions } from 'electron';
import { texts } from '../texts.ts';
import type { Activity } from './activity.ts';
import { statusLine } from './status-line.ts';

/** What the icon in the tray can do. */
export interface TrayCommands {
  show(): void;
  setPaused(isPaused: boolean): void;
  setQuitWhenFinished(isOn: boolean): void;
  quit(): void;
}

/** What the menu of the icon shows. */
export interface TrayState {
  activity: Activity;
  quitsWhenFinished: boolean;
}

/**
 * Returns the menu of the icon as a plain value. Each of its commands is in the window, too. Some desktops lose clicks on the icon, so
 * what a click does is here as well.
 */
export function trayMenu(
  { activity, quitsWhenFinished }: TrayState,
  options: TrayCommands,
): MenuItemConstructorOptions[] {
  const words = texts.tray;
  const { isPaused } = activity;
  return [
    { id: 'status', label: statusLine(activity), enabled: false },
    { type: 'separator' },
    { id: 'show', label: words.show, click: options.show },
    { id: 'pause', label: isPaused ? words.resume : words.pause, click: () => options.setPaused(!isPaused) },
    { type: 'separator' },
    {
      id: 'quit-when-finished',
      label: texts.menu.quitWhenFinished,
      type: 'checkbox',
      checked: quitsWhenFinished,
      click: () => options.setQuitWhenFinished(!quitsWhenFinished),
    },
    { id: 'quit', label: texts.menu.quit, click: options.quit },
  ];
}
