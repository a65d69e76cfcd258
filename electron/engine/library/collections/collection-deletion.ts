import { AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { CollectionDeletion, CollectionsDeleted } from '../../../../shared/contract/collections.ts';
import type { CollectionOp } from '../../../../shared/model/edits/collection-ops.ts';
import { outcomeOf } from '../../api/classify.ts';
import { deleteCollection, getCollection, getCollectionTree } from '../../api/collections.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { countMedia, deleteMedia, listMedia, listMediaWithFiles } from '../../api/media.ts';
import { fetchIndex } from './collection-cache.ts';
import { type CollectionIndex, entriesOfTree, idsFrom, indexOf } from './collection-index.ts';
import { concernsLibrary } from './collection-writes.ts';
import { withLeftOut } from './left-out-collections.ts';

/** The API takes several collections in one filter; an address has room for about this many ids. */
const IDS_PER_REQUEST = 100;
/** Up to this many items, their files are counted as well: they have to be read page by page for that. */
const MAX_ITEMS_TO_READ = 500;
const FORBIDDEN_NAMED = 20;
const PARALLEL_DELETES = 4;

/** A chosen collection with everything below it, itself first. */
interface Branch {
  collectionId: string;
  displayName: string;
  ids: string[];
}

/** Counts everything that a deletion of these collections would remove. Changes nothing. */
export async function planDeletion(client: SiteClient, collectionIds: readonly string[]): Promise<CollectionDeletion> {
  const { branches, index, forbidden } = await survey(client, collectionIds);
  const ids = idsIn(branches);
  const items = await countItems(client, ids);
  return {
    collections: ids.length,
    collectionIds: ids,
    items,
    files: items > MAX_ITEMS_TO_READ ? null : await countFiles(client, ids, items),
    podcasts: ids.filter((id) => index.nodes.get(id)?.row.isPodcast === true).length,
    forbidden: forbidden.slice(0, FORBIDDEN_NAMED),
  };
}

/** What the deletion of one collection removes. */
export interface BranchCount {
  id: string;
  /** With itself and all below it. */
  collectionIds: string[];
  items: number;
}

/**
 * Counts what the deletion of each of these collections would remove. A collection below another one of them is counted with
 * that one. Throws `api.forbidden` when the account may not delete all of it.
 */
export async function countBranches(client: SiteClient, collectionIds: readonly string[]): Promise<BranchCount[]> {
  if (collectionIds.length === 0) return [];
  const { branches, forbidden } = await survey(client, collectionIds);
  const [refused] = forbidden;
  if (refused !== undefined) throw appError('api.forbidden', { details: { collection: refused.displayName } });
  const counts: BranchCount[] = [];
  for (const { collectionId: id, ids } of branches)
    counts.push({ id, collectionIds: ids, items: await countItems(client, ids) });
  return counts;
}

/** What pending edits change in a collection before its deletion is sent. */
interface PendingContents {
  added: string[];
  removed: string[];
  /** The number of items that they add; negative when they remove items. */
  items: number;
}

/** Returns what pending edits add to a collection, and take away from it. `effective`: the tree with these edits. */
export function pendingContents(truth: CollectionIndex, effective: CollectionIndex, id: string): PendingContents {
  const before = new Set(idsFrom(truth, id));
  const after = new Set(idsFrom(effective, id));
  const itemsOf = (ids: readonly string[]) =>
    ids.reduce((sum, each) => sum + (effective.nodes.get(each)?.row.mediaCount ?? 0), 0);
  const added = [...after].filter((each) => !before.has(each));
  const removed = [...before].filter((each) => !after.has(each));
  return { added, removed, items: itemsOf(added) - itemsOf(removed) };
}

/**
 * Returns counts of the library with what pending edits add or take away. `chosen`: the collections that are deleted in any case.
 * The library can have the pending edits already.
 */
export function withPending<Counts extends Omit<BranchCount, 'id'>>(
  counted: Counts,
  pending: readonly PendingContents[],
  chosen: readonly string[],
): Counts {
  const removed = new Set(pending.flatMap((each) => each.removed));
  const kept = counted.collectionIds.filter((id) => !removed.has(id));
  const items = pending.reduce((sum, each) => sum + each.items, counted.items);
  const collectionIds = [...new Set([...chosen, ...kept, ...pending.flatMap(({ added }) => added)])];
  return { ...counted, collectionIds, items: Math.max(0, items) };
}

/** As `countBranches`, for one collection, from the tree alone. */
export function storedCount(index: CollectionIndex, id: string): BranchCount {
  const ids = idsFrom(index, id);
  const items = ids.reduce((sum, each) => sum + (index.nodes.get(each)?.row.mediaCount ?? 0), 0);
  return { id, collectionIds: ids.length === 0 ? [id] : ids, items };
}

/** As `planDeletion`, from the tree alone: what the account may not delete is known only when the deletion is sent. */
export function storedDeletion(index: CollectionIndex, collectionIds: readonly string[]): CollectionDeletion {
  const counts = topOf(index, collectionIds).map((id) => storedCount(index, id));
  const ids = counts.flatMap((each) => each.collectionIds);
  return {
    collections: ids.length,
    collectionIds: ids,
    items: counts.reduce((sum, each) => sum + each.items, 0),
    files: null,
    podcasts: ids.filter((id) => index.nodes.get(id)?.row.isPodcast === true).length,
    forbidden: [],
    isStored: true,
  };
}

interface DeletionTask {
  collectionIds: readonly string[];
  /** What the user confirmed. A deletion that would remove anything else is refused. */
  confirmed: Extract<CollectionOp, { kind: 'delete-collection' }>['base'];
  /** The items that an earlier attempt was about to delete; others are not confirmed. null: this is the first attempt. */
  begunItems: readonly string[] | null;
  /** Ends the deletion between two items. */
  signal: AbortSignal;
  /** Called before the first attempt deletes anything, with the items that it will delete. */
  onBegin(items: readonly string[]): void;
  onProgress(deletedItems: number, items: number): void;
}

/**
 * Deletes collections with everything in them: items first, because the API refuses a collection that contains media. All
 * items are listed before the first one is deleted, and only these are deleted. Throws `collection.grew` and
 * `api.forbidden` before anything is deleted; later errors are part of the result.
 */
export async function deleteCollections(client: SiteClient, task: DeletionTask): Promise<CollectionsDeleted> {
  const { branches, forbidden } = await survey(client, task.collectionIds);
  const [refused] = forbidden;
  if (refused !== undefined) throw appError('api.forbidden', { details: { collection: refused.displayName } });
  const contents: { branch: Branch; items: string[] }[] = [];
  for (const branch of branches) contents.push({ branch, items: await itemsIn(client, branch.ids, task.signal) });
  const collectionIds = idsIn(branches);
  const listed = contents.flatMap((each) => each.items);
  const items = listed.length;
  const begun = task.begunItems === null ? null : new Set(task.begunItems);
  const isUnconfirmed = begun !== null && listed.some((id) => !begun.has(id));
  if (hasOthers(collectionIds, task.confirmed) || items > task.confirmed.items || isUnconfirmed) {
    throw appError('collection.grew', { details: { collectionIds, items } });
  }
  if (begun === null) task.onBegin(listed);

  const result: CollectionsDeleted = { deleted: [], deletedItems: 0, failed: [], isStopped: false };
  let ended: AppError | null = null;
  for (const { branch, items: ids } of contents) {
    const { collectionId, displayName } = branch;
    try {
      if (ended !== null) throw ended;
      if (task.signal.aborted) break;
      await deleteItems(client, ids, task.signal, () => {
        result.deletedItems += 1;
        task.onProgress(result.deletedItems, items);
      });
      if (task.signal.aborted) break;
      await deleteEmptied(client, collectionId);
      result.deleted.push(collectionId);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (concernsLibrary(error)) ended = error;
      result.failed.push({ collectionId, displayName, error: error.toData() });
    }
  }
  return { ...result, isStopped: task.signal.aborted };
}

/** Whether some of these collections were not confirmed. Edits that an older version stored have only their number. */
function hasOthers(ids: readonly string[], { collections, collectionIds }: DeletionTask['confirmed']): boolean {
  if (collectionIds === undefined) return ids.length > collections;
  const confirmed = new Set(collectionIds);
  return ids.some((id) => !confirmed.has(id));
}

function nameIn(index: CollectionIndex, id: string): string {
  return index.nodes.get(id)?.row.displayName ?? id;
}

interface Survey {
  branches: Branch[];
  index: CollectionIndex;
  forbidden: CollectionDeletion['forbidden'];
}

/**
 * Reads the tree now. A chosen collection below another chosen one belongs to that one's branch. The tree of collections that may
 * be deleted is read last, and can show collections that the account did not see before.
 */
async function survey(client: SiteClient, collectionIds: readonly string[]): Promise<Survey> {
  const index = await fetchIndex(client);
  const branches: Branch[] = [];
  const covered = new Map<string, string>();
  const chosen = new Set(collectionIds);
  for (const collectionId of chosen) {
    if (hasAncestorIn(index, collectionId, chosen)) continue;
    const row = index.nodes.get(collectionId)?.row;
    // A collection that the tree does not show may not exist: then this request throws the library's error.
    const { parent_id: parentId, display_name } = await getCollection(client, collectionId);
    if (parentId === null) throw appError('collection.is-root', { details: { collectionId } });
    const name = row?.displayName ?? display_name;
    const shown = row === undefined ? [] : idsFrom(index, collectionId).map((id) => [id, nameIn(index, id)] as const);
    const names = await withLeftOut(client, new Map([[collectionId, name], ...shown]));
    for (const [id, each] of names) covered.set(id, each);
    branches.push({ collectionId, displayName: name, ids: [...names.keys()] });
  }
  const deletable = await deletableIds(client);
  const forbidden = [...covered]
    .filter(([id]) => deletable !== null && !deletable.nodes.has(id))
    .map(([collectionId, displayName]) => ({ collectionId, displayName }));
  if (deletable !== null) for (const branch of branches) await addShown(client, branch, deletable);
  return { branches, index, forbidden };
}

/** Adds the collections that a tree shows in a branch, with those that it leaves out below them. */
async function addShown(client: SiteClient, branch: Branch, tree: CollectionIndex): Promise<void> {
  const known = new Set(branch.ids);
  const added = idsFrom(tree, branch.collectionId).filter((id) => !known.has(id));
  if (added.length === 0) return;
  const names = await withLeftOut(client, new Map([...branch.ids, ...added].map((id) => [id, nameIn(tree, id)])));
  branch.ids = [...names.keys()];
}

function idsIn(branches: readonly Branch[]): string[] {
  return [...new Set(branches.flatMap(({ ids }) => ids))];
}

/** Returns the collections without those below another one of them, because the deletion of that one includes them. */
export function topOf(index: CollectionIndex, ids: readonly string[]): string[] {
  const chosen = new Set(ids);
  return [...chosen].filter((id) => !hasAncestorIn(index, id, chosen));
}

function hasAncestorIn(index: CollectionIndex, id: string, chosen: ReadonlySet<string>): boolean {
  for (let at = index.nodes.get(id)?.row.parentId ?? null; at !== null; at = index.nodes.get(at)?.row.parentId ?? null)
    if (chosen.has(at)) return true;
  return false;
}

/** The collections that the account may delete; null where the library does not answer that question. */
async function deletableIds(client: SiteClient): Promise<CollectionIndex | null> {
  try {
    return indexOf([...entriesOfTree(await getCollectionTree(client, { permission: 'collection-delete' }))]);
  } catch (error) {
    if (!(error instanceof AppError) || concernsLibrary(error)) throw error;
    client.logger.warn('library.rights-unknown', { code: error.code });
    return null;
  }
}

async function itemsIn(client: SiteClient, ids: readonly string[], signal: AbortSignal): Promise<string[]> {
  const found = new Set<string>();
  for (const chunk of chunksOf(ids)) {
    const query = { collection_id: chunk.join(','), sort: 'created_on', order: 'asc' } as const;
    const inside = new Set(chunk);
    for await (const item of listMedia(client, query, signal)) {
      // A library that does not know the filter would list the whole library.
      if (inside.has(item.collection_id)) found.add(item.id);
    }
  }
  return [...found];
}

async function countItems(client: SiteClient, collectionIds: readonly string[]): Promise<number> {
  let items = 0;
  for (const chunk of chunksOf(collectionIds)) items += await countMedia(client, { collection_id: chunk.join(',') });
  return items;
}

async function countFiles(client: SiteClient, ids: readonly string[], items: number): Promise<number | null> {
  if (items === 0) return 0;
  let files = 0;
  for (const chunk of chunksOf(ids)) {
    for await (const item of listMediaWithFiles(client, { collection_id: chunk.join(',') })) {
      if (item.files === null) return null;
      files += item.files.length;
    }
  }
  return files;
}

/** Deletes items, a few at a time. The first error ends it; items in flight are awaited. */
async function deleteItems(
  client: SiteClient,
  ids: readonly string[],
  signal: AbortSignal,
  onDeleted: () => void,
): Promise<void> {
  const waiting = [...ids].reverse();
  let failure: unknown = null;
  const worker = async () => {
    while (failure === null && !signal.aborted) {
      const id = waiting.pop();
      if (id === undefined) return;
      try {
        await repeatedOnce(() => deleteMedia(client, id));
        onDeleted();
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_DELETES }, worker));
  if (failure !== null) throw failure;
}

async function deleteEmptied(client: SiteClient, id: string): Promise<void> {
  try {
    await repeatedOnce(() => deleteCollection(client, id));
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== 'api.conflict') throw error;
    throw appError('collection.not-empty', { details: { ...error.details }, cause: error });
  }
}

/** Sends a deletion, and sends it once more when its reply is lost: deletions are idempotent. */
async function repeatedOnce(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof AppError) || outcomeOf(error) !== 'unknown' || concernsLibrary(error)) throw error;
    await action();
  }
}

function* chunksOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += IDS_PER_REQUEST) yield ids.slice(start, start + IDS_PER_REQUEST);
}
