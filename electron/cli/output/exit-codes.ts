import type { AppErrorData } from '../../../shared/contract/app-error.ts';

/** The exit codes of the process. */
export const EXIT = {
  /** Everything that the command line requested is complete. */
  complete: 0,
  /** Some uploads or edits failed, were skipped, or still wait; or the command ended with an error that has no other code. */
  incomplete: 1,
  /** The command line was not understood. */
  usage: 2,
  notSignedIn: 3,
  profileInUse: 4,
  /** The drive of the profile is full, or a station’s keychain is locked or missing: a later start may succeed. */
  notNow: 5,
  /** Ended by Ctrl-C: 128 + the number of the signal, as in shells. */
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Returns the exit code for an error that ended a command. */
export function exitCodeOf(error: Pick<AppErrorData, 'code'>): ExitCode {
  if (error.code === 'profile.in-use') return EXIT.profileInUse;
  if (error.code === 'profile.disk-full') return EXIT.notNow;
  if (error.code === 'input.invalid' || error.code.startsWith('site.address-')) return EXIT.usage;
  if (error.code.startsWith('sign-in.') || error.code === 'site.unknown') return EXIT.notSignedIn;
  return EXIT.incomplete;
}
