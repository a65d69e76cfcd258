import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type GlobalOptions, readGlobals } from '../../../electron/cli/arguments/global-options.ts';
import { requiredText } from '../../../electron/cli/arguments/options.ts';
import { UsageError } from '../../../electron/cli/arguments/usage-error.ts';
import { defineCommand } from '../../../electron/cli/command-base/define-command.ts';
import { EXIT } from '../../../electron/cli/output/exit-codes.ts';
import { Output } from '../../../electron/cli/output/output.ts';

const seen: { input: { place: string; copies: number }; globals: GlobalOptions }[] = [];
const command = defineCommand({
  name: 'copy all',
  operands: '[COPIES]',
  summary: 'Copy.',
  options: { place: { value: 'DIR', help: 'Where.' } },
  read(values, [copies = '1']) {
    if (copies === 'broken') throw new RangeError('broken');
    return { place: requiredText(values, 'place'), copies: Number(copies) };
  },
  async run({ globals }, input) {
    seen.push({ input, globals });
    return EXIT.incomplete;
  },
});

describe('a command', () => {
  it('runs with the input that it read, and returns its exit code', async () => {
    const globals = readGlobals({ profile: 'here' }, null);
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
    const ready = command.prepare({ place: ' there ' }, ['3']);
    expect(ready).toMatchObject({ name: 'copy all', input: { place: 'there', copies: 3 } });
    expect(await ready.run({ globals, output: new Output({ stdout: sink, stderr: sink }, { json: false }) })).toBe(1);
    expect(seen).toEqual([{ input: { place: 'there', copies: 3 }, globals }]);
  });

  it('names itself as the topic of the help when its options are refused', () => {
    const refusal = () => command.prepare({}, []);
    expect(refusal).toThrow(UsageError);
    expect(refusal).toThrow(expect.objectContaining({ message: 'Missing option: --place', topic: 'copy all' }));
  });

  it('does not change other errors', () => {
    expect(() => command.prepare({}, ['broken'])).toThrow(RangeError);
  });
});
