import { Menu, nativeImage, Tray } from 'electron';
import type { Clock } from '../../engine/ports/clock.ts';
import { texts } from '../texts.ts';
import { statusLine } from './status-line.ts';
import { type TrayCommands, type TrayState, trayMenu } from './tray-menu.ts';

export interface TrayOptions extends TrayCommands {
  iconFile: string;
  clock: Clock;
}

export interface TrayIcon {
  update(state: TrayState): void;
  destroy(): void;
}

/** Some desktops miss changes of a menu that follow each other quickly. */
const UPDATE_EVERY_MS = 1000;

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
