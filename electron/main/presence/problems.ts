import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { ShownPlace } from '../../../shared/contract/desktop.ts';
import { dispositionOf } from '../../../shared/contract/errors/error-catalog.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { UploadRow, UploadTotals } from '../../../shared/contract/uploads.ts';
import type { WorkFacts } from './activity.ts';
import type { OpenProblem } from './notice-planner.ts';

export interface ProblemFacts extends Pick<WorkFacts, 'totals' | 'edits' | 'folders'> {
  sites: readonly Pick<Site, 'id' | 'state'>[];
  /** Why the profile can't be written; null when it can. */
  storeProblem: AppErrorData | null;
  /** Accounts with uploads that wait for a drive. */
  sitesWithoutDrive: readonly string[];
}

const UPLOADS: ShownPlace = { view: 'uploads', batchId: null, tab: 'all' };
const at = (view: ShownPlace['view']): ShownPlace => ({ ...UPLOADS, view });

/** Returns what needs a person now. What continues by itself, such as a lost network, is none of it. */
export function openProblems(facts: ProblemFacts): OpenProblem[] {
  const { totals, edits, sites, folders, storeProblem, sitesWithoutDrive } = facts;
  return [
    ...sites
      .filter(({ state }) => state === 'needs-sign-in')
      .map(({ id }): OpenProblem => ({ key: `sign-in:${id}`, kind: 'sign-in', count: 1, place: at('accounts') })),
    ...(storeProblem === null ? [] : [{ key: 'disk', kind: 'disk', count: 1, place: UPLOADS } satisfies OpenProblem]),
    ...blocked(totals),
    ...counted('decision', totals?.duplicates ?? 0, { ...UPLOADS, tab: 'needs-decision' }),
    ...sitesWithoutDrive.map((id): OpenProblem => ({ key: `drive:${id}`, kind: 'drive', count: 1, place: UPLOADS })),
    ...folders
      .filter(({ state }) => state === 'moved' || state === 'unusable')
      .map(({ id }): OpenProblem => ({ key: `folder:${id}`, kind: 'folder', count: 1, place: at('watched') })),
    ...counted('edits', (edits?.conflict ?? 0) + (edits?.refused ?? 0), at('edits')),
  ];
}

function counted(kind: 'decision' | 'edits', count: number, place: ShownPlace): OpenProblem[] {
  return count === 0 ? [] : [{ key: kind, kind, count, place }];
}

/** The queue is blocked until someone acts. A sign-in and a full disk have problems of their own. */
function blocked(totals: UploadTotals | null): OpenProblem[] {
  const error = totals?.blockedBy ?? null;
  return error !== null && dispositionOf(error.code) === 'ask'
    ? [{ key: 'queue', kind: 'queue', count: 1, place: UPLOADS }]
    : [];
}

/** Returns whether an upload waits for its drive. */
export function waitsForDrive({ state, error }: Pick<UploadRow, 'state' | 'error'>): boolean {
  return state === 'waiting' && error !== null && dispositionOf(error.code) === 'wait-disk';
}
