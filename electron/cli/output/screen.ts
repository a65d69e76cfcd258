import { printable } from './text-format.ts';

/** A terminal that shows lines which are replaced later. Texts may come from outside. */
export interface Screen {
  size(): { columns: number; rows: number };
  /** Shows lines in place of those that were drawn last. */
  draw(lines: readonly string[]): void;
  /** Leaves the drawn lines: what is written next begins below them. */
  keep(): void;
  /** Removes the drawn lines. */
  clear(): void;
}

const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Creates a screen on a terminal. */
export function createScreen(terminal: NodeJS.WriteStream): Screen {
  let drawn = 0;
  /** Returns the codes that move the cursor to the first drawn line. */
  const toFirst = () => `${drawn > 1 ? `\u001b[${drawn - 1}A` : ''}\r`;
  return {
    size: () => ({ columns: terminal.columns ?? 80, rows: terminal.rows ?? 24 }),
    draw(lines) {
      const text = lines.map((line) => `${printable(line)}${CLEAR_LINE}`).join('\n');
      terminal.write(`${toFirst()}${text}${CLEAR_BELOW}`);
      drawn = lines.length;
    },
    keep() {
      if (drawn > 0) terminal.write('\n');
      drawn = 0;
    },
    clear() {
      if (drawn > 0) terminal.write(`${toFirst()}${CLEAR_BELOW}`);
      drawn = 0;
    },
  };
}
