import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ask } from '../../../shared/contract/desktop.ts';
import { HIDDEN_ARGUMENT } from './start-at-login.ts';

/** The scheme of links that Mediadesk opens. */
const LINK_SCHEME = 'mediadesk';
const LONGEST_LINK = 2048;
/** Ids of the library are short; anything else in a link is no id. */
const ID = /^[\w-]{1,64}$/;
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
      const ask = readLink(argument);
      if (ask !== null) asks.push(ask);
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
  try {
    const url = new URL(address);
    return url.host === '' ? fileURLToPath(url, { windows: platform === 'win32' }) : null;
  } catch {
    return null;
  }
}

/**
 * Reads `mediadesk://open?library=https://media.example.org&item=123` (or `collection=`). Null: the link is not of this form; it has
 * no effect.
 */
export function readLink(link: string): Ask | null {
  if (link.length > LONGEST_LINK || !URL.canParse(link)) return null;
  const { protocol, host, pathname, searchParams } = new URL(link);
  if (protocol !== `${LINK_SCHEME}:` || host !== 'open' || (pathname !== '' && pathname !== '/')) return null;
  const library = searchParams.get('library') ?? '';
  if (!URL.canParse(library)) return null;
  const { protocol: scheme, origin, username, password } = new URL(library);
  if ((scheme !== 'https:' && scheme !== 'http:') || username !== '' || password !== '') return null;
  for (const target of ['item', 'collection'] as const) {
    const id = searchParams.get(target);
    if (id !== null && ID.test(id)) return { kind: 'open', baseUrl: origin, target, id };
  }
  return null;
}
