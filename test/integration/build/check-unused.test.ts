import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checks } from '../../../build/check.ts';
import { run } from '../../../build/processes.ts';

const CONFIG = resolve(import.meta.dirname, '../../../knip.config.ts');

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mediadesk-unused-'));
  await mkdir(join(root, 'electron/main'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('the check of unused code fails and names each unused export and dependency', async () => {
  await writeFile(
    join(root, 'package.json'),
    JSON.stringify({ name: 'tree', type: 'module', dependencies: { got: '16.1.0', zod: '4.6.7' } }),
  );
  await writeFile(join(root, 'electron/main/main.ts'), "import 'zod';\nimport { used } from './used.ts';\nused();");
  await writeFile(
    join(root, 'electron/main/used.ts'),
    'export const used = () => {};\nexport const spare = 1;\nexport interface Spare {}',
  );
  await writeFile(join(root, 'electron/main/forgotten.ts'), 'export const forgotten = 1;');

  const step = checks.find(({ name }) => name === 'unused');
  const { code, stdout } = await run(step?.command ?? '', ['--directory', root, '--config', CONFIG]);
  expect(code).toBe(1);
  expect(stdout).toContain('Unused files (1)\nelectron/main/forgotten.ts');
  expect(stdout).toContain('Unused dependencies (1)\ngot');
  expect(stdout).toMatch(/Unused exports \(1\)\nspare /);
  expect(stdout).toMatch(/Unused exported types \(1\)\nSpare /);
});
