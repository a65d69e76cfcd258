import { describe, expect, it } from 'vitest';
import { withoutImports } from '../../../build/packages/builtin-imports.ts';

describe('imports of Node modules in a bundle', () => {
  it.each([
    ["import { once } from 'node:events';", 'const { once } = globalThis.process.getBuiltinModule("node:events");'],
    ['import{open as a,close}from"fs";', 'const { open: a, close } = globalThis.process.getBuiltinModule("fs");'],
    ['import { "a b" as c } from "node:fs";', 'const { "a b": c } = globalThis.process.getBuiltinModule("node:fs");'],
    ["import * as path from 'node:path';", 'const path = globalThis.process.getBuiltinModule("node:path");'],
    [
      "import http, { Agent } from 'node:http';",
      'const http = globalThis.process.getBuiltinModule("node:http"); const { Agent } = globalThis.process.getBuiltinModule("node:http");',
    ],
    ["import { default as fs } from 'node:fs';", 'const fs = globalThis.process.getBuiltinModule("node:fs");'],
    ["import process from 'node:process';", 'const process = globalThis.process.getBuiltinModule("node:process");'],
    ["import 'node:fs';", ''],
  ])('become constants: %s', (statement, constants) => {
    expect(withoutImports(`${statement}\nrun();`)).toBe(`${constants}\nrun();`);
  });

  it('change nothing else: other imports, dynamic ones, exports and texts stay', () => {
    const code = [
      "import { app } from 'electron';",
      "import { a } from './chunk.js';",
      "export { b } from './other.js';",
      'const text = "import fs from \'node:fs\';"; // import fs from "node:fs";',
      "const later = () => import('node:fs');",
    ].join('\n');
    expect(withoutImports(code)).toBe(code);
  });

  it('load what an import loads', async () => {
    const code = "import fs, { constants as named } from 'node:fs'; import * as all from 'node:fs';";
    const made = withoutImports(`${code}\nexport { fs, named, all };`);
    const loaded = await import(`data:text/javascript,${encodeURIComponent(made)}`);
    const fs = await import('node:fs');
    expect(loaded.fs).toBe(fs.default);
    expect(loaded.named).toBe(fs.constants);
    expect(loaded.all.readFile).toBe(fs.readFile);
  });
});
