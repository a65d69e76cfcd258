import type { MediaItem } from '../../api/media.ts';
import { recordOf, TEXT_FIELDS, type TextFieldKey } from '../../item/fields.ts';

/** Whether and when an item is public. `publishOn` is ISO-8601 UTC. */
export interface Publication {
  status: string;
  publishOn: string | null;
  /**
   * For an item that a request of this computer may have published, with a date that the library set: the instants between which
   * it did.
   */
  between?: Instants;
}

/** Two instants by the clock of the library, ISO-8601 UTC. */
export interface Instants {
  from: string;
  to: string;
}

/**
 * The values of a media item that edits read and change. Blank texts are empty strings, because libraries store a blank
 * value as null or as an empty text.
 */
export interface EditableMedia extends Readonly<Record<TextFieldKey, string>> {
  id: string;
  tags: readonly string[];
  collectionId: string;
  status: string;
  publishOn: string | null;
}

/** The values of an item when its user deleted it, so that a question can list later changes of other users. */
export type SeenItem = Omit<EditableMedia, 'id' | TextFieldKey> & {
  /** A text that is too long to be kept with a deletion is only a checksum of its canonical form (`sum`). */
  [Field in TextFieldKey]: string | { sum: string };
};

/** When an item is to be published: now, with the date that it already has, or at an instant (ISO-8601 UTC). */
export type PublishAt = 'now' | 'kept' | { at: string };

/**
 * One intent of the user about one entity, with the value that the user saw (`base`). Stored in the journal, so a kind
 * is never removed and a changed meaning gets a new version.
 */
export type EditOp =
  | { kind: 'set-field'; v: 1; field: TextFieldKey; base: string; mine: string }
  | { kind: 'add-tag'; v: 1; tag: string }
  | { kind: 'remove-tag'; v: 1; tag: string }
  | { kind: 'move-collection'; v: 1; base: string; mine: string }
  /** `between`: the time in which its requests so far can have published the item, if the library sets the date. */
  | { kind: 'publish'; v: 1; base: Publication; when: PublishAt; between?: Instants }
  | { kind: 'unpublish'; v: 1; base: Publication }
  /** `base`: `fingerprintOf` the item that the user saw; `saw`: its values, missing in an op of an older version. */
  | { kind: 'delete'; v: 1; base: string; saw?: SeenItem }
  | FileOp;

/** An intent about a file of the item. It changes no value of the item. */
export type FileOp =
  /** Deletes a file with its encodings. `name`: for history. */
  | { kind: 'delete-file'; v: 1; fileId: string; name: string }
  /** Adds content of another website, which the library only embeds. */
  | { kind: 'add-embed'; v: 1; url: string; name: string };

/** Returns the publication of an item after an op. The library sets the date of an item that is published now: it is null. */
export function publicationOf(op: Extract<EditOp, { kind: 'publish' | 'unpublish' }>): Publication {
  if (op.kind === 'unpublish') return { status: 'draft', publishOn: null };
  if (typeof op.when === 'object') return { status: 'scheduled', publishOn: op.when.at };
  if (op.when === 'kept' && op.base.publishOn !== null) return { status: 'published', publishOn: op.base.publishOn };
  return { status: 'published', publishOn: null, ...(op.between === undefined ? {} : { between: op.between }) };
}

/** The time after which a request can't take effect any more: its time limit, and then the time in which it may be processed. */
const TAKES_EFFECT_MS = 120_000;
/** The precision of the known time of the library. */
const CLOCK_ERROR_MS = 5000;

/**
 * Returns an op in the form that is stored before its request: an op that publishes now contains the instants between which that
 * can take effect. `isRepeated`: an earlier request may have taken effect. `nowMs`: the time of the library.
 */
export function whenSent<Op extends { kind: string }>(op: Op, isRepeated: boolean, nowMs: number): Op {
  const publish = op as Op & Extract<EditOp, { kind: 'publish' }>;
  if (op.kind !== 'publish' || typeof publish.when === 'object') return op;
  const from = new Date(nowMs - CLOCK_ERROR_MS).toISOString();
  const to = new Date(nowMs + TAKES_EFFECT_MS).toISOString();
  return { ...op, between: { from: isRepeated ? (publish.between?.from ?? from) : from, to } };
}

/**
 * Returns whether the library may have published an item on this date because of a request that was sent between two instants.
 */
export function isBetween(publishOn: string | null, { from, to }: Instants): boolean {
  const at = Date.parse(publishOn ?? '');
  return at >= Date.parse(from) && at <= Date.parse(to);
}

export function isFileOp(op: { kind: string }): op is FileOp {
  return op.kind === 'delete-file' || op.kind === 'add-embed';
}

/** The kinds of intents with their current versions. An op of another kind or version is kept and never sent. */
export const OP_VERSIONS: Readonly<Record<EditOp['kind'], number>> = {
  'set-field': 1,
  'add-tag': 1,
  'remove-tag': 1,
  'move-collection': 1,
  publish: 1,
  unpublish: 1,
  delete: 1,
  'delete-file': 1,
  'add-embed': 1,
};

/** The fields that ops change, as screens name them. */
export const EDIT_FIELDS = [...TEXT_FIELDS, 'tags', 'collection', 'publication', 'files', 'item'] as const;
export type EditField = (typeof EDIT_FIELDS)[number];

/** Returns the field that an op changes. */
export function fieldOf(op: EditOp): EditField {
  switch (op.kind) {
    case 'set-field':
      return op.field;
    case 'add-tag':
    case 'remove-tag':
      return 'tags';
    case 'move-collection':
      return 'collection';
    case 'publish':
    case 'unpublish':
      return 'publication';
    case 'delete-file':
    case 'add-embed':
      return 'files';
    case 'delete':
      return 'item';
  }
}

/** Returns the editable values of an item as the library returned it. */
export function editableOf(item: MediaItem): EditableMedia {
  return {
    ...recordOf(TEXT_FIELDS, (field) => item[field] ?? ''),
    id: item.id,
    tags: item.tags,
    collectionId: item.collection_id,
    status: item.status,
    publishOn: item.publish_on,
  };
}
