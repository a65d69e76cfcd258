import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from './scenario.ts';

/** A scenario that once failed. It runs on every push. */
export interface KeptSeed<S = Scenario> {
  /** The guarantee that was broken in this scenario and has been fixed since: a clause that ends the title of a test. */
  found: string;
  /** The rule that it violated. */
  rule: string;
  scenario: S;
}

const FOLDER = join(import.meta.dirname, 'seeds');
/** The kept scenarios of editors. */
export const EDIT_SEEDS = join(import.meta.dirname, 'edits', 'seeds');

/** Returns the kept scenarios, sorted by file name. */
export function keptSeeds<S = Scenario>(folder = FOLDER): { name: string; kept: KeptSeed<S> }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, kept: JSON.parse(readFileSync(join(folder, name), 'utf8')) as KeptSeed<S> }));
}

export function keepSeed<S>(name: string, kept: KeptSeed<S>, folder = FOLDER): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.json`);
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`);
  return path;
}
