import type { Collection } from '../../api/collections.ts';
import { PODCAST_FIELDS, type PodcastField } from '../../api/podcast-fields.ts';
import type { EditField, EditOp } from './edit-ops.ts';

/** The fields of a collection that can be edited, by their names in the API. */
export const COLLECTION_FIELDS = [
  'display_name',
  'slug',
  'description',
  'is_podcast',
  'inherit_memberships',
  'autotranscribe_enabled',
  'autotranscribe_subcollections',
  'autotranscribe_profile_id',
] as const;
type CollectionField = (typeof COLLECTION_FIELDS)[number];

/** Blank texts and null are equal: libraries store either. */
export type CollectionValue = string | boolean | null;
export type CollectionValues = Partial<Record<CollectionField | PodcastField, CollectionValue>>;

/** A collection as edits read and change it; a value that was not read is missing. Parents may be local ids. */
export interface EditableCollection {
  id: string;
  /** null: a top collection. */
  parentId: string | null;
  /** With the podcast details. */
  values: CollectionValues;
}

/**
 * One intent about a collection, with the value that the user saw (`base`). Stored in the journal like `EditOp`: kinds are
 * never removed.
 */
export type CollectionOp =
  | { kind: 'set-collection-field'; v: 1; field: CollectionField; base: CollectionValue; mine: CollectionValue }
  | { kind: 'set-podcast-field'; v: 1; field: PodcastField; base: CollectionValue; mine: CollectionValue }
  | { kind: 'move-to-parent'; v: 1; base: string; mine: string }
  | { kind: 'create-collection'; v: 1; parentId: string; values: CollectionValues }
  /**
   * `base`: what the user confirmed; a collection that contains anything else is not deleted without a question. `collectionIds`:
   * all collections that are deleted; absent when an older version stored the op, or only the collection itself was confirmed.
   */
  | {
      kind: 'delete-collection';
      v: 1;
      base: { collections: number; items: number; collectionIds?: readonly string[] };
    };

/** The kinds with their current versions. An op of another kind or version is kept and never sent. */
export const COLLECTION_OP_VERSIONS: Readonly<Record<CollectionOp['kind'], number>> = {
  'set-collection-field': 1,
  'set-podcast-field': 1,
  'move-to-parent': 1,
  'create-collection': 1,
  'delete-collection': 1,
};

/** An intent about an item or a collection. */
export type AnyOp = EditOp | CollectionOp;

/** What an op about a collection changes, as screens name it. `created`: the whole collection. */
export const COLLECTION_EDIT_FIELDS = [
  ...COLLECTION_FIELDS.filter((field) => field !== 'description'),
  ...PODCAST_FIELDS,
  'parent',
  'created',
] as const;
type CollectionEditField = Exclude<CollectionField, 'description'> | PodcastField | 'parent' | 'created';

/** Every field that an op of an item or a collection can change. */
export type AnyField = EditField | CollectionEditField;

/** Whether an op deletes the whole item or collection. */
export function isDeletion({ kind }: AnyOp): boolean {
  return kind === 'delete' || kind === 'delete-collection';
}

/** Whether an op is about a collection. */
export function isCollectionOp(op: AnyOp): op is CollectionOp {
  return Object.hasOwn(COLLECTION_OP_VERSIONS, op.kind);
}

/** Returns the field that an op about a collection changes. */
export function collectionFieldOf(op: CollectionOp): AnyField {
  switch (op.kind) {
    case 'set-collection-field':
    case 'set-podcast-field':
      return op.field;
    case 'move-to-parent':
      return 'parent';
    case 'create-collection':
      return 'created';
    case 'delete-collection':
      return 'item';
  }
}

const LOCAL_PREFIX = 'local:';

/** Returns the id of a collection that the library does not have yet. `uuid`: random, never used again. */
export function localIdOf(uuid: string): string {
  return `${LOCAL_PREFIX}${uuid}`;
}

/** Returns whether an id belongs to a collection that was created on this computer and may not be in the library yet. */
export function isLocalId(id: string): boolean {
  return id.startsWith(LOCAL_PREFIX);
}

/** Returns the local ids that must be in the library before an op can be sent. */
export function localIdsOf(op: AnyOp): string[] {
  const ids =
    op.kind === 'create-collection'
      ? [op.parentId]
      : op.kind === 'move-to-parent' || op.kind === 'move-collection'
        ? [op.base, op.mine]
        : [];
  return ids.filter(isLocalId);
}

/** Returns an op with the library's ids instead of local ones. `idOf`: returns an unknown id unchanged. */
export function withServerIds<Op extends AnyOp>(op: Op, idOf: (id: string) => string): Op {
  if (op.kind === 'create-collection') return { ...op, parentId: idOf(op.parentId) };
  if (op.kind === 'delete-collection' && op.base.collectionIds !== undefined)
    return { ...op, base: { ...op.base, collectionIds: op.base.collectionIds.map(idOf) } };
  if (op.kind !== 'move-to-parent' && op.kind !== 'move-collection') return op;
  return { ...op, base: idOf(op.base), mine: idOf(op.mine) };
}

/** Returns a collection as the library returned it; `podcast`: its podcast details, if they were read. */
export function editableCollectionOf(
  collection: Collection,
  podcast: Partial<Record<PodcastField, string | null>> | null,
): EditableCollection {
  const values: CollectionValues = {};
  for (const field of COLLECTION_FIELDS) values[field] = collection[field];
  for (const field of podcast === null ? [] : PODCAST_FIELDS) values[field] = podcast?.[field] ?? null;
  return { id: collection.id, parentId: collection.parent_id, values };
}
