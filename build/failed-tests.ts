// What failed, read from the output of vitest and of the checks, so that the end of a long run says it again.
import { stripVTControlCharacters } from 'node:util';

export interface Failure {
  /** Such as `FAIL unit test/a.test.ts > name` or `FAILED types (3 s)`, or that there were errors outside of tests. */
  title: string;
  /** The message of a failed test and its line; the first lines of a failed check and of errors outside of tests. */
  details: string[];
}

/**
 * Returns whether a random test found values with which the program is wrong. Such a failure is never one of a busy computer.
 */
export function isCounterexample({ details }: Failure): boolean {
  return details.some((line) => /^(?:Error: )?Property failed after \d+ tests?/.test(line));
}

const MOST_LINES = { test: 2, other: 25 };

/** Reads an output line by line. */
export class FailureReader {
  readonly #found = new Map<string, Failure>();
  /** The failures that the next lines describe: vitest lists several tests with the same error one after the other. */
  #current: Failure[] = [];
  #most = 0;

  read(line: string): void {
    const plain = stripVTControlCharacters(line).trim();
    if (plain.startsWith('FAIL ')) {
      const isNamedWithLast =
        this.#most === MOST_LINES.test && this.#current.every(({ details }) => details.length === 0);
      this.#start(plain.replace(/ +/g, ' '), MOST_LINES.test, isNamedWithLast ? this.#current : []);
    } else if (plain.startsWith('FAILED ') || /^Vitest caught \d+ unhandled/.test(plain)) {
      this.#start(plain, MOST_LINES.other, []);
    } else if (plain.startsWith('ok ')) {
      this.#current = [];
    } else if (says(plain)) {
      for (const { details } of this.#current) if (details.length < this.#most) details.push(plain);
    }
  }

  /** Each failure once, in the order in which vitest reported them. */
  get failures(): Failure[] {
    return [...this.#found.values()];
  }

  #start(title: string, most: number, others: readonly Failure[]): void {
    const isKnown = this.#found.has(title);
    const failure = { title, details: [] };
    if (!isKnown) this.#found.set(title, failure);
    this.#current = [...others, failure];
    this.#most = most;
  }
}

/** Whether the line is part of a message or names a line of the project: not empty, a ruler, a code frame or a library's line. */
function says(plain: string): boolean {
  if (plain === '' || plain.startsWith('⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯')) return false;
  if (plain.startsWith('❯') && (plain.includes('node_modules/') || plain.includes('node:internal/'))) return false;
  return !/^(\d+)?\|/.test(plain);
}
