import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkCycles } from '../../../build/check-cycles.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mediadesk-cycles-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function tree(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** Returns the detected cycles, each with its files in order. */
async function cycles(files: Record<string, string>): Promise<string[][]> {
  await tree(files);
  return (await checkCycles(root, [])).cycles.map((cycle) => cycle.map(({ from }) => from));
}

describe('the check of import cycles', () => {
  it('accepts a tree in which two files share a third one', async () => {
    const found = await cycles({
      'service/a.ts': "import './b.ts';\nimport './c.ts';",
      'service/b.ts': "import './c.ts';",
      'service/c.ts': "import 'node:fs';",
    });
    expect(found).toEqual([]);
  });

  it.each([
    ['values', "import { b } from './b.ts';", "import { a } from './a.ts';"],
    ['types', "import type { B } from './b.ts';", "import { type A } from './a.ts';"],
    ['a type in an expression', "export type B = import('./b.ts').B;", "import './a.ts';"],
    ['re-exports', "export * from './b.ts';", "export { a } from './a.ts';"],
    ['a dynamic import', "await import('./b.ts');", "import './a.ts';"],
    ['a worker', "import Worker from './b.ts?worker';", "import './a.ts';"],
  ])('finds two files that import each other through %s', async (_what, a, b) => {
    expect(await cycles({ 'renderer/a.ts': a, 'renderer/b.ts': b })).toEqual([['renderer/a.ts', 'renderer/b.ts']]);
  });

  it('finds a file that imports itself', async () => {
    expect(await cycles({ 'build/a.ts': "import type { A } from './a.ts';" })).toEqual([['build/a.ts']]);
  });

  it('names the shortest cycle when a group of files has several, with the line of each import', async () => {
    await tree({
      'shared/model/a.ts': "import './b.ts';",
      'shared/model/b.ts': "import './c.ts';\n\nimport './d.ts';",
      'shared/model/c.ts': "import './d.ts';",
      'shared/model/d.ts': "import '../contract/e.ts';",
      'shared/contract/e.ts': "import '../model/a.ts';",
    });
    expect((await checkCycles(root, [])).cycles).toEqual([
      [
        { from: 'shared/contract/e.ts', to: 'shared/model/a.ts', line: 1 },
        { from: 'shared/model/a.ts', to: 'shared/model/b.ts', line: 1 },
        { from: 'shared/model/b.ts', to: 'shared/model/d.ts', line: 3 },
        { from: 'shared/model/d.ts', to: 'shared/contract/e.ts', line: 1 },
      ],
    ]);
  });

  it('finds each of two cycles that have no file in common, in tests as well', async () => {
    const found = await cycles({
      'service/a.ts': "import './b.ts';",
      'service/b.ts': "import './a.ts';",
      'test/helpers/c.ts': "import './d.ts';\nimport '../../service/a.ts';",
      'test/helpers/d.ts': "import './c.ts';",
    });
    expect(found).toEqual([
      ['service/a.ts', 'service/b.ts'],
      ['test/helpers/c.ts', 'test/helpers/d.ts'],
    ]);
  });

  it('accepts an import with an exception, and reports an exception that no cycle needs', async () => {
    const excuse = { from: 'service/a.ts', to: 'service/b.ts', reason: 'until a.ts is divided' };
    await tree({ 'service/a.ts': "import './b.ts';", 'service/b.ts': "import './a.ts';" });
    expect(await checkCycles(root, [excuse])).toMatchObject({ cycles: [], stale: [] });
    await tree({ 'service/b.ts': 'export const b = 1;' });
    expect(await checkCycles(root, [excuse])).toMatchObject({ cycles: [], stale: [excuse] });
    await tree({ 'service/a.ts': 'export const a = 1;' });
    expect(await checkCycles(root, [excuse])).toMatchObject({ cycles: [], stale: [excuse] });
  });
});
