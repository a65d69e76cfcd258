import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import type { EditChoice, EditRowsRef, EditValue } from '../../../../shared/contract/edits.ts';
import { fieldOfAnyOp, keyOfAnyOp } from '../../../../shared/model/edits/collection-fold.ts';
import { type AnyField, type AnyOp, isLocalId } from '../../../../shared/model/edits/collection-ops.ts';
import type { EditableMedia } from '../../../../shared/model/edits/edit-ops.ts';
import { leavesEmpty } from '../../../../shared/model/edits/leaves-empty.ts';
import type { Clock } from '../../ports/clock.ts';
import { type EditJournal, keyOfEntity } from '../journal/edit-journal.ts';
import type { EditNumbers } from '../journal/edit-numbers.ts';
import {
  type EditRecord,
  type EntityKind,
  type GroupRecord,
  isCreation,
  isOpenState,
  isUnclearCreation,
  type StoredOp,
  sentCreationsOf,
  withSentCreations,
} from '../journal/edit-row.ts';
import { laterValues } from '../journal/wanted-values.ts';
import { type RecordChange, settled } from '../replay/record-replay.ts';
import type { SendingLocks } from '../replay/sending-locks.ts';
import { afterDrop, isDroppedUnanswered } from '../replay/unanswered.ts';
import { endedByDecision, isTextOp, replaced, withDecision } from './decide-op.ts';

export interface EditCommandTools {
  journal: EditJournal;
  clock: Clock;
  /** Whether an item is being sent at this moment. */
  isRunning(key: string): boolean;
  /** While many edits are changed, none of their library is sent. */
  locks: SendingLocks;
  /** Resolves when none of these items is being sent. */
  whenNotRunning(keys: readonly string[]): Promise<void>;
  /** Edits were released. */
  wake(): void;
  /** An item as the copy of its library has it, without edits of this computer; null when the copy does not have it. */
  shownItem(siteId: string, mediaId: string): EditableMedia | null;
  /** The copy of a library may be older than what it has: an edit was dropped after a request without an answer. */
  onUnanswered(siteId: string): void;
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

  /** Returns the numbers of the open edits that the user selected. Throws `edit.unknown`. */
  numbersOf(ref: EditRowsRef, numbers: Pick<EditNumbers, 'openAmong' | 'openNumbers'>): number[] {
    if ('ids' in ref) return numbers.openAmong(ref.ids);
    return numbers.openNumbers(ref.groupId === null ? null : this.group(ref.groupId).seq, ref.filter);
  }

  /**
   * Sends refused records again, and pending ones immediately. Returns their number. `isAnswer`: the user retries a creation with
   * an unclear result because none of the found collections is the created one.
   */
  retry(records: readonly EditRecord[], isAnswer = false): number {
    const changes = records
      .filter(
        ({ state, nextAt, ops }) => ops !== null && (state === 'refused' || (state === 'pending' && nextAt !== null)),
      )
      .map(
        (before): RecordChange => ({
          before,
          after: {
            ...before,
            ops: isAnswer ? notTheFound(before, toSend(before)) : toSend(before),
            state: 'pending',
            error: null,
            retries: 0,
            nextAt: null,
          },
        }),
      );
    return this.#record(changes);
  }

  /** Refuses pending records: they are sent only when the user sends them again. Returns their number. */
  refuse(records: readonly EditRecord[], error: AppErrorData): number {
    const changes = records
      .filter(({ state }) => state === 'pending')
      .map((before): RecordChange => ({ before, after: { ...before, state: 'refused', error, nextAt: null } }));
    return this.#record(changes);
  }

  /** Sends a refused record again with other texts, see `edits.revise`. Returns how many records: 0 or 1. */
  revise(rowId: string, values: Readonly<Partial<Record<AnyField, string>>>): number {
    const [before] = this.#records([rowId]);
    if (before === undefined) throw appError('edit.unknown', { details: { rowId } });
    for (const [field, text] of Object.entries(values))
      if (leavesEmpty(field as AnyField, text)) throw appError('edit.title-empty');
    if (before.state !== 'refused' || before.ops === null) return 0;
    const stayed = toSend(before) ?? [];
    const ops = stayed.map((stored): StoredOp => {
      const value = values[fieldOfAnyOp(stored.op)];
      if (stored.outcome !== null || value === undefined || !isTextOp(stored.op)) return stored;
      if (typeof stored.op.mine === 'boolean' || stored.op.mine === value) return stored;
      return { ...stored, op: { ...stored.op, mine: value } as AnyOp, ...replaced(stored, stored.op.mine) };
    });
    if (ops.every((stored, index) => stored === stayed[index])) return 0;
    return this.#record([
      { before, after: { ...before, ops, state: 'pending', error: null, retries: 0, nextAt: null } },
    ]);
  }

  /**
   * Drops open records that are not in flight. Returns their number. Ops whose request the library accepted in an earlier run
   * count as sent and are not dropped. Edits that need a collection whose creation is dropped are refused.
   */
  drop(ids: readonly string[]): number {
    return this.dropRecords(this.#records(ids), false);
  }

  /**
   * Drops these records, see `drop`. `isUndo`: a redo applies them again, and a creation that the library may have received stays
   * open: a deletion undoes it. Other records that the library may have received are not counted, because the undo restores their
   * values. `alongside` is part of the transaction.
   */
  dropRecords(records: readonly EditRecord[], isUndo: boolean, alongside?: () => void): number {
    const { journal, isRunning } = this.#tools;
    const chosen = records.filter((record) => {
      const { state, siteId, entityId, entityKind } = record;
      if (!isOpenState(state) || isRunning(keyOfEntity(siteId, entityId, entityKind))) return false;
      return !isUndo || !isUnclearCreation(record);
    });
    const changes = new Map<number, RecordChange>();
    for (const before of chosen) {
      changes.set(before.seq, { before, after: this.#dropped(before, isUndo) });
    }
    // The last record comes first: the base that it passes to the next edit of a value is replaced by that of an earlier record.
    for (const before of [...chosen].sort((one, other) => other.seq - one.seq)) {
      const open = journal.store.openOf(before.siteId, before.entityId, before.entityKind);
      const stay = open.filter(({ seq }) => changes.get(seq)?.after.state !== 'dropped');
      const present = stay.map((each) => changes.get(each.seq)?.after ?? each);
      const isDropped = (stored: StoredOp) => stored.outcome === null && !isAcceptedIn(before, stored);
      const { unanswered, others } = afterDrop(before, present, isDropped);
      for (const [index, after] of others.entries()) {
        if (after !== present[index]) changes.set(after.seq, { before: stay[index] as EditRecord, after });
      }
      const own = changes.get(before.seq);
      if (own !== undefined && unanswered.size > 0) own.after = withUnanswered(own.after, unanswered);
    }
    const ids = new Set(
      chosen.flatMap(({ entityId, ops }) => (isCreation(ops) && isLocalId(entityId) ? [entityId] : [])),
    );
    for (const before of ids.size === 0 ? [] : this.#needing(ids)) {
      if (changes.get(before.seq)?.after.state === 'dropped') continue;
      const error = appError('edit.collection-not-created').toData();
      changes.set(before.seq, { before, after: { ...before, state: 'refused', error, nextAt: null } });
    }
    this.#record([...changes.values()], alongside);
    const dropped = isUndo ? [] : chosen.flatMap(({ seq }) => changes.get(seq)?.after ?? []);
    const unanswered = dropped.filter(({ ops }) => (ops ?? []).some(isDroppedUnanswered));
    for (const siteId of new Set(unanswered.map((each) => each.siteId))) this.#tools.onUnanswered(siteId);
    return chosen.filter(({ seq }) => !isRestored(changes.get(seq)?.after, isUndo)).length;
  }

  /**
   * The first pending records of every item and collection that needs one of these collections, and later records of the creation
   * itself.
   */
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
    if (unclear.length > 0) this.retry(unclear);
    return unclear;
  }

  /**
   * Drops the edits that wait for a decision about items that are to be deleted: no decision is needed. Other edits of these
   * items stay, and are sent if the deletion asks and the user keeps the item. A collection that may have been created is
   * searched instead.
   */
  dropBlocked(siteId: string, entityIds: readonly string[], entityKind: EntityKind = 'media'): void {
    const { journal } = this.#tools;
    const blocked = entityIds
      .filter((entityId) => journal.openEntity(siteId, entityId, entityKind)?.isBlocked === true)
      .flatMap((entityId) => journal.store.openOf(siteId, entityId, entityKind));
    const unclear = this.checkUnclear(blocked);
    const ids = blocked.flatMap((record) =>
      record.state === 'pending' || unclear.includes(record) ? [] : [String(record.seq)],
    );
    if (ids.length > 0) this.drop(ids);
  }

  /**
   * Decides records that ask the user. `field` null: every field that needs a decision. Returns the number of records. A decision is
   * about the newest own value, so it ends later edits of the same value, except that `mine` sends the last of them.
   */
  resolve(records: readonly EditRecord[], field: AnyField | null, choice: EditChoice): number {
    const { journal, clock, shownItem } = this.#tools;
    const changes = new Map<number, RecordChange>();
    const present = (record: EditRecord) => changes.get(record.seq)?.after ?? record;
    const change = (record: EditRecord, after: EditRecord) =>
      changes.set(record.seq, { before: changes.get(record.seq)?.before ?? record, after });
    let decided = 0;
    for (const before of records) {
      const asked = present(before);
      if (!isQuestion(asked.state)) continue;
      const { siteId, entityId, entityKind } = before;
      const open = journal.openOrStoringOf(siteId, entityId, entityKind).filter(({ seq }) => seq > before.seq);
      const later = open.map(present);
      const ended = new Map<string, EditValue | undefined>();
      const ops = (asked.ops ?? []).map((stored) => {
        if (!asksAbout(stored, field)) return stored;
        // The library would refuse it, and the value of the user would be replaced.
        if (choice.kind === 'value' && leavesEmpty(fieldOfAnyOp(stored.op), choice.value))
          throw appError('edit.title-empty');
        const answered = withDecision(stored, choice, () => shownItem(siteId, entityId));
        if (answered === stored || choice.kind === 'mine') return answered;
        ended.set(keyOfAnyOp(stored.op), choice.kind === 'theirs' ? (stored.theirs ?? null) : undefined);
        return { ...answered, ...replaced(answered, ...laterValues(stored.op, later)) };
      });
      if (ops.every((stored, index) => stored === asked.ops?.[index])) continue;
      change(before, settled({ ...asked, ops, retries: 0 }, clock.now()));
      decided += 1;
      for (const each of open) {
        const after = endedByDecision(present(each), ended, clock.now());
        if (after !== present(each)) change(each, after);
      }
    }
    this.#record([...changes.values()]);
    return decided;
  }

  /**
   * Returns a function that tells whether a record asks the same question as this one, see `edits.sameQuestion`. null: this
   * record asks nothing about the field.
   */
  asksTheSameAs(rowId: string, field: AnyField): ((record: EditRecord) => boolean) | null {
    const [asked] = this.#records([rowId]);
    if (asked === undefined) throw appError('edit.unknown', { details: { rowId } });
    const { siteId, entityKind } = asked;
    const question = questionOf(asked, field);
    if (question === null) return null;
    return (each) => each.siteId === siteId && each.entityKind === entityKind && questionOf(each, field) === question;
  }

  #records(ids: readonly string[]): EditRecord[] {
    const { store } = this.#tools.journal;
    return [...new Set(ids)].flatMap((id) => (/^\d{1,15}$/.test(id) ? (store.get(Number(id)) ?? []) : []));
  }

  #dropped(before: EditRecord, isUndo: boolean): EditRecord {
    const { clock } = this.#tools;
    // A damaged record keeps its text.
    if (before.ops === null) return { ...before, state: 'dropped', endedAt: clock.now() };
    const ops = before.ops.map((stored): StoredOp => {
      if (stored.outcome !== null) return stored;
      const { asks: _, ...rest } = stored;
      if (isAcceptedIn(before, stored)) return { ...rest, outcome: 'sent' };
      return { ...rest, outcome: 'dropped', ...(isUndo ? { isUndone: true } : {}) };
    });
    return { ...settled({ ...before, ops }, clock.now()), error: before.error };
  }

  #record(changes: readonly RecordChange[], alongside?: () => void): number {
    this.#tools.journal.record(changes, { alongside });
    if (changes.length > 0) this.#tools.wake();
    return changes.length;
  }
}

/** Returns whether a record in this state waits for `edits.resolve`. */
function isQuestion(state: EditRecord['state']): state is 'conflict' | 'held' {
  return state === 'conflict' || state === 'held';
}

/** Returns why a record asks about a field; null when it does not. */
function questionOf({ state, ops }: EditRecord, field: AnyField): 'conflict' | 'passed' | null {
  const asking = isQuestion(state) ? ops?.find((stored) => asksAbout(stored, field)) : undefined;
  if (asking === undefined) return null;
  return asking.theirs === undefined ? 'passed' : 'conflict';
}

/** Whether an op needs a decision about a field; null: about any. */
function asksAbout({ asks, op }: StoredOp, field: AnyField | null): boolean {
  return asks === true && (field === null || fieldOfAnyOp(op) === field);
}

/**
 * Returns whether the library has an op of a record, as far as is known: it accepted the request, and no later read contradicted
 * it.
 */
function isAcceptedIn({ state }: EditRecord, { isAccepted }: StoredOp): boolean {
  return isAccepted === true && state !== 'refused';
}

/** Returns the ops of a record that the user retries: a refused one is sent again, even if the library had accepted it. */
function toSend({ state, ops }: EditRecord): EditRecord['ops'] {
  return state === 'refused' ? (ops?.map(({ isAccepted: _, ...stored }) => stored) ?? null) : ops;
}

/**
 * Returns the ops of a creation with an unclear result after the user has decided that none of the found collections is the
 * created one.
 */
function notTheFound({ error }: EditRecord, ops: EditRecord['ops']): EditRecord['ops'] {
  const found = error?.code === 'edit.creation-unclear' ? error.details?.found : undefined;
  const creation = ops?.find(({ op }) => op.kind === 'create-collection');
  if (!Array.isArray(found) || creation === undefined) return ops;
  const sent = sentCreationsOf(creation, (id) => id);
  return withSentCreations(
    ops,
    sent.map((each) => ({ ...each, siblings: [...each.siblings, ...found.map(String)] })),
  );
}

/** Returns a dropped record whose ops at these positions the library may have. */
function withUnanswered(record: EditRecord, positions: ReadonlySet<number>): EditRecord {
  const ops = record.ops?.map((each, index) => (positions.has(index) ? { ...each, isUnanswered: true } : each));
  return { ...record, ops: ops ?? null };
}

/**
 * Returns whether a record does not count as dropped: the library had accepted its requests (`done`), or an undo restores values
 * of it that may have been written.
 */
function isRestored(record: EditRecord | undefined, isUndo: boolean): boolean {
  if (record?.state === 'done') return true;
  return isUndo && (record?.ops ?? []).some(({ isUnanswered }) => isUnanswered === true);
}
