import type { Database } from '../../../electron/engine/store/database.ts';
import type { Prng } from '../../helpers/data/prng.ts';
import { StoreFailure } from '../world/tamper.ts';
import { UndoLog } from '../world/undo-log.ts';
import type { Life, VirtualTime } from '../world/virtual-time.ts';

/** Thrown to the code of a run that has ended. */
export class Gone extends Error {}

const SQLITE_FULL = 13;

/** The database of one computer with its journal. It outlives the runs of the program, and can end a run at any write. */
export class ClientDatabase {
  readonly #real: Database;
  readonly #time: VirtualTime;
  readonly #prng: Prng;
  /** Only in a scenario with power cuts. */
  readonly #undo: UndoLog | null;
  /** The last write of each commit that is not on the disk, in order. */
  #commits: number[] = [];
  #crashIn: { writes: number; isAfter: boolean } | null = null;
  /** Writes fail until this time. */
  fullUntilMs = 0;

  constructor(real: Database, time: VirtualTime, prng: Prng, hasPowerCuts: boolean) {
    this.#real = real;
    this.#time = time;
    this.#prng = prng;
    this.#undo = hasPowerCuts ? new UndoLog(real, ['edit_groups', 'edits', 'entity_refs']) : null;
  }

  /** The run dies at the write with this number, before or after its effect. */
  crashAtWrite(writes: number, isAfter: boolean): void {
    this.#crashIn = { writes, isAfter };
  }

  /** Takes back some of the last commits that are not on the disk. */
  cutPower(): void {
    const kept = this.#prng.int(0, this.#commits.length);
    const last = kept === 0 ? this.#durable : (this.#commits[kept - 1] ?? this.#durable);
    if (kept < this.#commits.length) this.#undo?.undoAfter(last);
    this.#commits = [];
  }

  #durable = 0;

  dispose(): void {
    this.#undo?.dispose();
  }

  /** The database as one run sees it. */
  openFor(life: Life): Database {
    const real = this.#real;
    let isInTransaction = false;
    const assertAlive = () => {
      if (!life.alive) throw new Gone('this run has ended');
    };
    const dies = () => {
      life.alive = false;
      throw new Gone('the process died at a write');
    };
    const write = <T>(effect: () => T): T => {
      assertAlive();
      if (this.#time.elapsedMs < this.fullUntilMs) throw new StoreFailure(SQLITE_FULL, 'database or disk is full');
      const crash = this.#crashIn;
      if (crash === null || --crash.writes > 0) return effect();
      this.#crashIn = null;
      if (!crash.isAfter) return dies();
      effect();
      return dies();
    };
    const committed = <T>(effect: () => T): T => {
      const result = effect();
      const last = this.#undo?.last;
      if (last !== undefined && last !== (this.#commits.at(-1) ?? this.#durable)) this.#commits.push(last);
      return result;
    };
    return {
      path: real.path,
      setBusyTimeout: (ms) => real.setBusyTimeout(ms),
      setDurable: () => {},
      exec: (sql) => write(() => real.exec(sql)),
      prepare(sql) {
        assertAlive();
        const statement = real.prepare(sql);
        return {
          run: (parameters) =>
            write(() => (isInTransaction ? statement.run(parameters) : committed(() => statement.run(parameters)))),
          get(parameters) {
            assertAlive();
            return statement.get(parameters);
          },
          all(parameters) {
            assertAlive();
            return statement.all(parameters);
          },
        };
      },
      transaction: (work) =>
        write(() => {
          isInTransaction = true;
          try {
            return committed(() => real.transaction(work));
          } finally {
            isInTransaction = false;
          }
        }),
      /** A sync takes time; commits during it are not part of it. */
      whenDurable: async () => {
        assertAlive();
        const last = this.#commits.at(-1);
        await this.#time.later(this.#prng.int(0, 4), life, () => {
          if (last === undefined) return;
          this.#durable = Math.max(this.#durable, last);
          this.#commits = this.#commits.filter((each) => each > last);
        });
      },
      close: () => {},
    };
  }
}
