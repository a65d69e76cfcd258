import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../../../build/processes.ts';

const SCRIPT = resolve(import.meta.dirname, '../../../build/check-layers.ts');

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mediadesk-cycles-'));
  await mkdir(join(root, 'service'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('the check of import cycles fails and names files and lines when a tree has a cycle', async () => {
  await writeFile(join(root, 'service/a.ts'), "import './b.ts';");
  await writeFile(join(root, 'service/b.ts'), "import './a.ts';");
  const { code, stderr } = await run(process.execPath, [SCRIPT, root]);
  expect(code).toBe(1);
  expect(stderr).toContain('service/a.ts:1 → service/b.ts\n  service/b.ts:1 → service/a.ts');
});

it('the check of imports is a step of the check', async () => {
  const { checks } = await import('../../../build/check.ts');
  expect(checks.map(({ name }) => name)).toContain('layers');
});
