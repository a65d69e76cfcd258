import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../electron/engine/ports/clock.ts';
import type { Prng } from '../../helpers/data/prng.ts';

/** One run of the program, from its start to its end or crash. Scheduled tasks of a dead run never happen. */
export interface Life {
  readonly number: number;
  alive: boolean;
  /** The program has lost its hash thread and hashes inline from then on. */
  hashesInline?: boolean;
  /** Whether its waits ignore a sleep of the computer, whatever clocks do: a recorder gets its data from a device. */
  waitsStopInSleep?: boolean;
}

interface Task {
  atMs: number;
  /** The order of tasks at the same instant. */
  tie: number;
  /** The run that the task belongs to; null: the task runs whichever run is active, for example a request in flight. */
  life: Life | null;
  run: (() => void) | null;
}

/** The start of the simulated time: any instant is possible. */
export const WORLD_EPOCH_MS = Date.UTC(2026, 0, 5, 8);

/** The most reads of clocks between two tasks. More of them mean an endless loop. */
const MAX_READS = 500_000;
const MAX_READS_AFTER_END = 10_000;

/** The single ordered queue of all events. No task waits for real time. */
export class VirtualTime {
  readonly #prng: Prng;
  readonly #looks: Prng;
  readonly #clockMoves: number;
  readonly #heap: Task[] = [];
  #elapsedMs = 0;
  #asleepUntilMs = 0;
  /** How long monotonic clocks stopped. */
  #stoppedMs = 0;
  /** Reads of clocks since the last task. */
  #reads = 0;
  /** The error of this computer's wall clock. */
  wallOffsetMs = 0;
  /** Whether the engine continues in turns of the real event loop. */
  #awaitsTurns = false;

  /**
   * `clockMoves`: the probability that a read of a program's clock returns a millisecond more than the previous one.
   */
  constructor(prng: Prng, looks: Prng, clockMoves: number) {
    this.#prng = prng;
    this.#looks = looks;
    this.#clockMoves = clockMoves;
  }

  /** Lets the engine continue in the next turn of the real event loop, which takes no simulated time. */
  letTurn(): void {
    this.#awaitsTurns = true;
  }

  /** Resolves when the engine has had its turns, before the next task. */
  async turned(): Promise<void> {
    if (!this.#awaitsTurns) return;
    this.#awaitsTurns = false;
    await turn();
    await turn();
  }

  /** True milliseconds since the start. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** This computer's wall clock time. */
  wallMs(): number {
    return WORLD_EPOCH_MS + this.#elapsedMs + this.wallOffsetMs;
  }

  /**
   * Makes the computer sleep: no task of a run, or of other programs that live on it, runs until it wakes. `clocksStop`:
   * monotonic clocks, and with them timers, do not count that time.
   */
  sleep(forMs: number, clocksStop: boolean): void {
    this.#asleepUntilMs = this.#elapsedMs + forMs;
    for (const task of this.#heap) {
      if (task.life === null) continue;
      const isStopped = clocksStop || task.life.waitsStopInSleep === true;
      task.atMs = isStopped ? task.atMs + forMs : Math.max(task.atMs, this.#asleepUntilMs);
    }
    // A sorted list is a heap.
    this.#heap.sort((a, b) => (before(a, b) ? -1 : 1));
    if (clocksStop) this.#stoppedMs += forMs;
  }

  /** The remaining time of the computer's sleep. */
  get asleepMs(): number {
    return Math.max(0, this.#asleepUntilMs - this.#elapsedMs);
  }

  after(delayMs: number, life: Life | null, run: () => void): () => void {
    const atMs = this.#elapsedMs + Math.max(0, Math.ceil(delayMs));
    const task: Task = {
      atMs: life === null ? atMs : Math.max(atMs, this.#asleepUntilMs),
      tie: this.#prng.next(),
      life,
      run,
    };
    this.#push(task);
    return () => {
      task.run = null;
    };
  }

  /** Runs the next task; returns false when there is none. */
  step(): boolean {
    for (;;) {
      const task = this.#pop();
      if (!task) return false;
      if (task.run === null || task.life?.alive === false) continue;
      // The time may already be later.
      this.#elapsedMs = Math.max(this.#elapsedMs, task.atMs);
      this.#reads = 0;
      task.run();
      return true;
    }
  }

  /** Resolves with the result of `produce` at that moment; never resolves when its run has ended by then. */
  later<T>(delayMs: number, life: Life | null, produce: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.after(delayMs, life, () => {
        try {
          resolve(produce());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Returns the clock that one run sees. Its timers are late by `lateMs`, never early. */
  clockFor(life: Life, lateMs: (delayMs: number) => number): Clock {
    const startedAtMs = this.#elapsedMs - this.#stoppedMs;
    const look = () => {
      this.#reads += 1;
      // Code of an ended run finds its files closed, and has no timer to wait for.
      if (!life.alive && this.#reads > MAX_READS_AFTER_END) throw new Error('an endless loop of a run that has ended');
      if (this.#reads > MAX_READS) throw new Error(`an endless loop at ${this.#elapsedMs} ms`);
      if (this.#clockMoves > 0 && this.#looks.chance(this.#clockMoves)) this.#elapsedMs += 1;
    };
    return {
      now: () => {
        look();
        return this.wallMs();
      },
      monotonic: () => {
        look();
        return this.#elapsedMs - this.#stoppedMs - startedAtMs;
      },
      schedule: (delayMs, task) => this.after(delayMs + lateMs(delayMs), life, task),
    };
  }

  #push(task: Task): void {
    const heap = this.#heap;
    let index = heap.push(task) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above] as Task;
      if (!before(task, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = task;
  }

  #pop(): Task | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1] as Task, heap[child] as Task)) child += 1;
      if (!before(heap[child] as Task, last)) break;
      heap[index] = heap[child] as Task;
      index = child;
    }
    heap[index] = last;
    return top;
  }
}

function before(a: Task, b: Task): boolean {
  return a.atMs === b.atMs ? a.tie < b.tie : a.atMs < b.atMs;
}
