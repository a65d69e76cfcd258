import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../electron/cli/arguments/usage-error.ts';
import { COMMANDS } from '../../../electron/cli/command-table.ts';
import { outputModeOf, readCommandLine } from '../../../electron/cli/read-command-line.ts';

const read = (line: string) => readCommandLine(line.split(' ').filter((word) => word !== ''));

function messageOf(line: string): string {
  try {
    read(line);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'no error';
}

describe('a command line', () => {
  it.each([
    ['-h', null],
    ['help', null],
    ['upload -h', 'upload'],
    ['help upload', 'upload'],
    ['help queue', 'queue'],
    ['help queue list', 'queue list'],
    ['-h queue list', 'queue list'],
    ['help --json upload', 'upload'],
  ])('shows the help as other programs do: %s', (line, topic) => expect(read(line)).toEqual({ kind: 'help', topic }));

  it('shows the version with -V', () => expect(read('-V')).toEqual({ kind: 'version' }));

  it('takes -q for --quiet, also together with another short name', () => {
    expect(outputModeOf(['queue', 'list', '-q'])).toEqual({ json: false, quiet: true });
    expect(outputModeOf(['queue', 'list', '--quiet', '--json'])).toEqual({ json: true, quiet: true });
    expect(read('-qh')).toEqual({ kind: 'help', topic: null });
  });

  it.each([
    ['uplaod', 'Did you mean upload?'],
    ['qeue list', 'Did you mean queue?'],
    ['queue lsit', 'Did you mean queue list?'],
    ['edits undoo', 'Did you mean edits undo?'],
    ['help wacth', 'Did you mean watch?'],
    ['help queue retyr', 'Did you mean queue retry?'],
    ['sign-on', 'Did you mean sign-in?'],
    ['queue list --fliter all', 'Did you mean --filter?'],
    ['upload a --colection x', 'Did you mean --collection?'],
  ])('names what was probably meant: %s', (line, hint) => expect(messageOf(line)).toContain(hint));

  it.each(['frobnicate', 'x', 'queue list --zzzzzz'])('guesses nothing that is not similar: %s', (line) =>
    expect(messageOf(line)).not.toContain('Did you mean'),
  );

  it('has a help and a summary for every command, and short names that are used once', () => {
    for (const { name, summary, options } of COMMANDS) {
      expect(read(`help ${name}`)).toEqual({ kind: 'help', topic: name });
      expect(summary).toMatch(/\S\.$/);
      expect(Object.keys(options).filter((option) => ['q', 'h', 'V'].includes(option))).toEqual([]);
    }
  });
});
