// The numbers of items with tags: counted in small calls, of which none is made in vain.
import { beforeEach, expect, it } from 'vitest';
import { countTagUses, type TagUses } from '../../../../../renderer/features/admin/state/tag-uses.ts';
import { HeldBridge } from '../../../../helpers/desktop/held-bridge.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `tag ${index}`);

let bridge: HeldBridge;
let latest: TagUses | null;
beforeEach(() => {
  bridge = new HeldBridge();
  latest = null;
});
const count = (all: readonly string[]) =>
  countTagUses('s', all, (uses) => {
    latest = uses;
  });
const answerNext = async () => {
  const { input, answer } = bridge.take('admin.tagUse');
  await answer(input.names.map((name) => ({ name, items: name.length })));
  return input.names;
};

it('are asked for ten by ten, and reported after each call', async () => {
  count(names(12));
  expect(await answerNext()).toEqual(names(10));
  expect([latest?.isDone, latest?.counts.size]).toEqual([false, 10]);
  expect(await answerNext()).toEqual(['tag 10', 'tag 11']);
  expect(latest).toMatchObject({ isDone: true, error: null });
  expect(latest?.counts.get('tag 11')).toBe(6);
  expect(bridge.waiting).toEqual([]);
});

it('are neither asked for nor reported any more after the end', async () => {
  const end = count(names(30));
  end();
  await answerNext();
  expect([bridge.waiting, latest]).toEqual([[], null]);
});

it('stay unknown for the tags of a call that failed, and the others are counted', async () => {
  count(names(12));
  await bridge.take('admin.tagUse').refuse('site.unreachable');
  expect(latest).toMatchObject({ isDone: false, error: { code: 'site.unreachable' } });
  await answerNext();
  expect(latest).toMatchObject({ isDone: true, error: { code: 'site.unreachable' } });
  expect([...(latest?.counts.keys() ?? [])]).toEqual(['tag 10', 'tag 11']);
});

it('stay unknown for a name that is longer than the engine accepts', async () => {
  const long = 'x'.repeat(1001);
  count([long, 'short']);
  expect(await answerNext()).toEqual(['short']);
  expect([latest?.isDone, latest?.counts.has(long)]).toEqual([true, false]);
  count([long]);
  expect(latest).toEqual({ counts: new Map(), isDone: true, error: null });
});
