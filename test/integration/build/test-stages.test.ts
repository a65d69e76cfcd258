import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Part, runStages } from '../../../build/test.ts';

/** A part that runs this JavaScript. */
const part = (name: string, code: string): Part => ({ name, command: process.execPath, args: ['-e', code] });

describe('the stages of npm test', () => {
  it('run in order, and each line has the name of its part', async () => {
    const lines: string[] = [];
    const stages = [
      { parts: [part('one', 'console.log("first"); console.error("a warning")')] },
      { parts: [part('other', 'process.stdout.write("second")')] },
    ];
    const results = await runStages(stages, (line) => lines.push(line));
    expect(results.map(({ name, passed }) => [name, passed])).toEqual([
      ['one', true],
      ['other', true],
    ]);
    expect(lines.slice(0, 2).sort()).toEqual(['one   | a warning', 'one   | first']);
    expect(lines.slice(2)).toEqual(['other | second']);
  });

  it('run their parts at the same time', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stages-'));
    // Each part ends when the other has started, and fails when it does not start.
    const meet = (
      mine: string,
      other: string,
    ) => `const fs = require('node:fs'); process.chdir(${JSON.stringify(folder)});
      fs.writeFileSync('${mine}', '');
      const poll = setInterval(() => { if (fs.existsSync('${other}')) clearInterval(poll); }, 10);
      setTimeout(() => process.exit(1), 20_000).unref();`;
    try {
      const results = await runStages([{ parts: [part('a', meet('a', 'b')), part('b', meet('b', 'a'))] }], () => {});
      expect(results.map(({ passed }) => passed)).toEqual([true, true]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    ['exits with 1', 'process.exit(1)'],
    ['is killed', 'process.kill(process.pid, "SIGKILL")'],
  ])('end after the stage in which a part %s, whose other parts run to their end', async (_, code) => {
    const lines: string[] = [];
    const stages = [
      { parts: [part('bad', code), part('good', 'setTimeout(() => console.log("ended"), 300)')] },
      { parts: [part('next', 'console.log("started")')] },
    ];
    const results = await runStages(stages, (line) => lines.push(line));
    expect(results.map(({ name, passed }) => [name, passed])).toEqual([
      ['bad', false],
      ['good', true],
    ]);
    expect(lines).toEqual(['good | ended']);
  });

  it('go on after a failed stage that continues, and keep its failed tests for the end', async () => {
    const report =
      'console.log("\\u001b[31m FAIL \\u001b[39m a.test.ts > it works\\n FAIL  a.test.ts > it works"); process.exit(1)';
    const stages = [{ parts: [part('bad', report)], continues: true }, { parts: [part('next', '')] }];
    const results = await runStages(stages, () => {});
    expect(results.map(({ name, passed, failures }) => [name, passed, failures])).toEqual([
      ['bad', false, ['FAIL a.test.ts > it works']],
      ['next', true, []],
    ]);
  });

  it('fail when a part can not be started', async () => {
    await expect(runStages([{ parts: [{ name: 'none', command: '/does/not/exist', args: [] }] }])).rejects.toThrow(
      'ENOENT',
    );
  });
});
