import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { renameFileNow } from '../../engine/ports/system/rename-file.ts';

/** The id of the app: the name of its desktop entries and of its icon. */
export const APP_ID = 'org.mediadesk.Mediadesk';

/** Returns a value for `Exec` of a desktop entry: quoted, with the characters escaped that have a meaning there. */
function execArgument(text: string): string {
  const quoted = text.replace(/[\\"`$]/g, (sign) => `\\${sign}`).replaceAll('%', '%%');
  // The string is escaped once more as the value of a key.
  return `"${quoted.replaceAll('\\', '\\\\')}"`;
}

/**
 * Returns the contents of a desktop entry that starts a command. `parameters`: field codes such as `%U`, which stay as they are;
 * `keys`: what else the entry says.
 */
export function desktopEntry(
  command: readonly string[],
  keys: Readonly<Record<string, string>>,
  parameters: readonly string[] = [],
): string {
  const lines = {
    Type: 'Application',
    Name: 'Mediadesk',
    Comment: 'Uploads recordings to a media library',
    Exec: [...command.map(execArgument), ...parameters].join(' '),
    Icon: APP_ID,
    Terminal: 'false',
    ...keys,
  };
  return ['[Desktop Entry]', ...Object.entries(lines).map(([key, value]) => `${key}=${value}`), ''].join('\n');
}

/** Returns the contents of an entry; null: there is none that can be read, so it has no effect. */
export function readEntry(file: string): string | null {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}

/** Writes an entry in one step. Throws the error of the file system. */
export function writeEntry(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, text, { mode: 0o644 });
  renameFileNow(`${file}.new`, file);
}

export function removeEntry(file: string): void {
  rmSync(file, { force: true });
}
