import type { History } from '../history.ts';
import {
  collectionIsKnownFirst,
  commandsAreObeyed,
  heldUploadsBeginNothing,
  noFaultOfOurs,
  singleFlight,
} from './conduct.ts';
import {
  captionsOnce,
  followUpsAreTrue,
  noFileIsLost,
  noHalfCopyIsLeft,
  sidecarsKeepTheirEndings,
  sourceIsSafe,
} from './follow-ups.ts';
import {
  cancelledIsTrue,
  completeIsTrue,
  hashIsKept,
  noDuplicateItem,
  noForeignItem,
  noOrphanItem,
  noSharedItem,
  oneOriginalPerItem,
  sameBytes,
} from './library.ts';
import { onlyTheSameFileIsFollowed, presentFilesAreFound, sameContentsOnce } from './local-files.ts';
import { orderIsKept, pausesAreKept } from './order.ts';
import { databaseIsSound, everythingEnds, noUploadIsLost } from './queue.ts';
import { scatteredErrorsAreCheap } from './scattered-errors.ts';
import {
  accountFaultFailsNothing,
  exactSchedule,
  gatesAreClosedWithReason,
  maintenanceIsLeftAlone,
  noStarvation,
  outagesUseNoRetries,
  refusalsAreNotRetried,
  retryAfterIsKept,
  stallsHaveAReason,
} from './schedule.ts';
import { progressIsTrue, receiptsAddUp, totalsAddUp } from './shown.ts';
import {
  abandonedRecordingsAreShown,
  awayIsNotGone,
  onlyFinishedRecordingsArrive,
  recordingsAreQueuedInTime,
  recordingsAreQueuedOnce,
  recordingsArriveOnce,
} from './watched-folder.ts';

export interface Violation {
  rule: string;
  text: string;
}

/** A rule for one history: returns a sentence for each violation. */
export type Rule = (history: History) => string[];

/** The rules for every history, whatever failed in it. */
export const RULES: readonly Rule[] = [
  noUploadIsLost,
  everythingEnds,
  databaseIsSound,
  noDuplicateItem,
  noForeignItem,
  noOrphanItem,
  noSharedItem,
  oneOriginalPerItem,
  completeIsTrue,
  cancelledIsTrue,
  sameBytes,
  hashIsKept,
  sameContentsOnce,
  presentFilesAreFound,
  onlyTheSameFileIsFollowed,
  progressIsTrue,
  totalsAddUp,
  receiptsAddUp,
  outagesUseNoRetries,
  exactSchedule,
  retryAfterIsKept,
  scatteredErrorsAreCheap,
  refusalsAreNotRetried,
  maintenanceIsLeftAlone,
  accountFaultFailsNothing,
  gatesAreClosedWithReason,
  stallsHaveAReason,
  noStarvation,
  singleFlight,
  commandsAreObeyed,
  heldUploadsBeginNothing,
  collectionIsKnownFirst,
  orderIsKept,
  pausesAreKept,
  noFaultOfOurs,
  sourceIsSafe,
  noFileIsLost,
  sidecarsKeepTheirEndings,
  noHalfCopyIsLeft,
  captionsOnce,
  followUpsAreTrue,
  recordingsArriveOnce,
  onlyFinishedRecordingsArrive,
  recordingsAreQueuedOnce,
  recordingsAreQueuedInTime,
  awayIsNotGone,
  abandonedRecordingsAreShown,
];

export function checkHistory(history: History): Violation[] {
  return RULES.flatMap((rule) => rule(history).map((text) => ({ rule: rule.name, text })));
}
