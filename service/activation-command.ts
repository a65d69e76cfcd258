import { type AccountState, setActive } from './accounts/deactivation.ts';
import { type Failure, runAccountCommand } from './local-account-command.ts';
import { printLine } from './site/standard-output.ts';

const LAST: Failure = {
  code: 'last-administrator',
  message: 'This is the last administrator. Make somebody else an administrator first.',
};

/** Deactivates an account, or activates it again. Returns the exit code. `command`: how the user started it. */
export function runActivation(
  command: string,
  verb: 'deactivate' | 'reactivate',
  args: readonly string[],
): Promise<number> {
  const isActive = verb === 'reactivate';
  return runAccountCommand<AccountState>(command, args, {
    path: `/${verb}`,
    act: (site, email) => setActive(site, email, isActive),
    check: ({ problem }) => (problem === undefined ? undefined : LAST),
    print: ({ email_address }) =>
      printLine(
        isActive
          ? `${email_address} can sign in again.`
          : `${email_address} can’t sign in any more, and is signed out.`,
      ),
    record: ({ email_address, is_active }) => ({ email_address, is_active }),
  });
}
