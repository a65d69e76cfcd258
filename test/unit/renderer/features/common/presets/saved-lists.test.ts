// Saved presets and patterns, when answers arrive late or in another order.
import { expect, it } from 'vitest';
import { createSavedLists } from '../../../../../../renderer/features/common/presets/use-saved.ts';

interface Saved {
  id: string;
}

/** Creates lists whose requests the test answers. */
function lists() {
  const { useLists, take } = createSavedLists<Saved>();
  const ask = (key: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<Saved[]>();
    const taken = take(key, promise);
    return {
      async answer(...ids: string[]) {
        resolve(ids.map((id) => ({ id })));
        await taken;
      },
      async refuse() {
        reject(new Error('refused'));
        await expect(taken).rejects.toThrow('refused');
      },
    };
  };
  const known = (key: string) =>
    useLists
      .getState()
      .get(key)
      ?.map(({ id }) => id);
  return { ask, known };
}

it('the list of a collection is kept when an answer about another collection arrives after it', async () => {
  const { ask, known } = lists();
  const used = ask('A');
  const listed = ask('B');
  await listed.answer('b');
  await used.answer('a');
  expect([known('A'), known('B')]).toEqual([['a'], ['b']]);
});

it('a list is unknown while it is loaded, and after its load failed', async () => {
  const { ask, known } = lists();
  const first = ask('A');
  expect(known('A')).toBeUndefined();
  await first.refuse();
  expect(known('A')).toBeUndefined();
  await ask('A').answer();
  expect(known('A')).toEqual([]);
});

it('the answer to a later request about a list is kept when an earlier answer arrives after it, and when a command fails', async () => {
  const { ask, known } = lists();
  const [listed, saved, failed] = [ask('A'), ask('A'), ask('A')];
  await saved.answer('old', 'new');
  await listed.answer('old');
  await failed.refuse();
  expect(known('A')).toEqual(['old', 'new']);
});
