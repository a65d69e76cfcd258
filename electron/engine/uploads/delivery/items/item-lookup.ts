import type { MediaListQuery } from '../../../../../shared/api/media.ts';
import { type AppError, appError } from '../../../../../shared/contract/app-error.ts';
import { isoOf } from '../../../../../shared/model/iso-instant.ts';
import type { MayExistDetails } from '../../../../../shared/model/offered-items.ts';
import { AGREEMENT, type LongestTitle, longestOf, titleAgreement } from '../../../../../shared/model/title-match.ts';
import type { Upload } from '../../../../../shared/model/uploads/upload.ts';
import { isEnded } from '../../../../../shared/model/uploads/upload-states.ts';
import { hasFiles } from '../../../api/files.ts';
import { type ListedMedia, listMediaWithFiles } from '../../../api/media.ts';
import {
  CLOCK_SKEW_MS,
  CLOCK_SLACK_MS,
  LATE_EFFECT_MS,
  LISTED_AFTER_MS,
  WRITE_TIMEOUT_MS,
} from '../../../api/request-times.ts';
import { DONE, pollAgain, type StepResult } from '../../../scheduler/job-result.ts';
import { decideItem, type ItemCandidate, type ItemDecision } from './item-candidates.ts';
import type { ItemTools } from './item-tools.ts';

/** When searches have missed an item for this long, counted from the first of them, it was not created. */
const ABSENT_AFTER_MS = LATE_EFFECT_MS + LISTED_AFTER_MS;
/** The interval of searches while the item may belong to another creation. */
const OTHER_UPLOAD_WAIT_MS = 1000;
const FIRST_LOOK_MS = 1000;
const LONGEST_LOOK_MS = 15_000;
/** How long after the intent a creation can take effect. */
const TAKES_EFFECT_MS = WRITE_TIMEOUT_MS + LATE_EFFECT_MS;
/** The maximum number of checked items whose title does not match: one without files is enough to require a decision. */
const MOST_ASKED = 10;

/**
 * Finds out whether an item with an unanswered creation exists, and uses it. Waits while that can't be known. Throws
 * `upload.may-exist` when the user has to decide. An ended upload uses only an item that can be removed; if other users
 * have worked on it, `upload.may-exist` keeps the intent for a later retry.
 */
export async function lookUpItem(upload: Upload, intendedAt: number, tools: ItemTools): Promise<StepResult> {
  const { journal, store, clock, unanswered } = tools;
  // Measured before the search: a slow list may show the library as it was when the list was requested.
  const lookedAt = clock.monotonic();
  const decision = await findItem(upload, intendedAt, tools, isEnded(upload.state) ? 'removable' : 'any');
  if (decision.kind === 'wait') return pollAgain(OTHER_UPLOAD_WAIT_MS);
  if (decision.kind === 'adopt') {
    // Another upload may have got the item in the meantime.
    if (store.ownsMedia(upload.siteId, decision.mediaId)) return pollAgain(OTHER_UPLOAD_WAIT_MS);
    unanswered.settled(upload);
    journal.record(upload.id, { kind: 'item-created', mediaId: decision.mediaId });
    return DONE;
  }
  // Measured by the monotonic clock since the first search of this process, because the wall clock may have been set.
  const age = unanswered.missedForMs(upload, lookedAt);
  if (age < ABSENT_AFTER_MS) {
    const nextLook = Math.min(Math.max(age, FIRST_LOOK_MS), LONGEST_LOOK_MS);
    return pollAgain(Math.min(nextLook, ABSENT_AFTER_MS - age));
  }
  if (decision.kind === 'ask') throw mayExist(decision.candidates);
  // The library answered that it created one: another would be a second item.
  if (upload.itemAnsweredAt !== null) throw mayExist([]);
  if (isEnded(upload.state)) {
    const inUse = await findItem(upload, intendedAt, tools);
    if (inUse.kind === 'wait') return pollAgain(OTHER_UPLOAD_WAIT_MS);
    // The intent stays: without it, a retry would create a second item beside one that other users have worked on.
    if (inUse.kind !== 'none') throw mayExist(inUse.kind === 'ask' ? inUse.candidates : []);
  }
  unanswered.settled(upload);
  journal.record(upload.id, { kind: 'item-absent' });
  return DONE;
}

/**
 * Returns the item that the upload created at `intendedAt`, as far as the library shows it now. `removable`: only
 * drafts without a description count, because the item will be removed.
 */
export async function findItem(
  upload: Upload,
  intendedAt: number,
  tools: ItemTools,
  which: 'any' | 'removable' = 'any',
): Promise<ItemDecision> {
  const { store, unanswered } = tools;
  const { siteId, collectionId, id, title } = upload;
  const mine = { id, title, intendedAt, isRunning: false };
  const others = store
    .openCreations(siteId, collectionId)
    .filter((each) => each.id !== id)
    .map((each) => ({ ...each, isRunning: unanswered.isRunning(each.id) }));
  const listed = new Map<string, ListedMedia>();
  let decision: ItemDecision = { kind: 'none' };
  // Some lists contain drafts only when requested.
  for (const status of [{}, { status: 'draft' }]) {
    await listInto(listed, upload, intendedAt, status, tools);
    const items = [...listed.values()].filter((item) => which === 'any' || isUntouched(item));
    const candidates = await candidatesOf(upload, intendedAt, items, longestOf(titlesOf(listed)), tools);
    decision = decideItem(mine, others, candidates, titlesOf(listed));
    if (decision.kind === 'adopt' || decision.kind === 'wait') break;
  }
  return decision;
}

async function listInto(
  listed: Map<string, ListedMedia>,
  { collectionId, itemIntentServerAt }: Upload,
  intendedAt: number,
  status: Pick<MediaListQuery, 'status'>,
  { client, signal }: ItemTools,
): Promise<void> {
  const createdAfter = isoOf((itemIntentServerAt ?? intendedAt) - CLOCK_SKEW_MS);
  const query = { collection_id: collectionId, created_after: createdAfter, sort: 'created_on', ...status } as const;
  for await (const item of listMediaWithFiles(client, query, signal)) {
    // Not every service supports the filter.
    if (item.collection_id === collectionId) listed.set(item.id, item);
  }
}

const titlesOf = (listed: ReadonlyMap<string, ListedMedia>) => [...listed.values()].map(({ title }) => title);

/** Returns whether an item is as an upload creates it: no other user has published or described it. */
const isUntouched = ({ status, description }: ListedMedia) => status === 'draft' && !description;

/** Returns the items that can belong to the upload: created at the same time, by no other upload or edit, and without files. */
async function candidatesOf(
  upload: Upload,
  intendedAt: number,
  listed: readonly ListedMedia[],
  longest: LongestTitle,
  tools: ItemTools,
): Promise<ItemCandidate[]> {
  const { store, client, signal, isOfEdit } = tools;
  const { siteId } = upload;
  const candidates: ItemCandidate[] = [];
  let strangers = 0;
  for (const item of listed) {
    const when = timeOf(item, upload, intendedAt);
    if (when === 'other' || (item.files?.length ?? 0) > 0) continue;
    if (store.ownsMedia(siteId, item.id) || isOfEdit(siteId, item.id)) continue;
    const isExplained = titleAgreement(upload.title, item.title, longest) > AGREEMENT.none;
    if (!isExplained && (when === 'far' || strangers >= MOST_ASKED)) continue;
    if ((await hasFiles(client, item.id, signal)) !== false) continue;
    if (!isExplained) strangers += 1;
    candidates.push({ id: item.id, title: item.title, createdOn: item.created_on, isNear: when === 'near' });
  }
  return candidates;
}

/**
 * Compares the creation times of an item and the upload. `near`: within minutes by the service's clock if known, otherwise within
 * a day by ours. `far`: only possible if a clock is wrong by hours. `other`: more than a day before the upload's intent, so that
 * it can't be the upload's item.
 */
function timeOf(
  { created_on }: ListedMedia,
  { itemIntentServerAt }: Upload,
  intendedAt: number,
): 'near' | 'far' | 'other' {
  const createdAt = Date.parse(created_on ?? '');
  if (Number.isNaN(createdAt)) return 'near';
  const sinceMs = createdAt - (itemIntentServerAt ?? intendedAt);
  if (sinceMs < -CLOCK_SKEW_MS) return 'other';
  if (itemIntentServerAt === null) return sinceMs <= CLOCK_SKEW_MS ? 'near' : 'far';
  return sinceMs >= -CLOCK_SLACK_MS && sinceMs <= TAKES_EFFECT_MS + CLOCK_SLACK_MS ? 'near' : 'far';
}

function mayExist(candidates: readonly ItemCandidate[]): AppError {
  const items = candidates.map(({ id, title, createdOn }) => ({ id, title, createdOn }));
  return appError('upload.may-exist', { details: { items } satisfies MayExistDetails });
}
