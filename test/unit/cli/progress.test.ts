import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Output } from '../../../electron/cli/output/output.ts';
import { Progress } from '../../../electron/cli/output/progress.ts';

/** Shows progress every second for 12 seconds. Returns what each stream got, and what the terminal drew. */
function shown({ hasTerminal = false, json = false, quiet = false }) {
  const written = { stdout: '', stderr: '' };
  const streamTo = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk, _, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const drawn: string[] = [];
  const screen = {
    size: () => ({ columns: 80, rows: 24 }),
    draw: (lines: readonly string[]) => drawn.push(...lines),
    keep: () => {},
    clear: () => drawn.push(''),
  };
  const output = new Output({ stdout: streamTo('stdout'), stderr: streamTo('stderr') }, { json, quiet });
  let now = 0;
  const progress = new Progress({ output, screen: hasTerminal ? screen : null }, () => now);
  for (let second = 0; second <= 12; second += 1) {
    now = second * 1000;
    progress.show(`${second} of 12`);
  }
  progress.end();
  return { ...written, drawn };
}

describe('the progress of a command', () => {
  it('is a line on standard error every five seconds when there is no terminal', () => {
    expect(shown({})).toEqual({ stdout: '', stderr: '5 of 12\n10 of 12\n', drawn: [] });
  });

  it('is one line of the terminal, which is removed at the end', () => {
    const { stdout, stderr, drawn } = shown({ hasTerminal: true });
    expect([stdout, stderr]).toEqual(['', '']);
    expect(drawn).toHaveLength(14);
    expect(drawn.slice(-2)).toEqual(['12 of 12', '']);
  });

  it.each([{ json: true }, { quiet: true }])('is not shown with %o', (mode) => {
    expect(shown(mode)).toEqual({ stdout: '', stderr: '', drawn: [] });
  });
});
