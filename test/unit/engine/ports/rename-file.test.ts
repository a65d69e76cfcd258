import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../electron/engine/ports/clock.ts';
import { whileHeld, whileHeldNow } from '../../../../electron/engine/ports/system/rename-file.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

/** A clock whose breaks end at once; they are noted. */
function noted() {
  const breaks: number[] = [];
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    schedule(delayMs, task) {
      breaks.push(delayMs);
      queueMicrotask(task);
      return () => {};
    },
  };
  return { breaks, clock };
}

/** A rename that fails this many times, and counts its tries. */
function failing(times: number, code: string) {
  const tries = { count: 0 };
  const work = () => {
    tries.count += 1;
    if (tries.count <= times) throw failure(code);
  };
  return { tries, work };
}

describe('a rename that another program prevents', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('is repeated on Windows after %s, with growing breaks', async (code) => {
    const { breaks, clock } = noted();
    const { tries, work } = failing(3, code);
    await whileHeld(async () => work(), { platform: 'win32', clock });
    expect(tries.count).toBe(4);
    expect(breaks).toEqual([10, 20, 40]);
  });

  it('fails with its error on Windows when the program keeps the file for more than 1.6 s', async () => {
    const { breaks, clock } = noted();
    const { work } = failing(Number.POSITIVE_INFINITY, 'EBUSY');
    await expect(whileHeld(async () => work(), { platform: 'win32', clock })).rejects.toMatchObject({ code: 'EBUSY' });
    expect(breaks.reduce((sum, each) => sum + each, 0)).toBe(1600);
  });

  it.each([
    ['linux', 'EPERM'],
    ['linux', 'EBUSY'],
    ['darwin', 'EACCES'],
    ['win32', 'ENOENT'],
    ['win32', 'EXDEV'],
    ['win32', 'ENOSPC'],
  ])('fails at once on %s after %s', async (platform, code) => {
    const { breaks, clock } = noted();
    const { tries, work } = failing(1, code);
    await expect(whileHeld(async () => work(), { platform, clock })).rejects.toMatchObject({ code });
    expect([tries.count, breaks]).toEqual([1, []]);
  });

  it('is repeated also where the process waits for it', () => {
    const { tries, work } = failing(2, 'EPERM');
    whileHeldNow(work, 'win32');
    expect(tries.count).toBe(3);
    const other = failing(1, 'EPERM');
    expect(() => whileHeldNow(other.work, 'linux')).toThrow('EPERM');
  });
});

it('no part of the app renames files without these functions', () => {
  const others = globSync('{electron,shared}/**/*.ts')
    .filter((file) => !file.endsWith('rename-file.ts'))
    .filter((file) =>
      /import \{[^}]*\brename(Sync)?\b[^}]*\} from 'node:fs(\/promises)?'/.test(readFileSync(file, 'utf8')),
    );
  expect(others).toEqual([]);
});
