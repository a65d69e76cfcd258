import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A version of the service whose schema has one step more. */
export interface NextVersion {
  /** The source of its program. */
  program: string;
  remove(): void;
}

/** Makes the next version: `step` is the SQL of its step; with `readable`, this version can use a database that has it. */
export function makeNextVersion(step: string, readable: boolean): NextVersion {
  const folder = mkdtempSync(join(tmpdir(), 'library-next-'));
  for (const name of ['service', 'shared', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const file = join(folder, 'service', 'database', 'schema.ts');
  const source = readFileSync(file, 'utf8');
  const [, readableFrom] = /READABLE_FROM = (\d+)/.exec(source) ?? [];
  const changed = source
    .replace('\n];\n', `\n  ${JSON.stringify(step)},\n];\n`)
    .replace(`READABLE_FROM = ${readableFrom}`, `READABLE_FROM = ${readable ? readableFrom : 'STEPS.length'}`);
  if (changed.length <= source.length) throw new Error('The source of the schema has another form.');
  writeFileSync(file, changed);
  return {
    program: join(folder, 'service', 'lab-main.ts'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
