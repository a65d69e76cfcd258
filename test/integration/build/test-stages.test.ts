import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Part, runStages } from '../../../build/test.ts';

/** Returns a part that runs this JavaScript. */
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

  it('run their parts at the same time', { timeout: 300_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stages-'));
    // Each part ends when the other has started, and fails when the other does not start within 20 s.
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
  ])('end after the stage in which a part %s; the other parts of the stage run to their end', async (_, code) => {
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

  it('go on after a failed stage with `continues`, and return its failed tests', async () => {
    const report =
      'console.log("\\u001b[31m FAIL \\u001b[39m a.test.ts > it works\\n FAIL  a.test.ts > it works"); process.exit(1)';
    const stages = [{ parts: [part('bad', report)], continues: true }, { parts: [part('next', '')] }];
    const results = await runStages(stages, () => {});
    expect(results.map(({ name, passed, failures }) => [name, passed, failures])).toEqual([
      ['bad', false, [{ title: 'FAIL a.test.ts > it works', details: [] }]],
      ['next', true, []],
    ]);
  });

  /** Returns a part that reports failed tests in these files. Run again, it prints its arguments and runs `second`. */
  const failing = (files: string[], second: string): Part => {
    const lines = files.map((file) => `FAIL ${file} > works`).join('\n');
    const code = `if (process.argv[1] === 'again') { console.log(process.argv.slice(2).join()); ${second} }
      else { console.log(${JSON.stringify(lines)}); process.exit(1); }`;
    return { ...part('bad', code), again: ['-e', code, 'again'] };
  };

  it.each([
    ['pass when their failed files pass alone', '', true],
    ['fail when their failed files fail again', 'process.exit(1)', false],
  ])('%s', async (_, second, passes) => {
    const lines: string[] = [];
    const [result] = await runStages([{ parts: [failing(['test/a.test.ts', 'test/b.test.ts'], second)] }], (line) =>
      lines.push(line),
    );
    expect(result).toMatchObject({ passed: passes, passedAlone: passes, failures: { length: 2 } });
    expect(lines.at(-1)).toBe('bad | test/a.test.ts,test/b.test.ts');
  });

  it('fail when a random test found a counterexample, although its file passes alone', async () => {
    const report = ['FAIL test/a.test.ts > holds', 'Error: Property failed after 12 tests', '{ seed: 7, path: "11" }'];
    const code = `if (process.argv[1] === 'again') process.exit(0);
      console.log(${JSON.stringify(report.join('\n'))}); process.exit(1);`;
    const [result] = await runStages([{ parts: [{ ...part('bad', code), again: ['-e', code, 'again'] }] }], () => {});
    expect(result).toMatchObject({ passed: false, passedAlone: false });
  });

  it('fail without a second run when many files failed, none was named, or errors occurred outside of tests', async () => {
    const many = [...'abcdefghi'].map((name) => `test/${name}.test.ts`);
    for (const files of [
      many,
      [],
      ['test/a.test.ts > x\nVitest caught 1 unhandled error during the test run.\nFAIL test/a.test.ts'],
    ]) {
      const [result] = await runStages([{ parts: [failing(files, '')] }], () => {});
      expect(result?.passed).toBe(false);
    }
  });

  it('fail when a part can not be started', async () => {
    await expect(runStages([{ parts: [{ name: 'none', command: '/does/not/exist', args: [] }] }])).rejects.toThrow(
      'ENOENT',
    );
  });
});
