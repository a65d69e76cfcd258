import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { Clock } from '../../engine/ports/clock.ts';
import { texts } from '../texts.ts';
import type { Activity } from './activity.ts';
import { statusLine } from './status-line.ts';

export interface TrayOptions {
  iconFile: string;
  clock: Clock;
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

export interface TrayIcon {
  update(state: TrayState): void;
  destroy(): void;
}

/** Some desktops miss changes of a menu that follow each other quickly. */
const UPDATE_EVERY_MS = 1000;

/** Returns the menu of the icon as a plain value. Each of its commands is in the window's menu, too. */
export function trayMenu(
  { activity, quitsWhenFinished }: TrayState,
  options: Pick<TrayOptions, 'show' | 'setPaused' | 'setQuitWhenFinished' | 'quit'>,
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

/** Shows the icon in the tray, or in the menu bar of a Mac. Its menu changes at most once a second. */
export function showTrayIcon(options: TrayOptions, first: TrayState): TrayIcon {
  const image = nativeImage.createFromPath(options.iconFile);
  const tray = new Tray(image);
  let state = first;
  let drawn = '';
  let cancel: (() => void) | null = null;
  const draw = () => {
    const { activity, quitsWhenFinished } = state;
    const line = statusLine(activity);
    const next = JSON.stringify([line, activity.isPaused, quitsWhenFinished]);
    if (next === drawn) return;
    drawn = next;
    tray.setToolTip(`${texts.dialogs.title}: ${line}`);
    // Linux shows changed items only of a menu that is set again.
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(state, options)));
  };
  draw();
  tray.on('click', options.show);
  return {
    update(next) {
      state = next;
      cancel ??= options.clock.schedule(UPDATE_EVERY_MS, () => {
        cancel = null;
        draw();
      });
    },
    destroy() {
      cancel?.();
      tray.destroy();
    },
  };
}
