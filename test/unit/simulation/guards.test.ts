import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EDIT_GUARDS } from '../../simulation/edits/edit-guards.ts';
import { GUARDS } from '../../simulation/station/guards.ts';
import type { GuardSource } from '../../simulation/station/switch-off.ts';

const root = join(import.meta.dirname, '../../..');

// Every push switches off a sample of the guards; a release requires all of them. This test finds every guard that a code change
// has made ineffective.
describe('a guard that the simulation switches off', () => {
  const all: readonly (GuardSource & { name: string })[] = [...EDIT_GUARDS, ...GUARDS];

  it.each(all)('names code that occurs exactly once in its file: $name', ({ file, find }) => {
    expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2);
  });

  it('has a name of its own', () => {
    const names = all.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
