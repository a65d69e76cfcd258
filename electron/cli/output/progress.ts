import { nodeClock } from '../../engine/ports/system/node-clock.ts';
import type { Output } from './output.ts';
import type { Screen } from './screen.ts';

/** Without a terminal, a log contains these lines. */
const LINE_EVERY_MS = 5000;

/**
 * Shows how far a long command is: on a terminal in one line that is replaced, otherwise as a line every few seconds, the first
 * one after as long. With --json or --quiet it shows nothing.
 */
export class Progress {
  readonly #output: Output;
  readonly #screen: Screen | null;
  readonly #now: () => number;
  #printedAt: number;

  constructor(
    { output, screen }: { output: Output; screen: Screen | null },
    now: () => number = () => nodeClock.monotonic(),
  ) {
    this.#output = output;
    this.#screen = screen;
    this.#now = now;
    this.#printedAt = now();
  }

  show(text: string): void {
    if (this.#screen !== null) {
      this.#screen.draw([text]);
      return;
    }
    if (this.#now() - this.#printedAt < LINE_EVERY_MS) return;
    this.#printedAt = this.#now();
    this.#output.note(text);
  }

  /** Removes the line from the terminal: called before anything else is written. */
  end(): void {
    this.#screen?.clear();
  }
}
