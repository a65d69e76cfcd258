import { appError } from '../../../shared/contract/app-error.ts';
import type { EditChoice, EditRowsRef } from '../../../shared/contract/edits.ts';
import { type EditField, type EditOp, fieldOf } from '../../../shared/model/edits/edit-ops.ts';
import { keyOfOp } from '../../../shared/model/edits/fold.ts';
import type { Clock } from '../ports/clock.ts';
import { type EditJournal, keyOfEntity } from './edit-journal.ts';
import { type EditRecord, type GroupRecord, isOpenState, type StoredOp } from './edit-row.ts';
import { type RecordChange, settled } from './record-replay.ts';
import { undoOf } from './undo-group.ts';

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

  /** Drops open records that are not in flight. Returns how many. */
  drop(ref: EditRowsRef): number {
    const { journal, isRunning } = this.#tools;
    const chosen = this.#records(ref).filter(
      ({ state, siteId, entityId }) => isOpenState(state) && !isRunning(keyOfEntity(siteId, entityId)),
    );
    const changes = new Map<number, RecordChange>();
    for (const before of chosen) {
      changes.set(before.seq, { before, after: this.#dropped(before) });
    }
    // A later edit of the same value was made on top of the dropped one.
    for (const before of chosen) {
      for (const later of journal.store.openOf(before.siteId, before.entityId)) {
        if (later.seq <= before.seq || changes.get(later.seq)?.after.state === 'dropped') continue;
        const known = changes.get(later.seq);
        changes.set(later.seq, { before: later, after: withoutBase(known?.after ?? later, before) });
      }
    }
    this.#record([...changes.values()]);
    return chosen.length;
  }

  /** Drops the records of items that wait for a decision: the items are to be deleted, so no decision is needed. */
  dropBlocked(siteId: string, entityIds: readonly string[]): void {
    const { journal } = this.#tools;
    const ids = entityIds
      .filter((entityId) => journal.openEntity(siteId, entityId)?.isBlocked === true)
      .flatMap((entityId) => journal.store.openOf(siteId, entityId).map(({ seq }) => String(seq)));
    if (ids.length > 0) this.drop({ ids });
  }

  /** Decides records that ask the user. `field` null: every field that needs a decision. Returns how many records. */
  resolve(ref: EditRowsRef, field: EditField | null, choice: EditChoice): number {
    const { journal, clock } = this.#tools;
    const changes: RecordChange[] = [];
    for (const before of this.#records(ref)) {
      if (before.state !== 'conflict' && before.state !== 'held') continue;
      const ops = (before.ops ?? []).map((stored) => {
        const isMeant = stored.asks === true && (field === null || fieldOf(stored.op) === field);
        return isMeant ? decided(stored, choice) : stored;
      });
      if (ops.every((stored, index) => stored === before.ops?.[index])) continue;
      const after = settled({ ...before, ops, attempts: 0 }, clock.now());
      changes.push({ before, after });
      if (choice.kind !== 'theirs') continue;
      for (const later of journal.store.openOf(before.siteId, before.entityId)) {
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
    const { journal, whenNotRunning, wake } = this.#tools;
    const group = this.group(groupId);
    const before = journal.store.byGroup(group.seq);
    if (group.undoneBy !== null) throw appError('edit.cant-undo', { details: { groupId, undoneBy: group.undoneBy } });
    const dropped = this.drop({ groupId, filter: 'open' });
    const inFlight = before.map(({ siteId, entityId }) => keyOfEntity(siteId, entityId)).filter(this.#tools.isRunning);
    await whenNotRunning(inFlight);
    const late = this.drop({ groupId, filter: 'open' });
    const { edits, notRestorable } = undoOf(journal.store.byGroup(group.seq));
    if (edits.length === 0 && dropped + late === 0)
      throw appError('edit.cant-undo', { details: { groupId, notRestorable } });
    const { siteId, label } = group;
    const undoing =
      edits.length === 0 ? null : await journal.add({ siteId, label, change: null, undoes: groupId, edits });
    wake();
    return { group: undoing, dropped: dropped + late, restoring: edits.length, notRestorable };
  }

  #records(ref: EditRowsRef): EditRecord[] {
    const { store } = this.#tools.journal;
    if ('ids' in ref)
      return [...new Set(ref.ids)].flatMap((id) => (/^\d{1,15}$/.test(id) ? (store.get(Number(id)) ?? []) : []));
    const groupSeq = ref.groupId === null ? null : this.group(ref.groupId).seq;
    return store.page({ groupSeq, filter: ref.filter, entityId: null }, 0, -1).records;
  }

  #dropped(before: EditRecord): EditRecord {
    const { clock } = this.#tools;
    // A damaged record keeps its text.
    if (before.ops === null) return { ...before, state: 'dropped', endedAt: clock.now() };
    const ops = before.ops.map((stored): StoredOp => {
      if (stored.outcome !== null) return stored;
      const { asks: _, ...rest } = stored;
      return { ...rest, outcome: 'dropped' };
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
      return seen.kind === 'set-field' ? { op: { ...seen, mine: choice.value }, outcome: null } : stored;
    case 'now':
      return seen.kind === 'publish' ? { op: { ...seen, when: 'now' }, outcome: null } : stored;
    case 'at':
      return seen.kind === 'publish' ? { op: { ...seen, when: { at: choice.at } }, outcome: null } : stored;
  }
}

/** Returns a later record whose ops on the same values get the base of the dropped ones. */
function withoutBase(later: EditRecord, dropped: EditRecord): EditRecord {
  const open = (dropped.ops ?? []).filter(({ outcome }) => outcome === null);
  return onBases(later, new Map(open.map(({ op }) => [keyOfOp(op), op])));
}

/** Returns a record whose open ops have the bases of others, by `keyOfOp`. */
function onBases(record: EditRecord, bases: ReadonlyMap<string, EditOp>): EditRecord {
  const ops = record.ops?.map((stored) => {
    const { op, outcome } = stored;
    const other = bases.get(keyOfOp(op));
    if (outcome !== null || other === undefined || !('base' in other) || !('base' in op)) return stored;
    return { ...stored, op: { ...op, base: other.base } as EditOp };
  });
  return ops === undefined ? record : { ...record, ops };
}

/** Returns a later record of the user who took their value: it stands for an edit on top of that value. */
function onTheirs(later: EditRecord, resolved: EditRecord): EditRecord {
  const asked = (resolved.ops ?? []).flatMap(({ asks, seen }) => (asks && seen !== undefined ? [seen] : []));
  return onBases(later, new Map(asked.map((op) => [keyOfOp(op), op])));
}
