import { type Collection, collectionSchema } from '../../../../shared/api/collections.ts';
import { PODCAST_FIELDS } from '../../../../shared/api/podcast-fields.ts';
import type { PodcastDetails } from '../../../../shared/api/podcasts.ts';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { foldCollection } from '../../../../shared/model/edits/collection-fold.ts';
import {
  COLLECTION_FIELDS,
  type CollectionOp,
  type EditableCollection,
  editableCollectionOf,
} from '../../../../shared/model/edits/collection-ops.ts';
import type { PendingCollections } from '../edit-port.ts';
import { type CollectionIndex, indexOf, type StoredEntry } from './collection-index.ts';

/** A collection as it was last read from the library; `podcast`: its details, if they were read. */
export interface KnownCollection {
  collection: Collection;
  podcast: PodcastDetails | null;
}

/**
 * Returns the tree as the user sees it: the collections of the library with the pending edits. `idOf`: the library's id of a
 * collection that was created on this computer. A collection that is to be deleted stays, with a mark.
 */
export function withPendingCollections(
  index: CollectionIndex,
  { opsOf, asking }: PendingCollections,
  idOf: (id: string) => string,
): CollectionIndex {
  if (opsOf.size === 0) return index;
  const entries = new Map<string, StoredEntry>();
  for (const [id, { row }] of index.nodes) entries.set(id, row);
  for (const [id, ops] of opsOf) {
    const known = entries.get(id);
    const pending = pendingOf(ops);
    if (pending === null || (known === undefined && pending !== 'created')) continue;
    const folded = foldCollection(known === undefined ? null : stateOf(known), ops, id);
    const marks = { pending, ...(asking.has(id) ? { needsDecision: true } : {}) };
    if (folded !== null) entries.set(id, { ...entryOf(known, folded, idOf), ...marks });
    else if (known !== undefined) entries.set(id, { ...known, ...marks });
  }
  for (const id of opsOf.keys()) keepInPlaceOfCircle(id, index, entries);
  return indexOf([...entries.values()]);
}

/**
 * Keeps a collection at the library's place when its pending move would close a cycle: someone else moved the new parent into it
 * meanwhile. Otherwise one of the two would be shown at the top, where nobody moved it.
 */
function keepInPlaceOfCircle(id: string, index: CollectionIndex, entries: Map<string, StoredEntry>): void {
  const known = index.nodes.get(id)?.row;
  const entry = entries.get(id);
  if (known === undefined || entry === undefined || known.parentId === entry.parentId) return;
  const passed = new Set<string>();
  for (let at = entry.parentId; at !== null && !passed.has(at); at = entries.get(at)?.parentId ?? null) {
    passed.add(at);
    if (at === id) entries.set(id, { ...entry, parentId: known.parentId });
  }
}

/** Returns the combined effect of the pending ops of a collection; null: none. */
function pendingOf(ops: readonly CollectionOp[]): NonNullable<CollectionRow['pending']> | null {
  const isNew = ops[0]?.kind === 'create-collection';
  const isDeleted = ops.some(({ kind }) => kind === 'delete-collection');
  if (ops.length === 0 || (isNew && isDeleted)) return null;
  if (isDeleted) return 'deleted';
  return isNew ? 'created' : 'changed';
}

function stateOf({ id, parentId, displayName, slug, isPodcast }: StoredEntry): EditableCollection {
  return { id, parentId, values: { display_name: displayName, slug, is_podcast: isPodcast } };
}

function entryOf(
  known: StoredEntry | undefined,
  { id, parentId, values }: EditableCollection,
  idOf: (id: string) => string,
): StoredEntry {
  return {
    id,
    parentId: parentId === null ? null : idOf(parentId),
    displayName: String(values.display_name ?? ''),
    slug: String(values.slug ?? ''),
    isPodcast: values.is_podcast === true,
    mediaCount: known === undefined ? 0 : known.mediaCount,
  };
}

/**
 * Returns a collection as the user sees it; null when there is nothing to show. `truth` null: the library does not have it yet.
 */
export function effectiveCollection(
  id: string,
  truth: KnownCollection | null,
  ops: readonly CollectionOp[],
): KnownCollection | null {
  const before = truth === null ? null : editableCollectionOf(truth.collection, truth.podcast);
  const kept = ops.filter(({ kind }) => kind !== 'delete-collection');
  const folded = foldCollection(before, kept, id);
  if (folded === null) return null;
  const { parentId, values } = folded;
  const blank = truth?.collection ?? collectionSchema.parse({ id });
  const fields = Object.fromEntries(
    COLLECTION_FIELDS.flatMap((field) => (values[field] === undefined ? [] : [[field, values[field]]])),
  );
  const isSameText = values.description === blank.description;
  const collection = {
    ...blank,
    ...fields,
    parent_id: parentId,
    // Only the library can create the plain form.
    description_plain: isSameText ? blank.description_plain : null,
  } as Collection;
  const isPodcastKnown = truth?.podcast != null || truth === null || PODCAST_FIELDS.some((field) => field in values);
  const podcast = isPodcastKnown
    ? (Object.fromEntries(PODCAST_FIELDS.map((field) => [field, values[field] ?? null])) as PodcastDetails)
    : null;
  return { collection, podcast };
}

/** Returns the collection of a tree row as a record of the API; values that the tree lacks are blank. */
export function collectionOfRow({ id, parentId, displayName, slug, isPodcast, mediaCount }: StoredEntry): Collection {
  return collectionSchema.parse({
    id,
    parent_id: parentId,
    display_name: displayName,
    slug,
    is_podcast: isPodcast,
    media_count: mediaCount ?? 0,
  });
}
