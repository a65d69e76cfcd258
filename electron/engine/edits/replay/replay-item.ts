import { htmlToText, WORDS } from '../../../../shared/api/html-text.ts';
import type { MediaItem } from '../../../../shared/api/media.ts';
import { type AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { EditValue } from '../../../../shared/contract/edits.ts';
import { canonicalText } from '../../../../shared/model/edits/canonical.ts';
import { type AnyOp, isDeletion } from '../../../../shared/model/edits/collection-ops.ts';
import {
  type EditableMedia,
  type EditOp,
  editableOf,
  type FileOp,
  isBetween,
  isFileOp,
} from '../../../../shared/model/edits/edit-ops.ts';
import { type Coalesced, coalesce } from '../../../../shared/model/edits/fold.ts';
import { changesSince, type Difference } from '../../../../shared/model/edits/seen-item.ts';
import { fieldValueOf, netVerdictOf, rebased, verdictOf } from '../../../../shared/model/edits/verdicts.ts';
import { outcomeOf, tookNoEffect } from '../../api/classify.ts';
import { existing } from '../../api/existing.ts';
import type { SiteClient } from '../../api/http-client.ts';
import {
  addTags,
  deleteMedia,
  getMedia,
  publishMedia,
  removeTags,
  unpublishMedia,
  updateMedia,
} from '../../api/media.ts';
import { reasonOfRefusal } from '../../api/refused-right.ts';
import { serviceInstant } from '../../library/items/media-row.ts';
import { publishNow } from '../../library/items/publish-now.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OpOutcome } from '../journal/edit-row.ts';
import { sendFileOp } from './file-writes.ts';
import { type Attempt, momentOf, sendInOrder, type Write, whileOutdated } from './send-in-order.ts';
import { type MayBeOwn, type OtherBases, withOtherBases } from './unanswered.ts';

/** The result of a replay for one op. `asks` without `theirs`: its publish time has passed. */
export interface OpResult {
  outcome: OpOutcome | null;
  asks?: boolean;
  theirs?: EditValue;
  wrote?: EditValue;
  /** If the op asks and represents several ops on one value: the op with the base of the first of them. */
  op?: AnyOp;
  /** If the op asks: the op with the library's current value as its base. */
  seen?: AnyOp;
  /** If a deletion of an item asks: the changes since the user's decision. */
  since?: readonly Difference[];
}

/** The result of a replay of the ops of one item or collection. */
export interface Replay {
  /** By the position of the op. An op without a result is still open. */
  results: Map<number, OpResult>;
  /** Why ops were not sent, and their positions; null: none failed. `tookNoEffect`: the library certainly has none of them. */
  failure: { error: AppError; positions: readonly number[]; tookNoEffect?: boolean } | null;
}

export interface ItemReplay extends Replay {
  /** The item after the replay; null when the library does not have it any more. */
  item: MediaItem | null;
  /** The item before the replay. */
  before: MediaItem | null;
  /** The item could not be read after the requests: `item` is the item before them. */
  isUnread?: boolean;
}

export interface ReplayTools {
  client: SiteClient;
  signal: AbortSignal;
  /**
   * Called before each request that changes something, with the positions of the ops whose values it sends; the records of these ops
   * are durable before the request.
   */
  onSending(positions: readonly number[]): void;
  /** The positions of ops that an earlier attempt may have sent: the library may have their values. */
  sent: ReadonlySet<number>;
  /** By the position of an op: values that the library may have instead of its base. */
  otherBases: ReadonlyMap<number, OtherBases>;
  /** The positions of ops whose requests the library accepted in an earlier attempt, which ended before it read the item. */
  accepted: ReadonlySet<number>;
  /** Called when the library has accepted a request, with the positions of its ops. */
  onAccepted(positions: readonly number[]): void;
  /** The user of the account; null when the library did not report it. */
  userId: string | null;
  /** The clock of this computer. Its time is used until the time of the library is known. */
  clock: Pick<Clock, 'now' | 'monotonic'>;
}

/**
 * Changes one item to the wanted values: reads it, compares in canonical form, sends only differences, reads it again and
 * verifies. A value that someone else changed is never overwritten: its op asks the user. A lost reply is resolved by reading the
 * item. Throws only when nothing was sent; later failures are in `failure`.
 */
export function replayItem(entityId: string, ops: readonly EditOp[], tools: ReplayTools): Promise<ItemReplay> {
  return whileOutdated(() => attempt(entityId, ops, tools));
}

async function attempt(entityId: string, ops: readonly EditOp[], tools: ReplayTools): Promise<Attempt<ItemReplay>> {
  const results = new Map<number, OpResult>();
  const readAt = momentOf(tools.clock);
  const before = await readUnlessGone(entityId, tools);
  const { sent: earlier, otherBases } = tools;
  const mayBeChanged = earlier.size > 0 || otherBases.size > 0;
  const net = withOtherBases<EditOp, Coalesced>(coalesce(ops, mayBeChanged ? earlier : null), otherBases);
  noteSuperseded(ops, net, results);
  if (before === null) return complete(withoutItem(net, results));
  const theirs = editableOf(before);
  const wanted: Coalesced[] = [];
  const reverted: number[] = [];
  for (const each of net) {
    const result = isAccepted(each, tools) ? judgeAccepted(each, theirs, tools) : judge(each, theirs, tools);
    if (result === null) wanted.push(each);
    else if (result === 'unchanged') reverted.push(...each.positions);
    else set(results, each, result);
    if (result !== 'unchanged' && result?.asks === true) keepOthersOpen(each, results);
  }
  const notApplied = failureOfUnchanged(reverted, results);
  if (wanted.length === 0) return complete({ results, item: before, before, failure: notApplied });
  const { sent, failure, outdated } = await sendInOrder(writesOf(entityId, wanted, tools), results, {
    ...tools,
    readAt,
    tookEffect: (error, ops) => tookEffect(error, ops, entityId, tools),
    reasonOf: async (error, ops) => ({
      error: await exactError(error, entityId, ops, tools),
      tookNoEffect: tookNoEffect(error) && ops.every(({ op }) => ONE_REQUEST.has(op.kind)),
    }),
  });
  if (outdated !== null) return { replay: { results, item: before, before, failure: notApplied }, outdated };
  const item = await readAfter(entityId, wanted, tools);
  if (item === 'unreadable') {
    for (const each of sent) set(results, each, { outcome: 'sent', wrote: intended(each.op, theirs) });
    return complete({ results, item: before, before, isUnread: true, failure: failure ?? notApplied });
  }
  const late = verify(sent, theirs, item, results, tools);
  return complete({ results, item, before, failure: failure ?? late ?? notApplied });
}

function complete(replay: ItemReplay): Attempt<ItemReplay> {
  return { replay, outdated: null };
}

function isAccepted({ op, positions }: Coalesced, { accepted }: ReplayTools): boolean {
  return op.kind !== 'delete' && accepted.has(positions.at(-1) ?? -1);
}

/**
 * Returns the result of an op whose request the library accepted in an earlier attempt, which ended before it read the result.
 * The op is not sent again. As in `verify`, another value is from someone else, who replaced ours; the old value means that the
 * library did not apply ours, or that someone changed it back.
 */
function judgeAccepted(
  each: Coalesced & MayBeOwn,
  theirs: EditableMedia,
  tools: ReplayTools,
): OpResult | 'unchanged' | null {
  const { op } = each;
  if (isFileOp(op)) return { outcome: 'sent' };
  switch (verdictOf(op, theirs, serverNow(tools))) {
    case 'same':
      return { outcome: 'sent', wrote: fieldValueOf(op, theirs) };
    case 'conflict':
      return { outcome: 'sent', wrote: isRewritten(op, theirs) ? fieldValueOf(op, theirs) : intended(op, theirs) };
    case 'send':
      return 'unchanged';
    case 'passed':
      return judge(each, theirs, tools);
  }
}

/** Returns the failure of values that the library accepted but does not have: their ops stay open. */
export function failureOfUnchanged(positions: readonly number[], results: Map<number, OpResult>): Replay['failure'] {
  for (const position of positions) results.delete(position);
  return positions.length === 0 ? null : { error: appError('edit.not-applied'), positions };
}

/** Returns the result of an op without sending anything; null when the op is to be sent. */
function judge(each: Coalesced & MayBeOwn, theirs: EditableMedia, tools: ReplayTools): OpResult | null {
  const { op, mayBeOwn } = each;
  switch (netVerdictOf(each, theirs, serverNow(tools))) {
    case 'send':
      return null;
    case 'same':
      return { outcome: mayBeOwn && !isOfAnother(op, theirs) ? 'sent' : 'same', wrote: fieldValueOf(op, theirs) };
    case 'conflict':
      return {
        ...{ outcome: null, asks: true, theirs: fieldValueOf(op, theirs), op, seen: rebased(op, theirs) },
        ...(op.kind === 'delete' && op.saw !== undefined ? { since: changesSince(op.saw, theirs) } : {}),
      };
    case 'passed':
      return { outcome: null, asks: true, op, seen: rebased(op, theirs) };
  }
}

/** Returns whether someone else published the item: no request for the op can have done so on this date. */
function isOfAnother(op: EditOp, { publishOn }: EditableMedia): boolean {
  return op.kind === 'publish' && op.between !== undefined && !isBetween(publishOn, op.between);
}

/** Returns the library's time, by which a publish time has passed or not; until it is known, the time of this computer. */
function serverNow({ client, clock }: ReplayTools): number {
  return client.serverClock.now() ?? clock.now();
}

/** Notes ops that a later op on the same value replaces, and ops that cancel each other: the library has their value already. */
function noteSuperseded(ops: readonly EditOp[], net: readonly Coalesced[], results: Map<number, OpResult>): void {
  const kept = new Set(net.flatMap(({ positions }) => positions.at(-1) ?? []));
  for (const position of ops.keys()) if (!kept.has(position)) results.set(position, { outcome: 'superseded' });
}

/** Removes the results of ops that a deletion replaces if it asks or was stopped: when its user keeps the item, they are sent. */
export function keepOthersOpen(
  { op, positions }: { op: AnyOp; positions: readonly number[] },
  results: Map<number, OpResult>,
): void {
  if (!isDeletion(op)) return;
  for (const position of positions.slice(0, -1)) results.delete(position);
}

function set(results: Map<number, OpResult>, { positions }: Coalesced, result: OpResult): void {
  const own = positions.at(-1);
  if (own !== undefined) results.set(own, result);
}

/** Notes the results for an item that does not exist any more: a deletion is done, any other op fails. */
function withoutItem(net: readonly Coalesced[], results: Map<number, OpResult>): ItemReplay {
  const [only] = net;
  if (net.length === 1 && only?.op.kind === 'delete') {
    set(results, only, { outcome: 'same' });
    return { results, item: null, before: null, failure: null };
  }
  const positions = net.flatMap((each) => each.positions);
  for (const position of positions) results.delete(position);
  return { results, item: null, before: null, failure: { error: appError('edit.item-gone'), positions } };
}

function readUnlessGone(entityId: string, { client, signal }: ReplayTools): Promise<MediaItem | null> {
  return existing(getMedia(client, entityId, signal));
}

/**
 * Returns the requests, in an order in which none removes the permission for the next: an account that may edit its own items
 * only until they are public sends fields and tags before it publishes.
 */
function writesOf(entityId: string, wanted: readonly Coalesced[], tools: ReplayTools): Write<Coalesced>[] {
  const { client, signal } = tools;
  const of = (...kinds: EditOp['kind'][]) => wanted.filter(({ op }) => kinds.includes(op.kind));
  const deletion = of('delete');
  if (deletion.length > 0) return [{ ops: deletion, send: () => deleteMedia(client, entityId, signal) }];
  const fields = of('set-field', 'move-collection');
  const added = of('add-tag');
  const removed = of('remove-tag');
  const publication = of('publish', 'unpublish');
  // Additions come first: a failure then leaves the old file.
  const files = [...of('add-embed'), ...of('delete-file')].map((each): Write<Coalesced> => {
    return { ops: [each], send: () => sendFileOp(client, entityId, each.op as FileOp, signal) };
  });
  const tagsOf = (ops: readonly Coalesced[]) => ops.flatMap(({ op }) => ('tag' in op ? [op.tag] : []));
  const writes: Write<Coalesced>[] = [
    { ops: fields, send: () => updateMedia(client, entityId, patchOf(fields), signal) },
    { ops: removed, send: () => removeTags(client, entityId, tagsOf(removed), signal) },
    { ops: added, send: () => addTags(client, entityId, tagsOf(added), signal) },
    ...files,
    { ops: publication, send: () => sendPublication(entityId, publication[0]?.op, tools) },
  ];
  return writes.filter(({ ops }) => ops.length > 0);
}

function patchOf(fields: readonly Coalesced[]): Record<string, string> {
  const patch: Record<string, string> = {};
  for (const { op } of fields) {
    if (op.kind === 'set-field') patch[op.field] = op.mine;
    if (op.kind === 'move-collection') patch.collection_id = op.mine;
  }
  return patch;
}

async function sendPublication(entityId: string, op: EditOp | undefined, tools: ReplayTools): Promise<void> {
  const { client, signal } = tools;
  if (op?.kind === 'unpublish') return unpublishMedia(client, entityId, signal);
  if (op?.kind !== 'publish') return;
  if (op.when === 'now') return publishNow(client, entityId, serverNow(tools));
  const options = op.when === 'kept' ? {} : { publish_on: serviceInstant(op.when.at) };
  return publishMedia(client, entityId, options, signal);
}

/** Kinds of ops with one request, whose error tells whether anything changed. */
const ONE_REQUEST: ReadonlySet<EditOp['kind']> = new Set([
  'set-field',
  'move-collection',
  'add-tag',
  'remove-tag',
  'publish',
  'unpublish',
]);

/** Returns whether a request without a reply took effect: the item has all values. */
async function tookEffect(
  error: AppError,
  ops: readonly Coalesced[],
  entityId: string,
  tools: ReplayTools,
): Promise<boolean> {
  if (outcomeOf(error) !== 'unknown' || tools.signal.aborted) return false;
  try {
    const item = await readUnlessGone(entityId, tools);
    if (item === null) return ops.every(({ op }) => op.kind === 'delete');
    const now = serverNow(tools);
    return ops.every(({ op }) => verdictOf(op, editableOf(item), now) === 'same');
  } catch {
    // The caller reports the error of the request, which is more exact than that of this check.
    return false;
  }
}

/**
 * Returns the exact reason of a refusal. Some libraries answer 404 when a permission is missing: then the item can still be read.
 */
async function exactError(
  error: AppError,
  entityId: string,
  ops: readonly Coalesced[],
  tools: ReplayTools,
): Promise<AppError> {
  if (error.code !== 'api.not-found' && error.code !== 'api.forbidden') return error;
  const item = await readUnlessGone(entityId, tools).catch(() => 'unreadable' as const);
  if (item === 'unreadable') return error;
  if (item === null) return appError('edit.item-gone', { details: error.details ?? {}, cause: error });
  const refused =
    error.code === 'api.forbidden' ? error : appError('api.forbidden', { details: error.details ?? {}, cause: error });
  const kinds = new Set(ops.map(({ op }) => op.kind));
  const isPublication = kinds.has('publish') || kinds.has('unpublish');
  const isDeletion = kinds.has('delete') || kinds.has('delete-file');
  const action = isDeletion ? 'delete' : isPublication ? 'publish' : 'edit';
  return reasonOfRefusal(refused, item, action, { ...tools, nowMs: serverNow(tools) });
}

/** Reads the item after the requests; null when it was deleted. After a failed read the sent values stay unverified. */
async function readAfter(
  entityId: string,
  wanted: readonly Coalesced[],
  tools: ReplayTools,
): Promise<MediaItem | null | 'unreadable'> {
  if (wanted[0]?.op.kind === 'delete') return null;
  try {
    return await readUnlessGone(entityId, tools);
  } catch (error) {
    if (tools.signal.aborted) throw error;
    return 'unreadable';
  }
}

/** Compares the sent values with those of the library now. Returns the failure of values that did not change. */
function verify(
  sent: readonly Coalesced[],
  before: EditableMedia,
  item: MediaItem | null,
  results: Map<number, OpResult>,
  tools: ReplayTools,
): Replay['failure'] {
  const unchanged: number[] = [];
  const gone: number[] = [];
  for (const each of sent) {
    const { op } = each;
    if (op.kind === 'delete' || isFileOp(op)) {
      set(results, each, { outcome: 'sent' });
      continue;
    }
    if (item === null) {
      gone.push(...each.positions);
      continue;
    }
    const after = editableOf(item);
    const isThere = verdictOf(op, after, serverNow(tools)) === 'same';
    if (!isThere && isUnchanged(op, before, after)) unchanged.push(...each.positions);
    else
      set(results, each, {
        outcome: 'sent',
        wrote: isThere || isRewritten(op, after) ? fieldValueOf(op, after) : intended(op, before),
      });
  }
  for (const position of gone) results.delete(position);
  const failure = failureOfUnchanged(unchanged, results);
  return gone.length > 0 ? { error: appError('edit.item-gone'), positions: gone } : failure;
}

function isUnchanged(op: EditOp, before: EditableMedia, after: EditableMedia): boolean {
  if (op.kind === 'set-field') {
    return canonicalText(op.field, before[op.field]) === canonicalText(op.field, after[op.field]);
  }
  return JSON.stringify(fieldValueOf(op, before)) === JSON.stringify(fieldValueOf(op, after));
}

/** Returns whether the library stored our HTML in its own form. */
function isRewritten(op: EditOp, after: EditableMedia): boolean {
  if (op.kind !== 'set-field' || op.field !== 'description') return false;
  return htmlToText(op.mine, WORDS) === htmlToText(after.description, WORDS);
}

/** Returns the value that the op wants, for when the library's form of it is unknown. */
function intended(op: EditOp, before: EditableMedia): EditValue {
  if (op.kind === 'set-field' || op.kind === 'move-collection') return op.mine;
  if (op.kind === 'unpublish') return { status: 'draft', publishOn: before.publishOn };
  if (op.kind === 'publish' && typeof op.when === 'object') return { status: 'scheduled', publishOn: op.when.at };
  return fieldValueOf(op, before);
}
