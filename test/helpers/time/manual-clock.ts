import type { Clock } from '../../../electron/engine/ports/clock.ts';

/** A clock that the test advances: due tasks run in order. */
export class ManualClock implements Clock {
  #now: number;
  #elapsed = 0;
  #tasks: { at: number; task: () => void }[] = [];

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  schedule(delayMs: number, task: () => void): () => void {
    const entry = { at: this.#elapsed + delayMs, task };
    this.#tasks.push(entry);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== entry);
    };
  }

  advance(byMs: number): void {
    const end = this.#elapsed + byMs;
    for (;;) {
      const next = this.#tasks.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#tasks = this.#tasks.filter((other) => other !== next);
      this.#move(next.at);
      next.task();
    }
    this.#move(end);
  }

  #move(to: number): void {
    this.#now += Math.max(0, to - this.#elapsed);
    this.#elapsed = Math.max(this.#elapsed, to);
  }
}
