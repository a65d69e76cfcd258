import type { Collection, CollectionInput } from '../../../../shared/api/collections.ts';
import { appError, errorFrom, toAppError } from '../../../../shared/contract/app-error.ts';
import {
  type CoalescedCollectionOp,
  coalesceCollection,
  collectionValueOf,
  collectionVerdict,
  keyOfAnyOp,
} from '../../../../shared/model/edits/collection-fold.ts';
import {
  COLLECTION_FIELDS,
  type CollectionOp,
  type EditableCollection,
  editableCollectionOf,
} from '../../../../shared/model/edits/collection-ops.ts';
import { getCollection } from '../../api/collections.ts';
import { existing } from '../../api/existing.ts';
import { deleteCollections } from '../../library/collections/collection-deletion.ts';
import {
  createCollectionOnce,
  createdEarlier,
  creationUnclear,
  findCreated,
  type IsOfAnother,
  type SentCreation,
} from '../../library/collections/create-collection-once.ts';
import type { KnownCollection } from '../../library/collections/effective-collections.ts';
import { collectionSubject } from './collection-subject.ts';
import { replaySubject } from './replay-subject.ts';
import { sentPositions } from './send-in-order.ts';
import { keepOthersOpen, netOf, type OpResult, type Replay, type ReplayTools } from './subject.ts';

export interface CollectionReplayTools extends ReplayTools {
  /** Called before a request to create the collection, with the attempts to do so, this one included. */
  onCreating(attempts: readonly SentCreation[]): void;
  /** Called when an attempt did not create the collection. `earlier`: the attempts that still may have. */
  onNotCreated(earlier: readonly SentCreation[]): void;
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
  /** The collection after the replay; null: unknown, or the library does not have it. */
  after: KnownCollection | null;
  /** The library's id of a created collection; otherwise null. */
  createdId: string | null;
  /** The library does not have the collection. */
  isGone: boolean;
}

const NOTHING = { after: null, createdId: null, isGone: false };

/**
 * Creates or deletes one collection, or changes it like `replaySubject`. Throws only when nothing was sent; later failures are in
 * `failure`.
 */
export async function replayCollection(
  id: string,
  ops: readonly CollectionOp[],
  tools: CollectionReplayTools,
): Promise<CollectionReplay> {
  const isDeleted = ops.some(({ kind }) => kind === 'delete-collection');
  if (tools.earlier.length > 0 && isDeleted) return findToDelete(tools.earlier, ops, tools);
  const own = netOf<CollectionOp, CoalescedCollectionOp>(ops, coalesceCollection, tools);
  const [first] = own.net;
  if (first?.op.kind === 'create-collection') return create(first.op, first, ops, own.results, tools);
  if (first?.op.kind === 'delete-collection') return remove(id, first.op, first, own.results, tools);
  // Its creation and its deletion cancel each other: the library never had the collection.
  if (first === undefined && isDeleted) return { ...NOTHING, results: own.results, failure: null };
  const replay = await replaySubject(collectionSubject(id, tools), own, tools);
  return { ...replay, createdId: null, isGone: replay.after === null };
}

function set(results: Map<number, OpResult>, { positions }: CoalescedCollectionOp, result: OpResult): void {
  const own = positions.at(-1);
  if (own !== undefined) results.set(own, result);
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
    return { ...NOTHING, after: knownOf(collection), createdId: id, results, failure: null };
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
  { client, signal, isOfAnother, others }: CollectionReplayTools,
): Promise<CollectionReplay> {
  const results = new Map<number, OpResult>();
  const [found, another] = await findCreated(client, earlier, { isOfAnother, others: others() }, signal);
  if (found !== undefined && another !== undefined) throw creationUnclear([found, another]);
  for (const [position, { kind }] of ops.entries()) {
    if (found === undefined || (kind !== 'create-collection' && kind !== 'delete-collection'))
      results.set(position, { outcome: 'superseded' });
    else if (kind === 'create-collection') results.set(position, { outcome: 'sent', wrote: found.display_name });
  }
  return { ...NOTHING, after: knownOf(found ?? null), createdId: found?.id ?? null, results, failure: null };
}

function knownOf(collection: Collection | null): KnownCollection | null {
  return collection === null ? null : { collection, podcast: null };
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

/** Deletes a collection with everything in it. Anything that the user did not confirm is a question; a stop drops the edit. */
async function remove(
  id: string,
  op: Extract<CollectionOp, { kind: 'delete-collection' }>,
  each: CoalescedCollectionOp,
  results: Map<number, OpResult>,
  tools: CollectionReplayTools,
): Promise<CollectionReplay> {
  const { client, stopDeleting, begunItems, onSending, onBeginDeleting: onBegin, onDeleted } = tools;
  if ((await existing(getCollection(client, id, tools.signal))) === null) {
    set(results, each, { outcome: 'same' });
    return { ...NOTHING, isGone: true, results, failure: null };
  }
  onSending(sentPositions([each]));
  const signal = AbortSignal.any([tools.signal, stopDeleting]);
  const task = { collectionIds: [id], confirmed: op.base, begunItems, signal, onBegin, onProgress: onDeleted };
  try {
    const result = await deleteCollections(client, task);
    const [failed] = result.failed;
    if (failed !== undefined) throw errorFrom(failed.error);
    if (result.isStopped && tools.signal.aborted) throw appError('internal', { details: { reason: 'stopped' } });
    set(results, each, { outcome: result.isStopped ? 'dropped' : 'sent' });
    if (result.isStopped) keepOthersOpen(each, results);
    return { ...NOTHING, isGone: !result.isStopped, results, failure: null };
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
    return { ...NOTHING, results, failure: { error, positions: each.positions } };
  }
}
