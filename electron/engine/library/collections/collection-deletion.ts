import { AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { CollectionDeletion, CollectionsDeleted } from '../../../../shared/contract/collections.ts';
import { outcomeOf } from '../../api/classify.ts';
import { deleteCollection, getCollection, getCollectionTree } from '../../api/collections.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { countMedia, deleteMedia, listMedia, listMediaWithFiles } from '../../api/media.ts';
import { fetchIndex } from './collection-cache.ts';
import { type CollectionIndex, idsFrom, indexOfTree } from './collection-index.ts';
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
  const ids = branches.flatMap((branch) => branch.ids);
  let items = 0;
  for (const chunk of chunksOf(ids)) items += await countMedia(client, { collection_id: chunk.join(',') });
  return {
    collections: ids.length,
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
  collections: number;
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
  for (const { collectionId: id, ids } of branches) {
    let items = 0;
    for (const chunk of chunksOf(ids)) items += await countMedia(client, { collection_id: chunk.join(',') });
    counts.push({ id, collections: ids.length, items });
  }
  return counts;
}

/**
 * What pending edits add to a collection, or take away from it (negative): they are sent before its deletion. `effective`: the tree with
 * these edits.
 */
export function pendingCount(truth: CollectionIndex, effective: CollectionIndex, id: string): Omit<BranchCount, 'id'> {
  const before = new Set(idsFrom(truth, id));
  const after = new Set(idsFrom(effective, id));
  const itemsOf = (ids: readonly string[]) =>
    ids.reduce((sum, each) => sum + (effective.nodes.get(each)?.row.mediaCount ?? 0), 0);
  const added = [...after].filter((each) => !before.has(each));
  const removed = [...before].filter((each) => !after.has(each));
  return { collections: added.length - removed.length, items: itemsOf(added) - itemsOf(removed) };
}

/**
 * Returns counts of the library with what pending edits add or take away. `chosen`: the number of collections that are deleted at
 * least. The library can have changed since its tree was read: what was taken away there is not taken away again below that.
 */
export function withPendingCounts<Counts extends Omit<BranchCount, 'id'>>(
  counted: Counts,
  pending: readonly Omit<BranchCount, 'id'>[],
  chosen: number,
): Counts {
  const sum = (of: 'collections' | 'items') => pending.reduce((all, each) => all + each[of], counted[of]);
  return { ...counted, collections: Math.max(chosen, sum('collections')), items: Math.max(0, sum('items')) };
}

/** As `countBranches`, for one collection, from the tree alone. */
export function storedCount(index: CollectionIndex, id: string): BranchCount {
  const ids = idsFrom(index, id);
  const items = ids.reduce((sum, each) => sum + (index.nodes.get(each)?.row.mediaCount ?? 0), 0);
  return { id, collections: Math.max(1, ids.length), items };
}

/** As `planDeletion`, from the tree alone: what the account may not delete shows when it is sent. */
export function storedDeletion(index: CollectionIndex, collectionIds: readonly string[]): CollectionDeletion {
  const counts = topOf(index, collectionIds).map((id) => storedCount(index, id));
  const ids = collectionIds.flatMap((id) => idsFrom(index, id));
  return {
    collections: counts.reduce((sum, each) => sum + each.collections, 0),
    items: counts.reduce((sum, each) => sum + each.items, 0),
    files: null,
    podcasts: [...new Set(ids)].filter((id) => index.nodes.get(id)?.row.isPodcast === true).length,
    forbidden: [],
    isStored: true,
  };
}

interface DeletionTask {
  collectionIds: readonly string[];
  /** What the user confirmed. A deletion that would remove more is refused. */
  confirmed: { collections: number; items: number };
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
  const collections = branches.reduce((sum, { ids }) => sum + ids.length, 0);
  const listed = contents.flatMap((each) => each.items);
  const items = listed.length;
  const begun = task.begunItems === null ? null : new Set(task.begunItems);
  const isUnconfirmed = begun !== null && listed.some((id) => !begun.has(id));
  if (collections > task.confirmed.collections || items > task.confirmed.items || isUnconfirmed) {
    throw appError('collection.grew', { details: { collections, items } });
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

function nameIn(index: CollectionIndex, id: string): string {
  return index.nodes.get(id)?.row.displayName ?? id;
}

interface Survey {
  branches: Branch[];
  index: CollectionIndex;
  forbidden: CollectionDeletion['forbidden'];
}

/** Reads the tree now. A chosen collection below another chosen one belongs to that one's branch. */
async function survey(client: SiteClient, collectionIds: readonly string[]): Promise<Survey> {
  const index = await fetchIndex(client);
  const branches: Branch[] = [];
  const covered = new Map<string, string>();
  const chosen = new Set(collectionIds);
  for (const collectionId of chosen) {
    if (hasAncestorIn(index, collectionId, chosen)) continue;
    const row = index.nodes.get(collectionId)?.row;
    // Not in the tree that the account sees: the error of the service says what it is.
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
  return { branches, index, forbidden };
}

/** Returns the collections without those below another one of them: their deletion takes these along. */
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
    return indexOfTree(await getCollectionTree(client, { permission: 'collection-delete' }));
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
      // A service that does not know the filter would list the whole library.
      if (inside.has(item.collection_id)) found.add(item.id);
    }
  }
  return [...found];
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

/** Deletions are idempotent: one whose reply was lost is sent again. */
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
