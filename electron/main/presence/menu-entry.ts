import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appError } from '../../../shared/contract/app-error.ts';
import { LINK_SCHEME } from '../../../shared/model/app-link.ts';
import { APP_ID, desktopEntry, readEntry, removeEntry, writeEntry } from './desktop-entry.ts';

/** The registration of an AppImage with the desktop, which no package made: the entry in the menu, and the links. */
export interface DesktopMenuEntry {
  /** What is registered, read from the system. */
  state(): { isOn: boolean; file: string };
  /** Throws `desktop.entry-not-registered`. */
  set(isOn: boolean): Promise<void>;
  /** Corrects the entry after the AppImage was moved. Does nothing when there is none. */
  refresh(): void;
}

export interface MenuEntryOptions {
  env: NodeJS.ProcessEnv;
  home: string;
  appImage: string;
  /** A picture of 256 pixels. */
  iconFile: string;
  /** Makes an entry the default for the kind of links: `xdg-mime` of the desktop. */
  makeDefault(entry: string, mimeType: string): Promise<void>;
}

/** Registers an AppImage for this user. */
export function appImageMenuEntry({ env, home, appImage, iconFile, makeDefault }: MenuEntryOptions): DesktopMenuEntry {
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share');
  const file = join(data, 'applications', `${APP_ID}.desktop`);
  const icon = join(data, 'icons', 'hicolor', '256x256', 'apps', `${APP_ID}.png`);
  const links = `x-scheme-handler/${LINK_SCHEME}`;
  const keys = { GenericName: 'Media Library Uploader', Categories: 'AudioVideo;Audio;Video;', MimeType: `${links};` };
  const text = desktopEntry([appImage], { ...keys, StartupWMClass: APP_ID }, ['%U']);
  return {
    state: () => ({ isOn: readEntry(file) !== null, file }),
    async set(isOn) {
      try {
        if (!isOn) {
          removeEntry(file);
          return removeEntry(icon);
        }
        mkdirSync(dirname(icon), { recursive: true, mode: 0o700 });
        copyFileSync(iconFile, icon);
        writeEntry(file, text);
        await makeDefault(`${APP_ID}.desktop`, links);
      } catch (cause) {
        throw appError('desktop.entry-not-registered', { details: { path: file }, cause });
      }
    },
    refresh() {
      const present = readEntry(file);
      if (present !== null && present !== text) writeEntry(file, text);
    },
  };
}
