// What somebody who shares collections, and is no administrator, may take away without losing an own right.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keepsOwnRoles, type OwnFacts } from '../../../../electron/engine/admin/own-access.ts';
import { maskOf } from '../../../../shared/api/permission-sets.ts';
import {
  type AccessFacts,
  chainOf,
  type FactMembership,
  withMemberships,
} from '../../../../shared/model/access/access-facts.ts';
import { accessOf, calculated, libraries } from '../../../helpers/data/random-access.ts';

const SHARE = maskOf(['collection-share']);

/** What the service tells a user about a group: the own memberships, and those in collections that the user may share. */
function factsFor(facts: AccessFacts, userId: string, { subject, collectionId }: FactMembership): OwnFacts {
  const access = accessOf(facts, userId);
  const visible = [...facts.memberships.values()]
    .flat()
    .filter((each) => ((access.get(Number(each.collectionId))?.mask ?? 0) & SHARE) !== 0);
  const roleIds = (id: string) => access.get(Number(id))?.roleIds.map(String);
  return {
    rolesOf: async (id) => (roleIds(id) === undefined ? null : new Set(roleIds(id))),
    direct: async () =>
      [...facts.memberships.values()]
        .flat()
        .filter((each) => each.subject.kind === 'user' && each.subject.id === userId),
    ofGroup: async () => visible.filter((each) => each.subject.kind === 'group' && each.subject.id === subject.id),
    above: async () =>
      chainOf(facts, collectionId)
        .slice(1)
        .map(({ id }) => id),
  };
}

/** All roles of groups that a user could take away. */
function takeable(facts: AccessFacts, userId: string): FactMembership[] {
  const access = calculated(facts, userId);
  return [...facts.memberships.values()]
    .flat()
    .filter(({ subject, collectionId }) => subject.kind === 'group' && ((access.get(collectionId) ?? 0) & SHARE) !== 0);
}

it('a role of a group is taken away only where the one who takes it loses nothing anywhere', async () => {
  let [taken, kept, byOther] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(libraries, async (facts) => {
      for (const { id: userId, isAdmin, groupIds } of facts.users.values()) {
        if (isAdmin) continue;
        const before = calculated(facts, userId);
        for (const membership of takeable(facts, userId)) {
          const isSafe = await keepsOwnRoles(membership, factsFor(facts, userId, membership));
          const isMember = [...groupIds, '1', '2'].includes(membership.subject.id);
          if (!isSafe) kept += 1;
          else {
            taken += 1;
            if (!isMember) byOther += 1;
            const after = withMemberships(facts, membership.collectionId, (all) =>
              all.filter(({ id }) => id !== membership.id),
            );
            expect(calculated(after, userId)).toEqual(before);
          }
        }
      }
    }),
    { numRuns: 2000 },
  );
  // Each kind of decision was among them.
  expect(Math.min(taken, kept, byOther)).toBeGreaterThan(10);
});
