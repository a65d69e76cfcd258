import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from './scenario.ts';

/** A scenario that once failed. It runs on every push. */
export interface KeptSeed {
  /** What it found, as the guarantee that holds since then. */
  found: string;
  /** The rule that it violated. */
  rule: string;
  scenario: Scenario;
}

const FOLDER = join(import.meta.dirname, 'seeds');

/** By file name. */
export function keptSeeds(): { name: string; kept: KeptSeed }[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, kept: JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as KeptSeed }));
}

export function keepSeed(name: string, kept: KeptSeed): string {
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, `${name}.json`);
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`);
  return path;
}
