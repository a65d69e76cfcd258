import { type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../shared/contract/errors/error-catalog.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../output/exit-codes.ts';
import { afterCommand } from '../output/next-step.ts';
import { movedCommand } from './watch-text.ts';

/** A line of a station: a problem, or that it is over. */
export interface StationLine {
  subject: string;
  /** null: the problem is over. */
  problem: AppErrorData | null;
  text: string;
}

/**
 * Remembers what is reported about each subject (an account, the profile, a folder), so that each change is reported once.
 */
export class StationReport {
  readonly #tell: (line: StationLine) => void;
  readonly #told = new Map<string, string>();

  constructor(tell: (line: StationLine) => void) {
    this.#tell = tell;
  }

  /** Reports the state of a subject if it changed. `over`: the text when its problem is over. */
  note(subject: string, problem: AppErrorData | null, over: string): void {
    const text = problem === null ? '' : problem.message;
    if ((this.#told.get(subject) ?? '') === text) return;
    this.#told.set(subject, text);
    this.#tell({ subject, problem, text: problem === null ? over : text });
  }
}

/**
 * Returns why nothing can be sent for an account, as far as this computer knows without a request; null when its sign-in is
 * stored and readable. `site` undefined: the account was removed.
 */
export function accountProblem(siteId: string, site: Site | undefined): AppErrorData | null {
  if (site !== undefined && site.state === 'signed-in')
    return site.problem === null ? null : withAccountName(site, site.problem);
  const message = site === undefined ? 'A watched folder uses an account that was removed.' : notSignedIn(site);
  const error = appError('sign-in.required', { message, details: { siteId, url: site?.baseUrl } }).toData();
  return afterCommand(error, 'station-runs');
}

/** Returns a problem of an account with the name of the account and the step for a station. */
export function withAccountName(site: Site, problem: AppErrorData): AppErrorData {
  const message = problem.code === 'sign-in.required' ? notSignedIn(site) : `${nameOf(site)}: ${problem.message}`;
  return afterCommand({ ...problem, message, details: { ...problem.details, siteId: site.id } }, 'station-runs');
}

function notSignedIn(site: Site): string {
  return `You’re not signed in to ${nameOf(site)}, or the library ended the sign-in. Files for this account wait.`;
}

function nameOf({ displayName, accountName }: Site): string {
  return accountName === null ? displayName : `${displayName} as ${accountName}`;
}

/** Returns whether no request of the account can succeed until someone does something on this computer. */
export function needsSomeone({ code }: AppErrorData): boolean {
  const disposition = dispositionOf(code);
  return disposition === 'sign-in' || disposition === 'wait-keychain';
}

/** Returns the exit code of a station that can send nothing. A locked or missing keychain may be there at a later start. */
export function stationExitCode(error: AppErrorData): ExitCode {
  return dispositionOf(error.code) === 'wait-keychain' ? EXIT.notNow : exitCodeOf(error);
}

/** Returns why a folder is not watched; null for a folder that is watched, by events or sweeps, or is paused. */
export function folderProblem({ root, state, notice, movedTo }: WatchedFolder): AppErrorData | null {
  if (state !== 'moved' && state !== 'unusable' && state !== 'waiting-for-drive') return null;
  if (notice === null) return null;
  const place = movedTo === null ? '' : ` Its place now: ${movedTo}.`;
  const nextStep = movedTo === null ? notice.nextStep : movedCommand(root, movedTo);
  return { ...notice, message: `${root}: ${notice.message}${place}`, nextStep };
}
