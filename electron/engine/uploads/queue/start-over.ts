import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/uploads/upload.ts';
import { isEnded, OPEN_UPLOAD_STATES, type UploadState } from '../../../../shared/model/uploads/upload-states.ts';
import type { Clock } from '../../ports/clock.ts';
import { mayHaveLeft } from '../delivery/planner.ts';
import type { FollowUpRows } from '../journal/follow-up-rows.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';

export interface StartOverTools {
  store: Pick<UploadStore, 'get' | 'select' | 'uncleaned'>;
  rows: Pick<FollowUpRows, 'dueAtSites'>;
  journal: Pick<UploadJournal, 'record'>;
  clock: Pick<Clock, 'now'>;
  /** Whether the collection of an upload is still the one that the user chose. */
  hasCollection(upload: Upload): Promise<boolean>;
}

/** The number of uploads that start over, and of those that failed in whole or in part. */
export interface StartedOver {
  restarted: number;
  failed: number;
}

const WITH_PLACES: readonly UploadState[] = [...OPEN_UPLOAD_STATES, 'failed'];
/** Uploads between two turns of the event loop. */
const SLICE = 50;

/**
 * Makes all uploads of a site forget the ids that its library gave them: after a restore they may belong to other items and files.
 * Nothing of it may run. What was uploaded before the restore and survived it stays in the library, and is not removed.
 */
export async function startOver(siteId: string, error: AppErrorData, tools: StartOverTools): Promise<StartedOver> {
  const { store, rows, journal, clock } = tools;
  const ids = new Set([
    ...store.select('all', WITH_PLACES),
    ...store.uncleaned(),
    ...rows.dueAtSites(Number.MAX_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER, [siteId]),
  ]);
  const count: StartedOver = { restarted: 0, failed: 0 };
  let looked = 0;
  for (const id of ids) {
    looked += 1;
    if (looked % SLICE === 0) await nextTurn();
    const upload = store.get(id);
    if (upload === null || upload.siteId !== siteId) continue;
    const events = startOverEvents(upload, error, clock.now());
    const goesOn = !isEnded(upload.state) && !events.some(({ kind }) => kind === 'failed');
    if (goesOn && !(await tools.hasCollection(upload))) events.push({ kind: 'failed', error, at: clock.now() });
    for (const event of events) journal.record(id, event);
    if (events.some(({ kind }) => kind === 'failed' || kind === 'follow-up-failed')) count.failed += 1;
    else if (events.some(({ kind }) => kind === 'item-gone')) count.restarted += 1;
  }
  return count;
}

/** Returns the events after which an upload refers to no id of its library, except as the user chose it. */
function startOverEvents(upload: Upload, error: AppErrorData, at: number): UploadEvent[] {
  const { state, addition } = upload;
  const isComplete = state === 'complete';
  const followUps = upload.followUps.flatMap(({ state: its, fileId, intentAt }, index): UploadEvent[] =>
    (isComplete && its === 'failed') || (its === 'pending' && (isComplete || fileId !== null || intentAt !== null))
      ? [{ kind: 'follow-up-failed', index, error }]
      : [],
  );
  if (isComplete) return followUps;
  const hasPlace = mayHaveLeft(upload) || upload.fileId !== null || upload.fileIntentAt !== null;
  if (state === 'cancelled' || state === 'skipped') return mayHaveLeft(upload) ? [{ kind: 'cleaned-up' }] : [];
  // The user chose the item of an addition: only the user knows whether it is still the same.
  if (addition !== null) {
    const dropped: UploadEvent[] = hasPlace ? [{ kind: 'file-dropped' }] : [];
    return state === 'failed' ? dropped : [...dropped, ...followUps, { kind: 'failed', error, at }];
  }
  // The next item gets captions, thumbnail and tags again.
  return hasPlace ? [{ kind: 'item-gone' }] : followUps;
}
