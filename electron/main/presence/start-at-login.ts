import { join } from 'node:path';
import { appError } from '../../../shared/contract/app-error.ts';
import { APP_ID, desktopEntry, readEntry, removeEntry, writeEntry } from './desktop-entry.ts';

/** The argument with which the system starts Mediadesk at login: without a window. */
export const HIDDEN_ARGUMENT = '--hidden';

/** The registration of the start at login. */
export interface StartAtLogin {
  /** What is registered, read from the system. */
  state(): { isOn: boolean; file: string | null };
  /** Throws `desktop.login-not-registered`. */
  set(isOn: boolean): void;
  /** Corrects the registration after the program was moved. Does nothing when it is off. */
  refresh(): void;
}

/** Returns the contents of the desktop file that starts a command at login. */
export function autostartEntry(command: readonly string[]): string {
  return desktopEntry(command, { 'X-GNOME-Autostart-enabled': 'true' });
}

/** The registration on Linux: a file in the autostart folder of the desktop. */
export function linuxStartAtLogin(env: NodeJS.ProcessEnv, home: string, command: readonly string[]): StartAtLogin {
  const file = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'autostart', `${APP_ID}.desktop`);
  const write = () => {
    try {
      writeEntry(file, autostartEntry(command));
    } catch (cause) {
      throw appError('desktop.login-not-registered', { details: { path: file }, cause });
    }
  };
  const isOn = () => {
    const lines = readEntry(file)?.split('\n') ?? null;
    return lines !== null && !lines.includes('Hidden=true') && !lines.includes('X-GNOME-Autostart-enabled=false');
  };
  return {
    state: () => ({ isOn: isOn(), file }),
    set(on) {
      if (on) return write();
      try {
        removeEntry(file);
      } catch (cause) {
        throw appError('desktop.login-not-registered', { details: { path: file }, cause });
      }
    },
    refresh() {
      if (isOn() && readEntry(file) !== autostartEntry(command)) write();
    },
  };
}

/** What Windows and macOS offer for it: `app` of Electron. */
export interface LoginItems {
  getLoginItemSettings(options: { args: string[] }): { openAtLogin: boolean };
  setLoginItemSettings(settings: { openAtLogin: boolean; args: string[] }): void;
}

/** The registration on Windows and macOS. */
export function systemStartAtLogin(items: LoginItems, args: readonly string[]): StartAtLogin {
  const state = () => ({ isOn: items.getLoginItemSettings({ args: [...args] }).openAtLogin, file: null });
  return {
    state,
    set(isOn) {
      items.setLoginItemSettings({ openAtLogin: isOn, args: [...args] });
      if (state().isOn !== isOn) throw appError('desktop.login-not-registered');
    },
    refresh: () => undefined,
  };
}
