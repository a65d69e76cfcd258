import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appError } from '../../../shared/contract/app-error.ts';
import { renameFileNow } from '../../engine/ports/system/rename-file.ts';

/** The id of the app: the name of its desktop file. */
const APP_ID = 'org.mediadesk.Mediadesk';
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

/** Returns a value for `Exec` of a desktop file: quoted, with the characters escaped that have a meaning there. */
function execArgument(text: string): string {
  const quoted = text.replace(/[\\"`$]/g, (sign) => `\\${sign}`).replaceAll('%', '%%');
  // The string is escaped once more as the value of a key.
  return `"${quoted.replaceAll('\\', '\\\\')}"`;
}

/** Returns the contents of the desktop file that starts a command at login. */
export function autostartEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Mediadesk',
    'Comment=Uploads recordings to a media library',
    `Exec=${command.map(execArgument).join(' ')}`,
    `Icon=${APP_ID}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** The registration on Linux: a file in the autostart folder of the desktop. */
export function linuxStartAtLogin(env: NodeJS.ProcessEnv, home: string, command: readonly string[]): StartAtLogin {
  const file = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'autostart', `${APP_ID}.desktop`);
  const text = () => {
    try {
      return existsSync(file) ? readFileSync(file, 'utf8') : null;
    } catch {
      // A file that can't be read starts nothing: the login is not registered. `set` reports why it can't be written.
      return null;
    }
  };
  const write = () => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, autostartEntry(command), { mode: 0o644 });
      renameFileNow(`${file}.new`, file);
    } catch (cause) {
      throw appError('desktop.login-not-registered', { details: { path: file }, cause });
    }
  };
  const isOn = () => {
    const lines = text()?.split('\n') ?? null;
    return lines !== null && !lines.includes('Hidden=true') && !lines.includes('X-GNOME-Autostart-enabled=false');
  };
  return {
    state: () => ({ isOn: isOn(), file }),
    set(on) {
      if (on) return write();
      try {
        rmSync(file, { force: true });
      } catch (cause) {
        throw appError('desktop.login-not-registered', { details: { path: file }, cause });
      }
    },
    refresh() {
      if (isOn() && text() !== autostartEntry(command)) write();
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
