import { LINK_HOURS } from './accounts/links.ts';
import { lastBaseUrl, type ResetLink, resetLink } from './accounts/reset-link.ts';
import { runAccountCommand } from './local-account-command.ts';
import { printLine } from './site/standard-output.ts';

/** Makes a one-time link for a user who is locked out. Returns the exit code. `command`: how the user started it. */
export function runResetLink(command: string, args: readonly string[]): Promise<number> {
  return runAccountCommand<ResetLink>(command, args, {
    path: '/reset-link',
    async act(site, email) {
      const baseUrl = await lastBaseUrl(site.store);
      if (baseUrl !== undefined) return await resetLink(site, baseUrl, email);
      return {
        code: 'no-base-url',
        message: 'The service has never run on this library. Start it, then run the command.',
      };
    },
    print: ({ link }) => printLine(link),
    record: (result) => ({ ...result, hours: LINK_HOURS }),
  });
}
