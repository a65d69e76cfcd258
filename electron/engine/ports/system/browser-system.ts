import { spawn } from 'node:child_process';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { BrowserOpener } from '../browser-opener.ts';
import type { Clock } from '../clock.ts';

export interface SystemBrowserOptions {
  platform: string;
  clock: Clock;
  /** A program that opens addresses, for tests: its name and the arguments before the address. */
  command?: readonly [string, ...string[]];
}

/** An opener without a browser fails within this time; an opener that runs longer is the browser itself. */
const FAILS_WITHIN_MS = 3000;

/**
 * The user's default browser. The address must be http(s), and is one argument of a program, never part of a command
 * line. Throws `sign-in.failed` when no browser starts.
 */
export function createSystemBrowser(options: SystemBrowserOptions): BrowserOpener {
  return {
    async open(url) {
      await launch(options, checkedUrl(url));
      return { close: () => {} };
    },
  };
}

/** Opens no browser: the address is only announced (`onDidChangeSignIn`), for a user who opens it in any browser. */
export const noBrowser: BrowserOpener = { open: async () => ({ close: () => {} }) };

function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username + url.password !== '') {
    throw appError('input.invalid', { details: { reason: 'only web addresses are opened' } });
  }
  return url.href;
}

function commandOf(platform: string): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  // `start` is a shell command, and a shell interprets & and % in addresses; rundll32 is the program that it calls.
  if (platform === 'win32') return ['rundll32.exe', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

function launch(options: SystemBrowserOptions, url: string): Promise<void> {
  const [program, ...args] = options.command ?? commandOf(options.platform);
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      cancel();
      reject(
        appError('sign-in.failed', {
          message: 'Mediadesk couldn’t open a web browser.',
          details: { program, reason },
        }),
      );
    };
    const cancel = options.clock.schedule(FAILS_WITHIN_MS, resolve);
    const child = spawn(program, [...args, url], { detached: true, shell: false, stdio: 'ignore', windowsHide: true });
    child.once('error', (error: NodeJS.ErrnoException) => fail(error.code ?? 'not started'));
    child.once('exit', (code) => {
      if (code !== 0) return fail(`exit code ${code}`);
      cancel();
      resolve();
    });
    child.unref();
  });
}
