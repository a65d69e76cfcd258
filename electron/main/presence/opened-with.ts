import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ask } from '../../../shared/contract/desktop.ts';
import { LINK_SCHEME, readAppLink } from '../../../shared/model/app-link.ts';
import { HIDDEN_ARGUMENT } from './start-at-login.ts';

/** As many files as a sheet takes at once. */
const MOST_PATHS = 10_000;

/** What a start of the program asks for. */
export interface StartArguments {
  isHidden: boolean;
  asks: Ask[];
}

export interface ArgumentsQuestion {
  /** Without the program. Any program of this user can send them to the running app. */
  args: readonly string[];
  workingDir: string;
  /** Paths that are no files for the library, such as the folder of the app itself. */
  ignored: readonly string[];
}

/** Options of the app whose value is the next argument. */
const WITH_VALUE: readonly string[] = ['--profile'];

/** Reads the arguments of a start. Files are only offered, and a link only changes what the window shows. */
export function readStartArguments({ args, workingDir, ignored }: ArgumentsQuestion): StartArguments {
  const paths: string[] = [];
  const asks: Ask[] = [];
  for (const [index, argument] of args.entries()) {
    if (argument === '' || argument.startsWith('-') || WITH_VALUE.includes(args[index - 1] ?? '')) continue;
    if (isLink(argument)) {
      const place = readAppLink(argument);
      asks.push(place === null ? { kind: 'bad-link' } : { kind: 'open', ...place });
      continue;
    }
    const path = pathOf(argument, workingDir);
    if (path !== null && !ignored.includes(path) && paths.length < MOST_PATHS) paths.push(path);
  }
  if (paths.length > 0) asks.push({ kind: 'add', paths });
  return { isHidden: args.includes(HIDDEN_ARGUMENT), asks };
}

function isLink(argument: string): boolean {
  return argument.slice(0, LINK_SCHEME.length + 1).toLowerCase() === `${LINK_SCHEME}:`;
}

/** Returns the full path of an argument: a path or a `file:` address. */
function pathOf(argument: string, workingDir: string): string | null {
  const path = /^file:/i.test(argument) ? pathOfAddress(argument) : resolve(workingDir, argument);
  return path?.includes('\0') ? null : path;
}

/** Returns the path of a `file:` address on this computer; null for another computer, which Windows would contact. */
export function pathOfAddress(address: string, platform: string = process.platform): string | null {
  const url = URL.parse(address);
  if (url === null || url.host !== '') return null;
  try {
    return fileURLToPath(url, { windows: platform === 'win32' });
  } catch {
    // It has a separator or an end of text in a name: no file can have it.
    return null;
  }
}
