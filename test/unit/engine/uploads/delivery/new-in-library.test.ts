import { describe, expect, it } from 'vitest';
import { isNew, NEW_FOR_MS } from '../../../../../electron/engine/uploads/delivery/new-in-library.ts';

describe('an item created in the library', () => {
  const now = 1_800_000_000_000;

  it.each([
    ['is new just after it was made', now, true],
    ['is new until a minute has passed', now - NEW_FOR_MS + 1, true],
    ['is not new after a minute', now - NEW_FOR_MS, false],
    ['is not new when the clock was set back since', now + 1, false],
    ['is not new when its creation time is unknown', null, false],
  ])('%s', (_, madeAt, expected) => {
    expect(isNew(madeAt, now)).toBe(expected);
  });
});
