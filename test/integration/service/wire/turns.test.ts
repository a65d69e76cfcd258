// Pages that take long to make, and the requests of others meanwhile.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../../../service/wire/turns.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

const HEAVY_PAGES = 40;
const service = await serviceOfFile({ seed: 'bulk:400:5' });

const asking = (token: string) => async (path: string) => {
  const response = await fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return response.json();
};

describe('40 pages with all joins', () => {
  test('delay a page for another user by a few of them at most', async () => {
    const path = '/api2/media?per_page=200&joins=files,thumbs,embedcode';
    const admin = asking((await signIn(service)).access_token);
    const email = 'user1@library.example';
    const other = asking((await signIn(service, { email })).access_token);
    let ended = 0;
    const heavy = Array.from({ length: HEAVY_PAGES }, async () => {
      const { items } = await admin(path);
      ended += 1;
      return items.length;
    });
    await heavy[0];
    const endedBefore = ended;
    await other(path);
    expect(ended - endedBefore).toBeLessThan(HEAVY_PAGES / 2);
    expect(new Set(await Promise.all(heavy))).toEqual(new Set([200]));
  });
});

test('callers take turns, and the work of one caller keeps its order', async () => {
  const turns: (() => void)[] = [];
  const { run } = createTurns((go) => void turns.push(go));
  const order: string[] = [];
  const works = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => run(name[0] ?? '', () => void order.push(name)));
  const failed = run('a', () => {
    throw new Error('this work only');
  });
  // Before it fails: a rejection that nothing waits for yet is an error of its own.
  const refused = expect(failed).rejects.toThrow('this work only');
  expect(order).toEqual([]);
  for (let left = 10; left > 0; left -= 1) {
    turns.shift()?.();
    await setImmediate();
  }
  await Promise.all(works);
  await refused;
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('work that waits keeps at most four places, and the next ones are given to callers in turn', async () => {
  const { run } = createTurns();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const wait = (caller: string, name: string) =>
    run(caller, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const works = [...['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => wait('a', name)), wait('b', 'b1')];
  await expect.poll(() => begun.length).toBe(4);
  await setImmediate();
  expect([...begun].sort()).toEqual(['a1', 'a2', 'a3', 'b1']);
  ends.shift()?.();
  await expect.poll(() => begun).toContain('a4');
  expect(begun).toHaveLength(5);
  for (let left = works.length; left > 0; left -= 1) {
    for (const end of ends.splice(0)) end();
    await expect.poll(() => ends.length > 0 || begun.length === works.length).toBe(true);
  }
  for (const end of ends.splice(0)) end();
  await Promise.all(works);
});
