import { expect, it } from 'vitest';
import { createKeepAwake } from '../../../../electron/main/presence/keep-awake.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

function awake(isAllowed = true) {
  const clock = new ManualClock();
  let held = 0;
  let taken = 0;
  const lock = {
    hold() {
      held += 1;
      taken += 1;
      return () => {
        held -= 1;
      };
    },
    isHonored: () => true,
  };
  const keeper = createKeepAwake(lock, clock, isAllowed);
  return { clock, keeper, held: () => held, taken: () => taken };
}

it('holds one lock while bytes move, and releases it two seconds after the last one', async () => {
  const { clock, keeper, held, taken } = awake();
  keeper.note('uploads', 1_000);
  expect(held()).toBe(0);
  for (let moved = 2_000; moved < 10_000; moved += 1_000) {
    keeper.note('uploads', moved);
    await clock.advance(1_000);
    expect(held()).toBe(1);
  }
  keeper.note('uploads', 9_000);
  await clock.advance(1_001);
  expect(held()).toBe(0);
  expect(taken()).toBe(1);
});

it('lets the computer sleep at once when the user switches it off', () => {
  const { keeper, held } = awake();
  keeper.note('uploads', 0);
  keeper.note('uploads', 1);
  expect(held()).toBe(1);
  keeper.setAllowed(false);
  keeper.note('uploads', 2);
  expect(held()).toBe(0);
});

it('is kept awake by no list of downloads that stay as they are beside uploads that wait', () => {
  const { keeper, held } = awake();
  keeper.note('uploads', 5_000);
  keeper.note('downloads', 0);
  keeper.note('uploads', 5_000);
  keeper.note('downloads', 0);
  expect(held()).toBe(0);
  keeper.note('downloads', 1);
  expect(held()).toBe(1);
});
