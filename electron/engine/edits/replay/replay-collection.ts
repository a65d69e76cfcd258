import type { Collection, CollectionInput } from '../../../../shared/api/collections.ts';
import type { PodcastDetails } from '../../../../shared/api/podcasts.ts';
import { AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { CollectionPatch, PodcastPatch } from '../../../../shared/contract/collections.ts';
import {
  type CoalescedCollectionOp,
  canonicalCollectionValue,
  coalesceCollection,
  collectionValueOf,
  collectionVerdict,
  keyOfAnyOp,
  netCollectionVerdict,
  rebasedOnCollection,
} from '../../../../shared/model/edits/collection-fold.ts';
import {
  COLLECTION_FIELDS,
  type CollectionOp,
  type EditableCollection,
  editableCollectionOf,
} from '../../../../shared/model/edits/collection-ops.ts';
import { outcomeOf, tookNoEffect } from '../../api/classify.ts';
import { getCollection, updateCollection } from '../../api/collections.ts';
import { existing, isGone } from '../../api/existing.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { getPodcastDetails, updatePodcastDetails } from '../../api/podcasts.ts';
import { deleteCollections } from '../../library/collections/collection-deletion.ts';
import { errorOfPlace, moveToParent, slugTaken } from '../../library/collections/collection-writes.ts';
import {
  createCollectionOnce,
  createdEarlier,
  creationUnclear,
  findCreated,
  type IsOfAnother,
  type SentCreation,
} from '../../library/collections/create-collection-once.ts';
import type { Clock } from '../../ports/clock.ts';
import { failureOfUnchanged, keepOthersOpen, type OpResult, type Replay } from './replay-item.ts';
import { type Attempt, momentOf, sendInOrder, sentPositions, type Write, whileOutdated } from './send-in-order.ts';
import { withSentValues, writtenValueOf } from './sent-collection.ts';
import { type MayBeOwn, type OtherBases, withOtherBases } from './unanswered.ts';

export interface CollectionReplayTools {
  client: SiteClient;
  signal: AbortSignal;
  /** The clock of this computer. */
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Called before each request that changes something, with the positions of the ops whose values it sends. */
  onSending(positions: readonly number[]): void;
  /** Called before a request to create the collection, with the attempts to do so, this one included. */
  onCreating(attempts: readonly SentCreation[]): void;
  /** Called when an attempt did not create the collection. `earlier`: the attempts that still may have. */
  onNotCreated(earlier: readonly SentCreation[]): void;
  /** The positions of ops that an earlier attempt may have sent: the library may have their values. */
  sent: ReadonlySet<number>;
  /** By the position of an op: values that the library may have instead of its base. */
  otherBases: ReadonlyMap<number, OtherBases>;
  /** The positions of ops whose requests the library accepted in an earlier attempt, which ended before it read the collection. */
  accepted: ReadonlySet<number>;
  /** Called when the library has accepted a request, with the positions of its ops. */
  onAccepted(positions: readonly number[]): void;
  /** The attempts that may have created the collection. */
  earlier: readonly SentCreation[];
  /** Whether an earlier process sent the last of these attempts. */
  isResumed: boolean;
  /** The id of the collection when an attempt of this process created it and that could not be stored; null otherwise. */
  knownId: string | null;
  /** Whether another edit created a collection of the library. */
  isOfAnother: IsOfAnother;
  /** The attempts of other creations of this computer whose results are not known. */
  others(): readonly SentCreation[];
  /** Ends a deletion between two items. */
  stopDeleting: AbortSignal;
  /** The items that an earlier attempt to delete the collection was about to delete; null: there was none. */
  begunItems: readonly string[] | null;
  /** Called before the first attempt deletes anything, with the items that it will delete. */
  onBeginDeleting(items: readonly string[]): void;
  onDeleted(deletedItems: number, items: number): void;
}

export interface CollectionReplay extends Replay {
  /** The collection after the replay, with its podcast details if they were read; null: unknown, or deleted. */
  now: EditableCollection | null;
  collection: Collection | null;
  podcast: PodcastDetails | null;
  /** The library's id of a created collection; otherwise null. */
  createdId: string | null;
  /** The library does not have the collection. */
  isGone: boolean;
  /** The number of items that a deletion removed. */
  deletedItems: number;
}

const NOTHING = { now: null, collection: null, podcast: null, createdId: null, isGone: false, deletedItems: 0 };

/**
 * Changes one collection to the wanted values: creates it, or reads it, compares, sends only differences, reads it again and
 * verifies. A value that someone else changed is never overwritten: its op asks the user. Throws only when nothing was sent;
 * later failures are in `failure`.
 */
export async function replayCollection(
  id: string,
  ops: readonly CollectionOp[],
  tools: CollectionReplayTools,
): Promise<CollectionReplay> {
  const results = new Map<number, OpResult>();
  const isDeleted = ops.some(({ kind }) => kind === 'delete-collection');
  if (tools.earlier.length > 0 && isDeleted) return findToDelete(tools.earlier, ops, results, tools);
  const { otherBases, sent } = tools;
  const coalesced = coalesceCollection(ops, sent.size > 0 || otherBases.size > 0 ? sent : null);
  const net = withOtherBases<CollectionOp, CoalescedCollectionOp>(coalesced, otherBases);
  const kept = new Set(net.flatMap(({ positions }) => positions.at(-1) ?? []));
  for (const position of ops.keys()) if (!kept.has(position)) results.set(position, { outcome: 'superseded' });
  const [first] = net;
  if (first === undefined) return { ...NOTHING, results, failure: null };
  if (first.op.kind === 'create-collection') return create(first.op, first, ops, results, tools);
  if (first.op.kind === 'delete-collection') {
    const before = await readCollection(id, net, tools);
    return before === null ? withoutCollection(net, results) : remove(id, first.op, first, results, tools);
  }
  return whileOutdated(() => change(id, net, new Map(results), tools));
}

/** Compares, sends the differences, reads again and verifies. */
async function change(
  id: string,
  net: readonly (CoalescedCollectionOp & MayBeOwn)[],
  results: Map<number, OpResult>,
  tools: CollectionReplayTools,
): Promise<Attempt<CollectionReplay>> {
  // Before the comparison: to read all collections above the new place can take longer than compared values may be sent.
  const move = net.find(({ op }) => op.kind === 'move-to-parent')?.op;
  const moveError = move?.kind === 'move-to-parent' ? await errorOfPlace(tools.client, id, move.mine) : null;
  const readAt = momentOf(tools.clock);
  const before = await readCollection(id, net, tools);
  if (before === null) return complete(withoutCollection(net, results));
  const theirs = editableCollectionOf(before.collection, before.podcast);
  const { wanted, notApplied } = judgeAll(net, theirs, results, tools);
  const unchanged = { ...NOTHING, ...before, now: theirs, results, failure: notApplied };
  if (wanted.length === 0) return complete(unchanged);
  const { sent, failure, outdated } = await sendInOrder(
    writesOf(before.collection, wanted, moveError, tools),
    results,
    {
      ...tools,
      readAt,
      tookEffect: (error, ops) => tookEffect(error, ops, id, tools),
      reasonOf: async (error) => ({ error: await exactError(error, id, tools), tookNoEffect: tookNoEffect(error) }),
    },
  );
  if (outdated !== null) return { replay: unchanged, outdated };
  const after = await readCollection(id, net, tools).catch((error: unknown) => {
    if (tools.signal.aborted) throw error;
    return 'unreadable' as const;
  });
  if (after === 'unreadable') {
    for (const each of sent) set(results, each, { outcome: 'sent', wrote: 'mine' in each.op ? each.op.mine : null });
    const values = withSentValues(before, sent);
    return complete({ ...NOTHING, ...values, now: null, results, failure: failure ?? notApplied });
  }
  if (after === null) {
    const positions = wanted.flatMap((each) => each.positions);
    for (const position of positions) results.delete(position);
    return complete({
      ...NOTHING,
      isGone: true,
      results,
      failure: { error: appError('edit.collection-gone'), positions },
    });
  }
  const now = editableCollectionOf(after.collection, after.podcast);
  const late = verify(sent, theirs, now, results);
  return complete({ ...NOTHING, ...after, now, results, failure: failure ?? late ?? notApplied });
}

function complete(replay: CollectionReplay): Attempt<CollectionReplay> {
  return { replay, outdated: null };
}

/** Returns the ops to send; the results of the other ops are in `results` and in `notApplied`. */
function judgeAll(
  net: readonly (CoalescedCollectionOp & MayBeOwn)[],
  theirs: EditableCollection,
  results: Map<number, OpResult>,
  { accepted }: CollectionReplayTools,
): { wanted: CoalescedCollectionOp[]; notApplied: Replay['failure'] } {
  const wanted: CoalescedCollectionOp[] = [];
  const reverted: number[] = [];
  for (const each of net) {
    const isAccepted = accepted.has(each.positions.at(-1) ?? -1);
    const result = isAccepted ? judgeAccepted(each.op, theirs) : judge(each, theirs);
    if (result === null) wanted.push(each);
    else if (result === 'unchanged') reverted.push(...each.positions);
    else set(results, each, result);
  }
  return { wanted, notApplied: failureOfUnchanged(reverted, results) };
}

/**
 * Returns the result of an op whose request the library accepted in an earlier attempt, which ended before it read the result.
 * The op is not sent again. As in `verify`, another value is from someone else, who replaced ours; the old value means that the
 * library did not apply ours, or that someone changed it back.
 */
function judgeAccepted(op: CollectionOp, theirs: EditableCollection): OpResult | 'unchanged' {
  const verdict = collectionVerdict(op, theirs);
  if (verdict === 'send') return 'unchanged';
  return { outcome: 'sent', wrote: verdict === 'conflict' && 'mine' in op ? op.mine : collectionValueOf(op, theirs) };
}

function set(results: Map<number, OpResult>, { positions }: CoalescedCollectionOp, result: OpResult): void {
  const own = positions.at(-1);
  if (own !== undefined) results.set(own, result);
}

/** Returns the result of an op without sending anything; null when the op is to be sent. */
function judge(each: CoalescedCollectionOp & MayBeOwn, theirs: EditableCollection): OpResult | null {
  const { op, mayBeOwn } = each;
  switch (netCollectionVerdict(each, theirs)) {
    case 'send':
      return null;
    case 'same':
      return { outcome: mayBeOwn ? 'sent' : 'same', wrote: collectionValueOf(op, theirs) };
    case 'conflict':
      return {
        ...{ outcome: null, asks: true, op },
        ...{ theirs: collectionValueOf(op, theirs), seen: rebasedOnCollection(op, theirs) },
      };
  }
}

/** Creates the collection, with all changes that the user made since. The next replay sends its podcast details. */
async function create(
  op: Extract<CollectionOp, { kind: 'create-collection' }>,
  creation: CoalescedCollectionOp,
  ops: readonly CollectionOp[],
  results: Map<number, OpResult>,
  tools: CollectionReplayTools,
): Promise<CollectionReplay> {
  // Ops with requests of their own stay open.
  for (const [position, each] of ops.entries()) if (each.kind === 'set-podcast-field') results.delete(position);
  const { client, signal, earlier, isResumed, knownId, onCreating, onNotCreated, isOfAnother, others } = tools;
  const given = COLLECTION_FIELDS.filter((field) => (op.values[field] ?? null) !== null);
  const values = Object.fromEntries(given.map((field) => [field, op.values[field]]));
  const input = { ...values, parent_id: op.parentId } as unknown as CollectionInput;
  try {
    const attempt = { signal, earlier, isResumed, onSending: onCreating, onNotCreated, isOfAnother, others };
    const { id, collection, isEarlier } =
      knownId === null
        ? await createCollectionOnce(client, input, attempt)
        : await createdEarlier(client, knownId, signal);
    const now = collection === null ? null : editableCollectionOf(collection, null);
    set(results, creation, { outcome: 'sent', wrote: collection?.display_name ?? input.display_name });
    if (isEarlier && now !== null) noteCarriedByEarlier(creation, ops, now, results);
    else noteCarried(creation, ops, now, results);
    return { ...NOTHING, now, collection, createdId: id, results, failure: null };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    for (const position of creation.positions) results.delete(position);
    return { ...NOTHING, results, failure: { error: toAppError(thrown), positions: creation.positions } };
  }
}

/**
 * Searches a collection that an earlier request may have created and that the user has deleted since. If the library has it, its
 * deletion stays open for the next replay, which knows the id.
 */
async function findToDelete(
  earlier: readonly SentCreation[],
  ops: readonly CollectionOp[],
  results: Map<number, OpResult>,
  { client, signal, isOfAnother, others }: CollectionReplayTools,
): Promise<CollectionReplay> {
  const [found, another] = await findCreated(client, earlier, { isOfAnother, others: others() }, signal);
  if (found !== undefined && another !== undefined) throw creationUnclear([found, another]);
  for (const [position, { kind }] of ops.entries()) {
    if (found === undefined || (kind !== 'create-collection' && kind !== 'delete-collection'))
      results.set(position, { outcome: 'superseded' });
    else if (kind === 'create-collection') results.set(position, { outcome: 'sent', wrote: found.display_name });
  }
  return { ...NOTHING, collection: found ?? null, createdId: found?.id ?? null, results, failure: null };
}

/** Notes changes that the creation contained as sent. `now`: the collection as the library has it; null: it is unknown. */
function noteCarried(
  { carried }: CoalescedCollectionOp,
  ops: readonly CollectionOp[],
  now: EditableCollection | null,
  results: Map<number, OpResult>,
): void {
  for (const position of carried) {
    const op = ops[position];
    if (op === undefined || !('mine' in op)) continue;
    results.set(position, { outcome: 'sent', wrote: now === null ? op.mine : collectionValueOf(op, now) });
  }
}

/**
 * After an earlier attempt created the collection: notes the changes that it contained as sent, as far as the library has their
 * values. Later changes stay open for the next replay.
 */
function noteCarriedByEarlier(
  { carried }: CoalescedCollectionOp,
  ops: readonly CollectionOp[],
  now: EditableCollection,
  results: Map<number, OpResult>,
): void {
  for (const last of carried) {
    const key = keyOfAnyOp(ops[last] as CollectionOp);
    const same = [...ops.keys()].filter((position) => keyOfAnyOp(ops[position] as CollectionOp) === key);
    const sent = same.findLastIndex((position) => collectionVerdict(ops[position] as CollectionOp, now) === 'same');
    for (const [index, position] of same.entries()) {
      if (index > sent) results.delete(position);
      else if (index === sent) {
        results.set(position, { outcome: 'sent', wrote: collectionValueOf(ops[position] as CollectionOp, now) });
      }
    }
  }
}

/** Notes the results for a collection that does not exist any more: a deletion is done, any other op fails. */
function withoutCollection(net: readonly CoalescedCollectionOp[], results: Map<number, OpResult>): CollectionReplay {
  const [only] = net;
  if (net.length === 1 && only?.op.kind === 'delete-collection') {
    set(results, only, { outcome: 'same' });
    return { ...NOTHING, isGone: true, results, failure: null };
  }
  const positions = net.flatMap((each) => each.positions);
  for (const position of positions) results.delete(position);
  return { ...NOTHING, isGone: true, results, failure: { error: appError('edit.collection-gone'), positions } };
}

/** Deletes a collection with everything in it. Anything that the user did not confirm is a question; a stop drops the edit. */
async function remove(
  id: string,
  op: Extract<CollectionOp, { kind: 'delete-collection' }>,
  each: CoalescedCollectionOp,
  results: Map<number, OpResult>,
  tools: CollectionReplayTools,
): Promise<CollectionReplay> {
  const { client, stopDeleting, begunItems, onSending, onBeginDeleting: onBegin, onDeleted } = tools;
  onSending(sentPositions([each]));
  const signal = AbortSignal.any([tools.signal, stopDeleting]);
  const task = { collectionIds: [id], confirmed: op.base, begunItems, signal, onBegin, onProgress: onDeleted };
  let deletedItems = 0;
  try {
    const result = await deleteCollections(client, task);
    deletedItems = result.deletedItems;
    const [failed] = result.failed;
    if (failed !== undefined) {
      const { code, message, details } = failed.error;
      throw new AppError(code as AppError['code'], message, details);
    }
    if (result.isStopped && tools.signal.aborted) throw appError('internal', { details: { reason: 'stopped' } });
    set(results, each, { outcome: result.isStopped ? 'dropped' : 'sent' });
    if (result.isStopped) keepOthersOpen(each, results);
    return { ...NOTHING, isGone: !result.isStopped, results, failure: null, deletedItems };
  } catch (thrown) {
    if (tools.signal.aborted) throw thrown;
    const error = toAppError(thrown);
    const { collectionIds, items } = error.details ?? {};
    if (error.code === 'collection.grew' && Array.isArray(collectionIds) && typeof items === 'number') {
      const theirs = { collections: collectionIds.length, items };
      const seen = { ...op, base: { ...theirs, collectionIds } };
      set(results, each, { outcome: null, asks: true, op, theirs, seen });
      keepOthersOpen(each, results);
      return { ...NOTHING, results, failure: null };
    }
    for (const position of each.positions) results.delete(position);
    return { ...NOTHING, results, failure: { error, positions: each.positions }, deletedItems };
  }
}

/** Returns the collection, with its podcast details if an op needs them; null when the library does not have it. */
async function readCollection(
  id: string,
  net: readonly CoalescedCollectionOp[],
  { client, signal }: CollectionReplayTools,
): Promise<{ collection: Collection; podcast: PodcastDetails | null } | null> {
  const collection = await existing(getCollection(client, id, signal));
  if (collection === null) return null;
  if (!collection.is_podcast || !net.some(({ op }) => op.kind === 'set-podcast-field'))
    return { collection, podcast: null };
  const podcast = await existing(getPodcastDetails(client, id, signal));
  return podcast === null ? null : { collection, podcast };
}

/** Returns the requests, in an order in which each makes the next one possible: only a podcast has podcast details. */
function writesOf(
  collection: Collection,
  wanted: readonly CoalescedCollectionOp[],
  moveError: AppError | null,
  { client, signal }: CollectionReplayTools,
): Write<CoalescedCollectionOp>[] {
  const of = (kind: CollectionOp['kind']) => wanted.filter(({ op }) => op.kind === kind);
  const fields = of('set-collection-field');
  const podcast = of('set-podcast-field');
  const moves = of('move-to-parent');
  const { id } = collection;
  const writes: Write<CoalescedCollectionOp>[] = [
    { ops: fields, send: () => sendFields(client, id, patchOf(fields) as CollectionPatch, signal) },
    {
      ops: moves,
      async send() {
        const op = moves[0]?.op;
        if (op?.kind !== 'move-to-parent') return;
        if (moveError !== null) throw moveError;
        await moveToParent(client, collection, op.mine);
      },
    },
    { ops: podcast, send: () => updatePodcastDetails(client, id, patchOf(podcast) as PodcastPatch, signal) },
  ];
  return writes.filter(({ ops }) => ops.length > 0);
}

async function sendFields(client: SiteClient, id: string, patch: CollectionPatch, signal: AbortSignal): Promise<void> {
  try {
    // In the type of an update only `autotranscribe_profile_id` may be null.
    await updateCollection(client, id, patch as Parameters<typeof updateCollection>[2], signal);
  } catch (thrown) {
    const error = toAppError(thrown);
    throw error.code === 'api.conflict' && patch.slug !== undefined ? slugTaken(error, patch.slug) : error;
  }
}

/** The API has no null for a description: the undo of a first description sends a blank one. */
function patchOf(ops: readonly CoalescedCollectionOp[]): Record<string, unknown> {
  const sent = ({ field, mine }: { field: string; mine: unknown }) => (field === 'description' ? (mine ?? '') : mine);
  return Object.fromEntries(ops.flatMap(({ op }) => ('field' in op ? [[op.field, sent(op)]] : [])));
}

/** Returns whether a request without a reply took effect: the collection has all values. */
async function tookEffect(
  error: AppError,
  ops: readonly CoalescedCollectionOp[],
  id: string,
  tools: CollectionReplayTools,
): Promise<boolean> {
  if (outcomeOf(error) !== 'unknown' || tools.signal.aborted) return false;
  try {
    const now = await readCollection(id, ops, tools);
    if (now === null) return false;
    const values = editableCollectionOf(now.collection, now.podcast);
    return ops.every(({ op }) => collectionVerdict(op, values) === 'same');
  } catch {
    // The caller reports the error of the request, which is more exact than that of this check.
    return false;
  }
}

/** Returns the exact reason of a 404: some libraries answer 404 when a permission is missing, and the collection can be read. */
async function exactError(error: AppError, id: string, { client, signal }: CollectionReplayTools): Promise<AppError> {
  if (error.code !== 'api.not-found') return error;
  try {
    await getCollection(client, id, signal);
  } catch (thrown) {
    return isGone(thrown) ? appError('edit.collection-gone', { details: error.details ?? {}, cause: error }) : error;
  }
  return appError('api.forbidden', { details: error.details ?? {}, cause: error });
}

/** Compares the sent values with those of the library now. Returns the failure of values that did not change. */
function verify(
  sent: readonly CoalescedCollectionOp[],
  before: EditableCollection,
  after: EditableCollection,
  results: Map<number, OpResult>,
): Replay['failure'] {
  const unchanged: number[] = [];
  for (const each of sent) {
    const { op } = each;
    const isThere = collectionVerdict(op, after) === 'same';
    if (!isThere && isUnchanged(op, before, after)) unchanged.push(...each.positions);
    else set(results, each, { outcome: 'sent', wrote: writtenValueOf(op, after, isThere) });
  }
  return failureOfUnchanged(unchanged, results);
}

function isUnchanged(op: CollectionOp, before: EditableCollection, after: EditableCollection): boolean {
  const form = (collection: EditableCollection) =>
    canonicalCollectionValue('field' in op ? op.field : '', collectionValueOf(op, collection));
  return form(before) === form(after);
}
