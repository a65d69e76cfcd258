import type { Database, SqlRow, Statement } from '../../../electron/engine/store/database.ts';
import { followUpParameters, PUT_FOLLOW_UP } from '../../../electron/engine/uploads/journal/follow-up-columns.ts';
import { FACT_UPDATE, toUpload, UPLOAD_COLUMNS } from '../../../electron/engine/uploads/journal/upload-columns.ts';

/** The beginning of the statements that write follow-ups. */
const FOLLOW_UP_WRITE = /^(INSERT INTO|DELETE FROM) follow_ups/;

import type { Upload } from '../../../shared/model/uploads/upload.ts';
import type { History, RowFact } from '../history.ts';
import type { UndoLog } from './undo-log.ts';
import type { Life, VirtualTime } from './virtual-time.ts';

class Gone extends Error {}

/** SQLite's error for a full disk. */
class Full extends Error {
  readonly errcode = 13;
}

/** A commit that a power cut can undo. */
interface Undo {
  /** The rows of uploads before the commit; null for a row that did not exist. */
  rows: { fact: RowFact; before: SqlRow | null }[];
  /** The last write to watched folders before the commit; null when these are not recorded. */
  watchedBefore: number | null;
}

/** The crash of the process: at the write with this number, and whether that write still succeeds. */
interface WriteCrash {
  writesLeft: number;
  /** True: the write is durable, and no later one is. */
  after: boolean;
}

/** The plan for the next crash at a write, shared with the code that sets it. */
export interface CrashPlan {
  next: WriteCrash | null;
  /** Writes since the last durable one, oldest first. */
  undo: Undo[];
  /** The rows after their last event; dropped when another statement may have changed them. */
  rows: Map<string, SqlRow>;
  /** Null in a scenario without power cuts in a watched folder. */
  watched: UndoLog | null;
  isFull(): boolean;
}

/** Simulates a power cut: undoes some of the last writes that were not yet on disk, in order. */
export function cutPower(real: Database, plan: CrashPlan, history: History, keep: number): void {
  plan.rows.clear();
  const undone = plan.undo.splice(keep);
  const watchedBefore = undone[0]?.watchedBefore ?? null;
  if (watchedBefore !== null) plan.watched?.undoAfter(watchedBefore);
  for (const { fact, before } of undone.flatMap(({ rows }) => rows).reverse()) {
    if (before === null) real.prepare('DELETE FROM uploads WHERE id = $id').run({ id: fact.row.id });
    else putBack(real, before);
    forget(history, fact);
  }
}

/** Removes the fact of an undone row, and corrects the positions that were noted after it. */
function forget(history: History, fact: RowFact): void {
  const index = history.rows.indexOf(fact);
  history.rows.splice(index, 1);
  for (const later of [...history.overtakings, ...history.pauses, ...history.transfers]) {
    if (later.afterRows <= index) continue;
    later.afterRows -= 1;
    if ('lost' in later) later.lost.unshift(fact);
  }
}

/** Restores a row and its follow-ups as they were read. */
function putBack(real: Database, row: SqlRow): void {
  const { follow_ups: _, ...columns } = row;
  const sets = Object.keys(columns).map((name) => `${name} = $${name}`);
  real.prepare(`UPDATE uploads SET ${sets.join(', ')} WHERE id = $id`).run(columns);
  const { id, followUps } = toUpload(row);
  real.prepare('DELETE FROM follow_ups WHERE upload_seq = $seq').run({ seq: row.seq as number });
  for (const [position, followUp] of followUps.entries()) {
    real.prepare(PUT_FOLLOW_UP).run(followUpParameters(id, position, followUp));
  }
}

/**
 * The database as one run of the program sees it. It records every row that becomes durable, can end the run at any
 * write, and does nothing for a run that has ended.
 */
export function journaledDatabase(
  real: Database,
  life: Life,
  time: VirtualTime,
  history: History,
  plan: CrashPlan,
  diskTurn: () => Promise<void>,
): Database {
  let isDurable = true;
  /** The index in the history at which the events of the running transaction begin; null outside a transaction. */
  let firstOfTransaction: number | null = null;
  const readRow = real.prepare(`SELECT ${UPLOAD_COLUMNS} FROM uploads WHERE id = $id`);
  const queuedBefore = real.prepare(`SELECT other.id FROM uploads AS this, uploads AS other
    WHERE this.id = $id AND other.site_id = this.site_id AND other.state = 'queued'
      AND (other.lane, other.rank, other.seq) < (this.lane, this.rank, this.seq)`);
  /** The commit that writes belong to; a transaction is one. */
  let commit: Undo = { rows: [], watchedBefore: null };
  const beginCommit = (): void => {
    commit = { rows: [], watchedBefore: plan.watched?.last ?? null };
  };
  /** Records that the commit of the current write is not on the disk. */
  const noteUndo = (): void => {
    if (!isDurable && plan.undo.at(-1) !== commit) plan.undo.push(commit);
  };
  /** Facts of the running transaction whose rows are read when it ends, or before another event of the row. */
  const unread = new Map<string, RowFact>();
  const readNow = (id: string): void => {
    const fact = unread.get(id);
    if (fact === undefined) return;
    unread.delete(id);
    const row = readRow.get({ id });
    if (row === undefined) {
      history.rows.splice(history.rows.indexOf(fact), 1);
      return;
    }
    plan.rows.set(id, row);
    fact.row = toUpload(row);
  };
  const newFact = (event: RowFact['event']): RowFact => ({
    atMs: time.elapsedMs,
    wallMs: time.wallMs(),
    life: life.number,
    event,
    // Replaced by `readNow`.
    row: UNREAD,
  });
  /** Records, for the start of an upload, the queued uploads before it. */
  const noteStart = (id: string): void => {
    const overtaken = queuedBefore.all({ id }).map((row) => String(row.id));
    history.overtakings.push({ atMs: time.elapsedMs, afterRows: history.rows.length, id, overtaken, lost: [] });
  };
  const notePause = (json: string): void => {
    const timed = JSON.parse(json) as { until: number } | null;
    history.pauses.push({ afterRows: history.rows.length, untilWallMs: timed?.until ?? null });
  };
  const noteFact = (kind: RowFact['event'], id: string, before: SqlRow | null): void => {
    const fact = newFact(kind);
    history.rows.push(fact);
    unread.set(id, fact);
    commit.rows.push({ fact, before });
    noteUndo();
    if (firstOfTransaction === null) readNow(id);
  };
  /** Runs a statement and records the fact that it causes, if any. Returns the number of changed rows. */
  const runNoted = (
    statement: Statement,
    parameters: Parameters<Statement['run']>[0],
    kind: RowFact['event'] | null,
    isFollowUp: boolean,
  ): number => {
    const id = String(parameters?.id);
    // A row and its follow-ups are one event, however many statements it takes.
    const isSameEvent = isFollowUp && unread.has(id);
    if (!isSameEvent) readNow(id);
    const isKnown = kind !== 'unknown' || isSameEvent;
    const before = isKnown ? null : (plan.rows.get(id) ?? readRow.get({ id }) ?? null);
    const { changes } = statement.run(parameters);
    if (parameters?.state === 'preparing' && before?.state === 'queued') noteStart(id);
    if (parameters?.name === 'queue.paused-until') notePause(String(parameters.value || 'null'));
    if (isDurable) plan.undo = [];
    else if (plan.watched !== null) noteUndo();
    if (kind !== null && parameters !== undefined && !isSameEvent) noteFact(kind, id, before);
    return changes;
  };
  /** Runs a write, or the crash that replaces it. */
  const write = (run: () => void): void => {
    if (!life.alive) return;
    if (firstOfTransaction === null) beginCommit();
    if (plan.isFull()) throw new Full('database or disk is full');
    const crash = plan.next;
    if (crash && --crash.writesLeft <= 0) {
      plan.next = null;
      if (crash.after) run();
      life.alive = false;
      return;
    }
    run();
  };
  return {
    path: real.path,
    setBusyTimeout: (ms) => real.setBusyTimeout(ms),
    setDurable(durable) {
      isDurable = durable;
    },
    /** A sync takes time; commits during it are not part of it. */
    async whenDurable() {
      if (plan.undo.length === 0) return;
      const covered = new Set(plan.undo);
      await diskTurn();
      plan.undo = plan.undo.filter((undo) => !covered.has(undo));
    },
    exec: (sql) => write(() => real.exec(sql)),
    prepare(sql) {
      const statement = life.alive ? real.prepare(sql) : DEAD;
      const isFollowUp = FOLLOW_UP_WRITE.test(sql);
      const isFact = isFollowUp || sql.startsWith(FACT_UPDATE);
      const kind = /^INSERT INTO uploads/.test(sql) ? 'added' : isFact ? 'unknown' : null;
      const changesOrder = kind === null && sql.startsWith('UPDATE uploads');
      return {
        run(parameters) {
          let changes = 0;
          write(() => {
            if (changesOrder) plan.rows.clear();
            changes = runNoted(statement, parameters, kind, isFollowUp);
          });
          return { changes };
        },
        get: (parameters) => (life.alive ? statement.get(parameters) : undefined),
        all: (parameters) => (life.alive ? statement.all(parameters) : []),
      };
    },
    transaction(work) {
      if (!life.alive) return work();
      const before = history.rows.length;
      firstOfTransaction = before;
      beginCommit();
      const undone = plan.undo;
      plan.undo = [...undone];
      let result: ReturnType<typeof work> | undefined;
      try {
        real.transaction(() => {
          result = work();
          if (!life.alive) throw new Gone();
          for (const id of [...unread.keys()]) readNow(id);
        });
      } catch (error) {
        // The transaction failed, or the process died inside it: none of its writes is durable.
        history.rows.length = before;
        unread.clear();
        plan.undo = undone;
        plan.rows.clear();
        if (!(error instanceof Gone)) throw error;
      } finally {
        firstOfTransaction = null;
      }
      return result as ReturnType<typeof work>;
    },
    close: () => {},
  };
}

const UNREAD = {} as Upload;
const DEAD: Statement = { run: () => ({ changes: 0 }), get: () => undefined, all: () => [] };
