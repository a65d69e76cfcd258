import { appError } from '../../../shared/contract/app-error.ts';
import type { EditChoice, EditRowsRef } from '../../../shared/contract/edits.ts';
import { fieldOfAnyOp, keyOfAnyOp } from '../../../shared/model/edits/collection-fold.ts';
import { type AnyField, type AnyOp, isLocalId } from '../../../shared/model/edits/collection-ops.ts';
import type { Clock } from '../ports/clock.ts';
import { type EditJournal, keyOfEntity } from './edit-journal.ts';
import {
  type EditRecord,
  type EntityKind,
  type GroupRecord,
  isCreation,
  isOpenState,
  isUnclearCreation,
  type StoredOp,
} from './edit-row.ts';
import { type RecordChange, settled } from './record-replay.ts';
import { DELETE_NEW_COLLECTION, redoOf, undoOf } from './undo-group.ts';

export interface EditCommandTools {
  journal: EditJournal;
  clock: Clock;
  /** Whether an item is being sent at this moment. */
  isRunning(key: string): boolean;
  /** Resolves when none of these items is being sent. */
  whenNotRunning(keys: readonly string[]): Promise<void>;
  /** Edits were released. */
  wake(): void;
}

/** The commands of the user about edits in the journal. */
export class EditCommands {
  readonly #tools: EditCommandTools;

  constructor(tools: EditCommandTools) {
    this.#tools = tools;
  }

  /** Returns the group. Throws `edit.unknown`. */
  group(groupId: string): GroupRecord {
    const group = this.#tools.journal.store.group(groupId);
    if (group === null) throw appError('edit.unknown', { details: { groupId } });
    return group;
  }

  /** Sends refused records again, and pending ones at once. Returns how many. */
  retry(ref: EditRowsRef): number {
    const changes = this.#records(ref)
      .filter(
        ({ state, nextAt, ops }) => ops !== null && (state === 'refused' || (state === 'pending' && nextAt !== null)),
      )
      .map(
        (before): RecordChange => ({
          before,
          after: { ...before, state: 'pending', error: null, attempts: 0, nextAt: null },
        }),
      );
    return this.#record(changes);
  }

  /**
   * Drops open records that are not in flight. Returns how many. Edits that need a collection whose creation is dropped are
   * refused. `isUndo`: a redo makes them again, and a creation that the library may have received stays open: a deletion
   * undoes it.
   */
  drop(ref: EditRowsRef, isUndo = false): number {
    const { journal, isRunning } = this.#tools;
    const chosen = this.#records(ref).filter((record) => {
      const { state, siteId, entityId, entityKind } = record;
      if (!isOpenState(state) || isRunning(keyOfEntity(siteId, entityId, entityKind))) return false;
      return !isUndo || !isUnclearCreation(record);
    });
    const changes = new Map<number, RecordChange>();
    for (const before of chosen) {
      changes.set(before.seq, { before, after: this.#dropped(before, isUndo) });
    }
    // A later edit of the same value was made on top of the dropped one.
    for (const before of chosen) {
      for (const later of journal.store.openOf(before.siteId, before.entityId, before.entityKind)) {
        if (later.seq <= before.seq || changes.get(later.seq)?.after.state === 'dropped') continue;
        const known = changes.get(later.seq);
        changes.set(later.seq, { before: later, after: withoutBase(known?.after ?? later, before) });
      }
    }
    const ids = new Set(
      chosen.flatMap(({ entityId, ops }) => (isCreation(ops) && isLocalId(entityId) ? [entityId] : [])),
    );
    for (const before of ids.size === 0 ? [] : this.#needing(ids)) {
      if (changes.get(before.seq)?.after.state === 'dropped') continue;
      const error = appError('edit.collection-not-created').toData();
      changes.set(before.seq, { before, after: { ...before, state: 'refused', error, nextAt: null } });
    }
    this.#record([...changes.values()]);
    return chosen.length;
  }

  /** The first pending records of everything that needs one of these collections, and what follows the creation itself. */
  #needing(localIds: ReadonlySet<string>): EditRecord[] {
    const { journal } = this.#tools;
    const records: EditRecord[] = [];
    for (const { siteId, entityId, entityKind, waitsOn } of journal.openEntities()) {
      if (!localIds.has(entityId) && !waitsOn.some((id) => localIds.has(id))) continue;
      const open = journal.store
        .openOf(siteId, entityId, entityKind)
        .filter(({ ops }) => !isCreation(ops) || !localIds.has(entityId));
      const [first] = open;
      if (first?.state === 'pending') records.push(first);
    }
    return records;
  }

  /** Returns the records that may have created a collection, and lets them be checked now if they were refused. */
  checkUnclear(records: readonly EditRecord[]): EditRecord[] {
    const unclear = records.filter(isUnclearCreation);
    if (unclear.length > 0) this.retry({ ids: unclear.map(({ seq }) => String(seq)) });
    return unclear;
  }

  /**
   * Drops the records of items that wait for a decision: the items are to be deleted, so no decision is needed. A
   * collection that may have been created is looked for instead.
   */
  dropBlocked(siteId: string, entityIds: readonly string[], entityKind: EntityKind = 'media'): void {
    const { journal } = this.#tools;
    const blocked = entityIds
      .filter((entityId) => journal.openEntity(siteId, entityId, entityKind)?.isBlocked === true)
      .flatMap((entityId) => journal.store.openOf(siteId, entityId, entityKind));
    const unclear = this.checkUnclear(blocked);
    const ids = blocked.flatMap((record) => (unclear.includes(record) ? [] : [String(record.seq)]));
    if (ids.length > 0) this.drop({ ids });
  }

  /** Decides records that ask the user. `field` null: every field that needs a decision. Returns how many records. */
  resolve(ref: EditRowsRef, field: AnyField | null, choice: EditChoice): number {
    const { journal, clock } = this.#tools;
    const changes: RecordChange[] = [];
    for (const before of this.#records(ref)) {
      if (before.state !== 'conflict' && before.state !== 'held') continue;
      const ops = (before.ops ?? []).map((stored) => {
        const isMeant = stored.asks === true && (field === null || fieldOfAnyOp(stored.op) === field);
        return isMeant ? decided(stored, choice) : stored;
      });
      if (ops.every((stored, index) => stored === before.ops?.[index])) continue;
      const after = settled({ ...before, ops, attempts: 0 }, clock.now());
      changes.push({ before, after });
      if (choice.kind !== 'theirs') continue;
      for (const later of journal.store.openOf(before.siteId, before.entityId, before.entityKind)) {
        if (later.seq > before.seq) changes.push({ before: later, after: onTheirs(later, before) });
      }
    }
    this.#record(changes);
    return changes.filter(({ before }) => before.state !== 'pending').length;
  }

  /**
   * Undoes a group, see `edits.undo`. Waits for its items in flight. Returns the group that restores what was sent, and
   * what could not be undone.
   */
  async undo(groupId: string) {
    const { journal, wake } = this.#tools;
    const group = this.group(groupId);
    if (group.undoneAt !== null) throw appError('edit.cant-undo', { details: { groupId, undoneBy: group.undoneBy } });
    const dropped = await this.#dropAll(groupId);
    const records = journal.store.byGroup(group.seq);
    const { edits, notRestorable } = undoOf(records);
    for (const { entityKind, entityId, name } of this.checkUnclear(records)) {
      edits.push({ entityKind, entityId, name, ops: [{ op: DELETE_NEW_COLLECTION, outcome: null }] });
    }
    if (edits.length === 0 && dropped === 0) throw appError('edit.cant-undo', { details: { groupId, notRestorable } });
    const { siteId, label } = group;
    const undoing =
      edits.length === 0 ? null : await journal.add({ siteId, label, change: null, undoes: groupId, edits });
    if (undoing === null) journal.noteUndone(group.seq);
    wake();
    return { group: undoing, dropped, restoring: edits.length, notRestorable };
  }

  /**
   * Makes an undone group again, see `edits.redo`: what the undo dropped, and the inverse of what it restored. An undo that is
   * not sent yet is dropped instead. Returns the new group; null when nothing of it is left to do.
   */
  async redo(groupId: string) {
    const { journal, wake } = this.#tools;
    const { seq, siteId, label, change, undoneAt, undoneBy, redoneBy } = this.group(groupId);
    if (undoneAt === null || redoneBy !== null) throw appError('edit.cant-redo', { details: { groupId } });
    if (undoneBy !== null) await this.#dropAll(undoneBy);
    const undo = undoneBy === null ? [] : journal.store.byGroup(this.group(undoneBy).seq);
    const edits = redoOf(journal.store.byGroup(seq), undo, () => journal.newLocalId());
    if (edits.length === 0) {
      journal.noteNotUndone(seq);
      return null;
    }
    const group = await journal.add({ siteId, label, change, undoes: null, redoes: groupId, edits });
    wake();
    return group;
  }

  /** Drops the open edits of a group, also those in flight if they stay open. Returns how many. */
  async #dropAll(groupId: string): Promise<number> {
    const { journal, isRunning, whenNotRunning } = this.#tools;
    const before = journal.store.byGroup(this.group(groupId).seq);
    const dropped = this.drop({ groupId, filter: 'open' }, true);
    const keys = before.map((each) => keyOfEntity(each.siteId, each.entityId, each.entityKind));
    await whenNotRunning(keys.filter(isRunning));
    return dropped + this.drop({ groupId, filter: 'open' }, true);
  }

  #records(ref: EditRowsRef): EditRecord[] {
    const { store } = this.#tools.journal;
    if ('ids' in ref)
      return [...new Set(ref.ids)].flatMap((id) => (/^\d{1,15}$/.test(id) ? (store.get(Number(id)) ?? []) : []));
    const groupSeq = ref.groupId === null ? null : this.group(ref.groupId).seq;
    return store.page({ groupSeq, filter: ref.filter, entityId: null }, 0, -1).records;
  }

  #dropped(before: EditRecord, isUndo: boolean): EditRecord {
    const { clock } = this.#tools;
    // A damaged record keeps its text.
    if (before.ops === null) return { ...before, state: 'dropped', endedAt: clock.now() };
    const ops = before.ops.map((stored): StoredOp => {
      if (stored.outcome !== null) return stored;
      const { asks: _, ...rest } = stored;
      return { ...rest, outcome: 'dropped', ...(isUndo ? { isUndone: true } : {}) };
    });
    return { ...settled({ ...before, ops }, clock.now()), error: before.error };
  }

  #record(changes: readonly RecordChange[]): number {
    this.#tools.journal.record(changes);
    if (changes.length > 0) this.#tools.wake();
    return changes.length;
  }
}

/** Returns an op after the user's decision. Every answer but `theirs` sends it with their value as the base. */
function decided(stored: StoredOp, choice: EditChoice): StoredOp {
  const { op, theirs, seen = op } = stored;
  switch (choice.kind) {
    case 'theirs':
      return { op, outcome: 'theirs', ...(theirs === undefined ? {} : { theirs }) };
    case 'mine':
      return theirs === undefined ? stored : { op: seen, outcome: null };
    case 'value':
      if (seen.kind !== 'set-field' && seen.kind !== 'set-collection-field' && seen.kind !== 'set-podcast-field')
        return stored;
      return { op: { ...seen, mine: choice.value } as AnyOp, outcome: null };
    case 'now':
      return seen.kind === 'publish' ? { op: { ...seen, when: 'now' }, outcome: null } : stored;
    case 'at':
      return seen.kind === 'publish' ? { op: { ...seen, when: { at: choice.at } }, outcome: null } : stored;
  }
}

/** Returns a later record whose ops on the same values get the base of the dropped ones. */
function withoutBase(later: EditRecord, dropped: EditRecord): EditRecord {
  const open = (dropped.ops ?? []).filter(({ outcome }) => outcome === null);
  return onBases(later, new Map(open.map(({ op }) => [keyOfAnyOp(op), op])));
}

/** Returns a record whose open ops have the bases of others, by `keyOfOp`. */
function onBases(record: EditRecord, bases: ReadonlyMap<string, AnyOp>): EditRecord {
  const ops = record.ops?.map((stored) => {
    const { op, outcome } = stored;
    const other = bases.get(keyOfAnyOp(op));
    if (outcome !== null || other === undefined || !('base' in other) || !('base' in op)) return stored;
    return { ...stored, op: { ...op, base: other.base } as AnyOp };
  });
  return ops === undefined ? record : { ...record, ops };
}

/** Returns a later record of the user who took their value: it acts as an edit on top of that value. */
function onTheirs(later: EditRecord, resolved: EditRecord): EditRecord {
  const asked = (resolved.ops ?? []).flatMap(({ asks, seen }) => (asks && seen !== undefined ? [seen] : []));
  return onBases(later, new Map(asked.map((op) => [keyOfAnyOp(op), op])));
}
