import { appError } from '../../../../shared/contract/app-error.ts';
import { keyOfEntity } from '../journal/edit-journal.ts';
import type { EditNumbers } from '../journal/edit-numbers.ts';
import type { EditRecord, GroupRecord } from '../journal/edit-row.ts';
import type { NewEdit } from '../journal/edit-store.ts';
import type { EditCommands, EditCommandTools } from './edit-commands.ts';
import { inSlices } from './slice-rows.ts';
import { DELETE_NEW_COLLECTION, redoOf, undoOf } from './undo-group.ts';

/** What an undo or a redo has come to after its edits were dropped. */
export interface UndoOutcome {
  /** The group that restores sent values, or that applies an undone group again; null: nothing had been sent, or nothing is left to do. */
  group: GroupRecord | null;
  /** The edits that were dropped only when they were not in flight any more. */
  dropped: number;
  restoring: number;
  /** Items whose sent deletion or file change can't be undone, and those that a later edit deleted. */
  notUndoable: number;
}

/** Adds the groups that undos and redos result in, once their edits are dropped. `end` is part of the last transaction. */
export class UndoResults {
  readonly #commands: EditCommands;
  readonly #tools: EditCommandTools & { numbers: EditNumbers };

  constructor(commands: EditCommands, tools: EditCommandTools & { numbers: EditNumbers }) {
    this.#commands = commands;
    this.#tools = tools;
  }

  /** Waits for the items of the group in flight. Throws `edit.cant-undo` when the group can't be undone: it is not marked as undone then. */
  async ofUndo(groupSeq: number, end: () => void): Promise<UndoOutcome> {
    const { journal, wake } = this.#tools;
    const { id: groupId, seq, siteId, label } = this.#group(groupSeq, end);
    const dropped = await this.#dropRest(seq);
    const edits: NewEdit[] = [];
    let notUndoable = 0;
    let isUndone = false;
    for await (const records of this.#slicesOf(seq)) {
      const removed = new Set(records.filter(({ seq, state }) => state === 'done' && journal.store.isRemoved(seq)));
      const plan = undoOf(records.filter((record) => !removed.has(record)));
      edits.push(...plan.edits);
      notUndoable += plan.notUndoable + removed.size;
      for (const { entityKind, entityId, name } of this.#commands.checkUnclear(records)) {
        edits.push({ entityKind, entityId, name, ops: [{ op: DELETE_NEW_COLLECTION, outcome: null }] });
      }
      isUndone ||= records.some(({ ops }) => ops?.some((each) => each.isUndone) === true);
    }
    if (edits.length === 0 && !isUndone) {
      journal.noteNotUndone(seq, end);
      throw appError('edit.cant-undo', { details: { groupId, notUndoable } });
    }
    const undo = { siteId, label, change: null, undoes: groupId, edits, alongside: end };
    const group = edits.length === 0 ? null : await journal.add(undo);
    if (group === null) end();
    wake();
    return { group, dropped, restoring: edits.length, notUndoable };
  }

  /** Waits for the items of the undo in flight. */
  async ofRedo(groupSeq: number, end: () => void): Promise<UndoOutcome> {
    const { journal, wake } = this.#tools;
    const { id: groupId, seq, siteId, label, change, undoneBy } = this.#group(groupSeq, end);
    const undoSeq = undoneBy === null ? null : this.#commands.group(undoneBy).seq;
    const dropped = undoSeq === null ? 0 : await this.#dropRest(undoSeq);
    const undo = undoSeq === null ? [] : await this.#recordsOf(undoSeq);
    const edits = redoOf(await this.#recordsOf(seq), undo, () => journal.newLocalId());
    const again = { siteId, label, change, undoes: null, redoes: groupId, edits, alongside: end };
    const group = edits.length === 0 ? null : await journal.add(again);
    if (group === null) journal.noteNotUndone(seq, end);
    wake();
    return { group, dropped, restoring: edits.length, notUndoable: 0 };
  }

  #group(groupSeq: number, end: () => void): GroupRecord {
    const group = this.#tools.journal.store.groupBySeq(groupSeq);
    if (group !== null) return group;
    end();
    throw appError('edit.unknown', { details: { groupSeq } });
  }

  /** Drops the edits of a group that were in flight, and stay open. Returns their number. */
  async #dropRest(groupSeq: number): Promise<number> {
    const { journal, isRunning, numbers, whenNotRunning } = this.#tools;
    const open = () => numbers.openNumbers(groupSeq, 'open').flatMap((seq) => journal.store.get(seq) ?? []);
    const keys = open().map((each) => keyOfEntity(each.siteId, each.entityId, each.entityKind));
    await whenNotRunning(keys.filter(isRunning));
    return this.#commands.dropRecords(open(), true);
  }

  async #recordsOf(groupSeq: number): Promise<EditRecord[]> {
    const all: EditRecord[] = [];
    for await (const records of this.#slicesOf(groupSeq)) all.push(...records);
    return all;
  }

  #slicesOf(groupSeq: number): AsyncIterable<EditRecord[]> {
    return inSlices(this.#tools.numbers.ofGroup(groupSeq), this.#tools.journal.store);
  }
}
