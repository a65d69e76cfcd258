import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { Logger } from '../../ports/logger.ts';
import { sqliteCodeOf } from '../../store/database.ts';
import { keyOfEntity } from '../journal/edit-journal.ts';
import type { EditRecord, GroupRecord } from '../journal/edit-row.ts';
import type { NewEdit } from '../journal/edit-store.ts';
import type { EditCommands, EditCommandTools } from './edit-commands.ts';
import { SLICE_ROWS } from './slice-rows.ts';
import { DELETE_NEW_COLLECTION, redoOf, undoOf } from './undo-group.ts';

/** The result of an undo: see `edits.undo`. */
interface UndoResult {
  /** The group that restores sent values; null: nothing had been sent. */
  group: GroupRecord | null;
  dropped: number;
  restoring: number;
  notUndoable: number;
}

/** Undo and redo of groups in the journal. */
export class UndoCommands {
  readonly #commands: EditCommands;
  readonly #tools: EditCommandTools;
  /** Groups whose undo or redo is running. */
  readonly #undoing = new Set<string>();

  constructor(commands: EditCommands, tools: EditCommandTools) {
    this.#commands = commands;
    this.#tools = tools;
  }

  /**
   * Undoes a group, see `edits.undo`. Waits for its items in flight. Returns the group that restores sent values, and the edits
   * that could not be undone. The first write marks the group as undone, so an undo that a crash interrupts is completed by the
   * next start, or by a second call.
   */
  async undo(groupId: string): Promise<UndoResult> {
    const { journal } = this.#tools;
    const group = this.#commands.group(groupId);
    const isUndone = group.undoneAt !== null && !journal.store.isUndoUnfinished(group.seq);
    if (isUndone || this.#undoing.has(groupId))
      throw appError('edit.cant-undo', { details: { groupId, undoneBy: group.undoneBy } });
    this.#undoing.add(groupId);
    try {
      return await this.#undo(group);
    } finally {
      this.#undoing.delete(groupId);
    }
  }

  async #undo({ id: groupId, seq, siteId, label }: GroupRecord): Promise<UndoResult> {
    const { journal, wake } = this.#tools;
    const dropped = await this.#dropAll(siteId, seq, seq);
    const edits: NewEdit[] = [];
    let notUndoable = 0;
    let isUndone = false;
    await this.#eachSlice(seq, 'all', (records) => {
      const plan = undoOf(records);
      edits.push(...plan.edits);
      notUndoable += plan.notUndoable;
      for (const { entityKind, entityId, name } of this.#commands.checkUnclear(records)) {
        edits.push({ entityKind, entityId, name, ops: [{ op: DELETE_NEW_COLLECTION, outcome: null }] });
      }
      isUndone ||= records.some(({ ops }) => ops?.some((each) => each.isUndone) === true);
    });
    if (edits.length === 0 && !isUndone) {
      journal.noteNotUndone(seq);
      throw appError('edit.cant-undo', { details: { groupId, notUndoable } });
    }
    const group =
      edits.length === 0 ? null : await journal.add({ siteId, label, change: null, undoes: groupId, edits });
    wake();
    return { group, dropped, restoring: edits.length, notUndoable };
  }

  /**
   * Applies an undone group again, see `edits.redo`: the edits that the undo dropped, and the inverse of those that it sent. An
   * undo that is not sent yet is dropped instead. Returns the new group; null when nothing is left to do. The first write notes
   * the redo, so that the next start, or a second call, completes a redo that a crash interrupts.
   */
  async redo(groupId: string): Promise<GroupRecord | null> {
    const { journal } = this.#tools;
    const group = this.#commands.group(groupId);
    const isUnfinished = journal.store.isUndoUnfinished(group.seq);
    if (group.undoneAt === null || group.redoneBy !== null || isUnfinished || this.#undoing.has(groupId))
      throw appError('edit.cant-redo', { details: { groupId } });
    this.#undoing.add(groupId);
    try {
      journal.noteRedoBegun(group.seq);
      return await this.#redo(group);
    } finally {
      this.#undoing.delete(groupId);
    }
  }

  async #redo({ id: groupId, seq, siteId, label, change, undoneBy }: GroupRecord): Promise<GroupRecord | null> {
    const { journal, wake } = this.#tools;
    const undoSeq = undoneBy === null ? null : this.#commands.group(undoneBy).seq;
    if (undoSeq !== null) await this.#dropAll(siteId, undoSeq, null);
    const undo = undoSeq === null ? [] : await this.#recordsOf(undoSeq);
    const edits = redoOf(await this.#recordsOf(seq), undo, () => journal.newLocalId());
    if (edits.length === 0) {
      journal.noteNotUndone(seq);
      return null;
    }
    const group = await journal.add({ siteId, label, change, undoes: null, redoes: groupId, edits });
    wake();
    return group;
  }

  /**
   * Completes undos and redos that a crash interrupted. No edit of their libraries is sent before all their drops are complete;
   * the rest follows. With a full disk they stay unfinished, and the user can undo, or redo, these groups again. An undo that can
   * restore nothing, such as of a deletion that the library had accepted, ends without a change.
   */
  completeInterrupted(logger: Logger): void {
    const { store } = this.#tools.journal;
    const complete = (work: Promise<unknown>, groupId: string) =>
      work.catch((error: unknown) => {
        const stack = error instanceof Error ? error.stack : String(error);
        const isImpossible = error instanceof AppError && error.code === 'edit.cant-undo';
        const isOver = isImpossible && store.unfinishedUndos().every(({ id }) => id !== groupId);
        if (isOver) logger.info('edit.undo-impossible', { groupId, error: error.toData() });
        else if (sqliteCodeOf(error) === null) logger.error('edit.undo-interrupted', { groupId, stack });
        else logger.warn('edit.undo-interrupted', { groupId, stack });
      });
    for (const { id } of store.unfinishedUndos()) void complete(this.undo(id), id);
    for (const { id } of store.unfinishedRedos()) void complete(this.redo(id), id);
  }

  /**
   * Drops the open edits of a group, also those in flight if they stay open. Returns their number. `undone`: the group to mark as
   * undone with the first of them.
   */
  async #dropAll(siteId: string, groupSeq: number, undone: number | null): Promise<number> {
    const first = await this.#dropOpen(siteId, groupSeq, undone);
    await this.#tools.whenNotRunning(first.running);
    const { dropped } = await this.#dropOpen(siteId, groupSeq, null);
    return first.dropped + dropped;
  }

  /**
   * Drops open edits that are not in flight; `running`: the edits in flight. Until all are dropped, no edit of the library is
   * sent.
   */
  async #dropOpen(siteId: string, groupSeq: number, undone: number | null) {
    const { locks, isRunning } = this.#tools;
    const release = locks.lock(siteId);
    try {
      let dropped = 0;
      let toMark = undone;
      const running: string[] = [];
      await this.#eachSlice(groupSeq, 'open', (records) => {
        dropped += this.#commands.dropRecords(records, { isUndo: true, undone: toMark });
        toMark = null;
        const keys = records.map((each) => keyOfEntity(each.siteId, each.entityId, each.entityKind));
        running.push(...keys.filter(isRunning));
      });
      if (toMark !== null) this.#commands.dropRecords([], { isUndo: true, undone: toMark });
      return { dropped, running };
    } finally {
      release();
    }
  }

  /** Reads a group in slices: reading its ten thousand records in one call takes longer than any other step of a redo. */
  async #recordsOf(groupSeq: number): Promise<EditRecord[]> {
    const all: EditRecord[] = [];
    await this.#eachSlice(groupSeq, 'all', (records) => all.push(...records));
    return all;
  }

  /** Calls `run` with the records of a group in slices, each in a turn of the event loop; the first slice synchronously. */
  async #eachSlice(
    groupSeq: number,
    filter: 'all' | 'open',
    work: (records: readonly EditRecord[]) => void,
  ): Promise<void> {
    const { store } = this.#tools.journal;
    const range = store.rangeOfGroup(groupSeq);
    for (let first = range?.first ?? 0; range !== null && first <= range.last; ) {
      const records = store.inGroup(groupSeq, { first, last: range.last }, SLICE_ROWS, filter);
      const last = records.at(-1);
      if (last === undefined) return;
      work(records);
      if (records.length < SLICE_ROWS) return;
      first = last.seq + 1;
      await nextTurn();
    }
  }
}
