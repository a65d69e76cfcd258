import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closed, maskOf, namesOf } from '../../../../shared/api/permission-sets.ts';
import { PERMISSIONS } from '../../../../shared/api/permissions.ts';
import { rebasedRole } from '../../../../shared/model/access/rebased-role.ts';
import { lackingOf } from '../../../../shared/model/access/role-draft.ts';

const role = fc.integer({ min: 0, max: 2 ** PERMISSIONS.length - 1 }).map((mask) => namesOf(closed(mask)) as string[]);

describe('two changes of one role', () => {
  it('are both made when they don’t collide', () => {
    const seen = ['collection-read', 'media-read'];
    const mine = [...seen, 'media-play'];
    const theirs = ['collection-read', 'media-read', 'media-download', 'future-permission'];
    expect(rebasedRole(seen, mine, theirs)).toEqual({
      permissions: expect.arrayContaining(['media-play', 'media-download', 'future-permission']),
      dropped: { added: [], removed: [] },
    });
  });

  it('drop mine where it would undo theirs, and say so', () => {
    const seen = ['collection-read', 'collection-update'];
    expect(rebasedRole(seen, [...seen, 'collection-share'], ['collection-read'])).toEqual({
      permissions: ['collection-read'],
      dropped: { added: ['collection-share'], removed: [] },
    });
    const removed = rebasedRole(seen, ['collection-read'], [...seen, 'collection-share']);
    expect(removed.dropped).toEqual({ added: [], removed: ['collection-update'] });
    expect(removed.permissions.toSorted()).toEqual([...seen, 'collection-share'].toSorted());
  });

  it('keep all of theirs and all of mine that is not dropped, and need nothing that they lack', () => {
    fc.assert(
      fc.property(role, role, role, (seen, mine, theirs) => {
        const { permissions, dropped } = rebasedRole(seen, mine, theirs);
        const [base, own, other, now] = [maskOf(seen), maskOf(mine), maskOf(theirs), maskOf(permissions)];
        const [theirAdded, theirRemoved] = [other & ~base, base & ~other];
        expect([theirAdded & ~now, theirRemoved & now]).toEqual([0, 0]);
        expect(own & ~base & ~now & ~maskOf(dropped.added)).toBe(0);
        expect(base & ~own & now & ~maskOf(dropped.removed)).toBe(0);
        expect(lackingOf(now)).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('are theirs without a change of mine, and mine without one of theirs', () => {
    fc.assert(
      fc.property(role, role, (one, other) => {
        expect(maskOf(rebasedRole(one, one, other).permissions)).toBe(maskOf(other));
        expect(maskOf(rebasedRole(one, other, one).permissions)).toBe(maskOf(other));
      }),
    );
  });
});
