import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { EditState, EditValue, GroupChange } from '../../../../shared/contract/edits.ts';
import { type AnyOp, COLLECTION_OP_VERSIONS, isDeletion } from '../../../../shared/model/edits/collection-ops.ts';
import { OP_VERSIONS } from '../../../../shared/model/edits/edit-ops.ts';
import type { Difference } from '../../../../shared/model/edits/seen-item.ts';
import type { SentCreation } from '../../library/collections/create-collection-once.ts';
import type { SentItem } from '../../library/items/restored-item.ts';

/** The kind of an edit's subject. The ids of items and those of collections can be equal. */
export type EntityKind = 'media' | 'collection';

/**
 * The outcome of one op; null while it is open.
 * - `sent`        the library has the value because of this op
 * - `same`        the library had the wanted value already
 * - `superseded`  a later op of the same user replaced it before it was sent
 * - `left`        part of an undo: someone changed the value since, so it was not restored
 * - `theirs`      the user accepted the value of someone else
 * - `dropped`     the user dropped it
 */
export type OpOutcome = 'sent' | 'same' | 'superseded' | 'left' | 'theirs' | 'dropped';

/** An op in the journal. */
export interface StoredOp {
  op: AnyOp;
  outcome: OpOutcome | null;
  /** Whether the user has to decide about it. */
  asks?: boolean;
  /** The value of someone else: in a conflict, or when an undo did not replace it. */
  theirs?: EditValue;
  /** In a question about the deletion of an item: the changes of other users since the user deleted it. */
  since?: readonly Difference[];
  /** In a question: the op with the value of someone else as its base, for “keep mine”. */
  seen?: AnyOp;
  /** The values that the user's decisions replaced, the oldest first: history shows them. */
  lost?: readonly EditValue[];
  /** The value in the library right after the op was sent; an undo restores only while this is still the value. */
  wrote?: EditValue;
  /** An undo dropped it, so a redo applies it again. */
  isUndone?: boolean;
  /**
   * It was dropped, but the library may have it: its request got no answer, and no open op set that value. If an undo dropped it,
   * the undo restores the value before; otherwise the next edit of the value accepts it.
   */
  isUnanswered?: boolean;
  /**
   * Values that the library may have instead of the base, after requests of this computer without an answer whose edits were
   * dropped. They count like the base, and no other op cancels an op that has this list, even an empty one. For a tag: booleans,
   * whether the item has the tag.
   */
  otherBases?: readonly EditValue[];
  /**
   * For an op about a tag: the item was in the wanted state before the op, because the opposite edit before it was dropped. An
   * undo keeps that state.
   */
  isBase?: boolean;
  /** The library accepted the op's request, but the result was not read: after a crash the op is not sent again. */
  isAccepted?: boolean;
  /** For a creation: the attempts that may have created the collection. */
  sentCreations?: readonly SentCreation[];
  /**
   * For a deletion of a collection: the items that its first attempt was about to delete. After a partial deletion, any other
   * item in the collection was not confirmed, whatever the counts are.
   */
  begunItems?: readonly string[];
  /** For a refused edit: the attempts to create its item again. In the first op of the record. */
  sentItems?: readonly SentItem[];
  /** For a refused edit: the item that was created again, before the record is dropped. In the first op of the record. */
  restoredAs?: string;
  /** For a creation that an older version sent: the ids that its parent contained before, the parent and the name. */
  siblings?: readonly string[];
  sentParentId?: string;
  sentName?: string;
}

/** The ops of one group about one entity. Times are epoch ms. */
export interface EditRecord {
  seq: number;
  groupSeq: number;
  siteId: string;
  entityKind: EntityKind;
  /** For a collection that is not in the library yet: its local id. */
  entityId: string;
  /** The title at the time of the edit. */
  name: string;
  /** null: unreadable, or of a newer version. Such a record is kept and never sent. */
  ops: readonly StoredOp[] | null;
  state: EditState;
  error: AppErrorData | null;
  /** Retries used. The column is `attempts`. */
  retries: number;
  /** When it may be tried again; null: at once. */
  nextAt: number | null;
  /** When the first request that changes something was started for the record; null: none was. */
  sentAt: number | null;
  createdAt: number;
  endedAt: number | null;
}

/** One action of the user. */
export interface GroupRecord {
  seq: number;
  id: string;
  siteId: string;
  label: string;
  change: GroupChange | null;
  items: number;
  firstName: string;
  undoes: string | null;
  /** The group that restores the sent values; null: the group was not undone, or nothing had been sent. */
  undoneBy: string | null;
  undoneAt: number | null;
  /** The group that applied this group again after its undo. */
  redoneBy: string | null;
  createdAt: number;
  endedAt: number | null;
}

/** States of records that must still be sent or decided. */
export const OPEN_EDIT_STATES = ['pending', 'held', 'conflict', 'refused'] as const satisfies readonly EditState[];

export function isOpenState(state: EditState): boolean {
  return (OPEN_EDIT_STATES as readonly EditState[]).includes(state);
}

/**
 * Returns whether no open record of an item or collection is sent now: the first record waits for a decision; or its deletion
 * does, and the answer decides about all records: they are dropped with the item, or are sent.
 */
export function areBlocked(records: readonly EditRecord[]): boolean {
  const [first] = records;
  return first !== undefined && (first.state !== 'pending' || records.some(asksToDelete));
}

/** Returns whether a record asks its user about the deletion of the item or collection. */
export function asksToDelete({ ops }: Pick<EditRecord, 'ops'>): boolean {
  return (ops ?? []).some(({ op, asks }) => asks === true && isDeletion(op));
}

/** Whether the ops of a record create a collection. */
export function isCreation(ops: EditRecord['ops']): boolean {
  return (ops ?? []).some(({ op }) => op.kind === 'create-collection');
}

/**
 * Returns whether a record creates a collection that an earlier request may have created: only a check of the library can end it.
 */
export function isUnclearCreation({ state, ops }: EditRecord): boolean {
  if (!isOpenState(state)) return false;
  return (ops ?? []).some((stored) => stored.outcome === null && sentCreationsOf(stored, (id) => id).length > 0);
}

/** Returns the state of a record whose ops have these outcomes. */
export function editStateOf(ops: readonly StoredOp[]): EditState {
  const asking = ops.filter(({ asks }) => asks === true);
  if (asking.some(({ op, theirs }) => op.kind !== 'publish' || theirs !== undefined)) return 'conflict';
  if (asking.length > 0) return 'held';
  if (ops.some(({ outcome }) => outcome === null)) return 'pending';
  if (ops.some(({ outcome }) => outcome === 'left')) return 'left';
  return ops.every(({ outcome }) => outcome === 'dropped' || outcome === 'theirs') ? 'dropped' : 'done';
}

/** Returns the items that the open deletion of a collection was about to delete; null when none has begun. */
export function begunItemsOf(records: readonly EditRecord[]): readonly string[] | null {
  const open = records.flatMap(({ ops }) => ops ?? []).filter(({ outcome }) => outcome === null);
  return open.find(({ begunItems }) => begunItems !== undefined)?.begunItems ?? null;
}

/** Returns ops with the items that the open deletion among them is about to delete. */
export function withBegunItems(ops: EditRecord['ops'], begunItems: readonly string[]): readonly StoredOp[] | null {
  if (ops === null) return null;
  const isBegun = ({ op, outcome }: StoredOp) => op.kind === 'delete-collection' && outcome === null;
  return ops.map((each) => (isBegun(each) ? { ...each, begunItems } : each));
}

/** Returns the attempts that may have created the collection of a creation. `idOf`: the library's id of a local id. */
export function sentCreationsOf(stored: StoredOp, idOf: (id: string) => string): readonly SentCreation[] {
  const { op, sentCreations, siblings, sentParentId, sentName } = stored;
  if (op.kind !== 'create-collection') return [];
  if (sentCreations !== undefined || siblings === undefined) return sentCreations ?? [];
  const names = [sentName ?? String(op.values.display_name ?? '')];
  return [{ parentId: idOf(sentParentId ?? op.parentId), siblings, names }];
}

/** Returns the ops of a record with the attempts that may have created its collection; null when the ops are unreadable. */
export function withSentCreations(
  ops: EditRecord['ops'],
  sentCreations: readonly SentCreation[],
): readonly StoredOp[] | null {
  if (ops === null) return null;
  return ops.map((each) => {
    if (each.op.kind !== 'create-collection') return each;
    const { sentCreations: _, siblings: __, sentParentId: ___, sentName: ____, ...stored } = each;
    return sentCreations.length === 0 ? stored : { ...stored, sentCreations };
  });
}

/** Returns the ops of a stored text; null when it is damaged or has an op that this version does not know. */
export function parseOps(text: string): StoredOp[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return Array.isArray(value) && value.length > 0 && value.every(isStoredOp) ? value : null;
}

function isStoredOp(value: unknown): value is StoredOp {
  if (typeof value !== 'object' || value === null || !('outcome' in value)) return false;
  const { op } = value as { op?: unknown };
  return typeof op === 'object' && op !== null && isEditOp(op as Record<string, unknown>);
}

function isEditOp(op: Record<string, unknown>): boolean {
  const kind = op.kind as AnyOp['kind'];
  const versions: Readonly<Record<string, number>> = { ...OP_VERSIONS, ...COLLECTION_OP_VERSIONS };
  if (!Object.hasOwn(versions, kind) || op.v !== versions[kind]) return false;
  switch (kind) {
    case 'set-field':
    case 'move-collection':
    case 'move-to-parent':
      return typeof op.base === 'string' && typeof op.mine === 'string';
    case 'set-collection-field':
    case 'set-podcast-field':
      return typeof op.field === 'string' && op.base !== undefined && op.mine !== undefined;
    case 'create-collection':
      return typeof op.parentId === 'string' && typeof op.values === 'object' && op.values !== null;
    case 'delete-collection':
      return typeof op.base === 'object' && op.base !== null;
    case 'add-tag':
    case 'remove-tag':
      return typeof op.tag === 'string';
    case 'publish':
    case 'unpublish':
      return typeof op.base === 'object' && op.base !== null;
    case 'delete-file':
      return typeof op.fileId === 'string' && typeof op.name === 'string';
    case 'add-embed':
      return typeof op.url === 'string' && typeof op.name === 'string';
    case 'delete':
      return typeof op.base === 'string';
  }
}
