import { describe, expect, it } from 'vitest';
import { importCycles } from '../../../build/checks/import-cycles.ts';
import { arrowsOf } from '../../../build/checks/import-graph.ts';
import { readFacts } from '../../../build/checks/source-facts.ts';

type Files = Readonly<Record<string, string>>;

const cyclesOf = (files: Files) =>
  importCycles(Object.entries(files).flatMap(([path, text]) => arrowsOf(path, readFacts(path, text))));

/** Returns the detected cycles, each with its files in order. */
const cycles = (files: Files) => cyclesOf(files).map((cycle) => cycle.map(({ from }) => from));

describe('the check of import cycles', () => {
  it('accepts a tree in which two files share a third one', () => {
    const found = cycles({
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
  ])('finds two files that import each other through %s', (_what, a, b) => {
    expect(cycles({ 'renderer/a.ts': a, 'renderer/b.ts': b })).toEqual([['renderer/a.ts', 'renderer/b.ts']]);
  });

  it('finds a file that imports itself', () => {
    expect(cycles({ 'build/a.ts': "import type { A } from './a.ts';" })).toEqual([['build/a.ts']]);
  });

  it('names the shortest cycle when a group of files has several, with the line of each import', () => {
    const found = cyclesOf({
      'shared/model/a.ts': "import './b.ts';",
      'shared/model/b.ts': "import './c.ts';\n\nimport './d.ts';",
      'shared/model/c.ts': "import './d.ts';",
      'shared/model/d.ts': "import '../contract/e.ts';",
      'shared/contract/e.ts': "import '../model/a.ts';",
    });
    expect(found).toEqual([
      [
        { from: 'shared/contract/e.ts', to: 'shared/model/a.ts', line: 1 },
        { from: 'shared/model/a.ts', to: 'shared/model/b.ts', line: 1 },
        { from: 'shared/model/b.ts', to: 'shared/model/d.ts', line: 3 },
        { from: 'shared/model/d.ts', to: 'shared/contract/e.ts', line: 1 },
      ],
    ]);
  });

  it('finds each of two cycles that have no file in common, in tests as well', () => {
    const found = cycles({
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
});
