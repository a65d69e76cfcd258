// Explanations and previews of access in random libraries, beside the calculation of the service, which is other code.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_PERMISSIONS, closed, maskOf, namesOf, PERMISSIONS } from '../../../../shared/api/permission-sets.ts';
import type { AccessChange } from '../../../../shared/contract/admin/access.ts';
import { afterChange, effectsOf, inheritedToKeep } from '../../../../shared/model/access/access-effects.ts';
import type { AccessFacts, FactMembership } from '../../../../shared/model/access/access-facts.ts';
import { reachIn } from '../../../../shared/model/access/access-report.ts';
import { permissionsBy, waysTo, whoMay } from '../../../../shared/model/access/explain-access.ts';
import { libraryAs } from '../../../../shared/model/access/library-view.ts';
import { calculated, libraries } from '../../../helpers/data/random-access.ts';

const RUNS = 400;

/** A library and a planned change of it. */
const changes: fc.Arbitrary<{ facts: AccessFacts; change: AccessChange }> = libraries.chain((facts) => {
  const collectionId = fc.constantFrom(...facts.collections.keys());
  const subject = fc.oneof(
    fc.constantFrom(...facts.users.keys()).map((id) => ({ kind: 'user' as const, id })),
    fc.constantFrom(...facts.groups.keys()).map((id) => ({ kind: 'group' as const, id })),
  );
  const roleId = fc.constantFrom(...facts.roles.keys());
  const ids = [...facts.memberships.values()].flat().map(({ id }) => id);
  return fc.record({
    facts: fc.constant(facts),
    change: fc.oneof(
      fc.record({ kind: fc.constant('set' as const), collectionId, subject, roleId }),
      fc.record({ kind: fc.constant('remove' as const), membershipId: fc.constantFrom('none', ...ids), roleId }),
      fc.record({ kind: fc.constant('inherit' as const), collectionId, inherits: fc.boolean(), keeps: fc.boolean() }),
      fc.record({
        kind: fc.constant('role' as const),
        roleId,
        permissions: fc.nat(ALL_PERMISSIONS).map((mask) => namesOf(closed(mask)) as string[]),
      }),
    ),
  });
});

/** How many users gain and lose each permission somewhere, by comparing every collection. */
function differences(before: AccessFacts, after: AccessFacts): Record<string, [gain: number, lose: number]> {
  const counts: Record<string, [number, number]> = {};
  for (const userId of before.users.keys()) {
    const [old, now] = [calculated(before, userId), calculated(after, userId)];
    let [gained, lost] = [0, 0];
    for (const [id, mask] of old) {
      gained |= (now.get(id) ?? 0) & ~mask;
      lost |= mask & ~(now.get(id) ?? 0);
    }
    for (const name of PERMISSIONS) {
      const [gain, lose] = [Number((gained & maskOf([name])) !== 0), Number((lost & maskOf([name])) !== 0)];
      if (gain + lose > 0) counts[name] = [(counts[name]?.[0] ?? 0) + gain, (counts[name]?.[1] ?? 0) + lose];
    }
  }
  return counts;
}

describe('the ways to a permission', () => {
  it('give exactly the permissions that the service calculates, for each user in each collection', () => {
    fc.assert(
      fc.property(libraries, (facts) => {
        for (const userId of facts.users.keys()) {
          for (const [collectionId, mask] of calculated(facts, userId)) {
            const ways = waysTo(facts, { kind: 'user', id: userId }, collectionId);
            expect(maskOf(permissionsBy(ways))).toBe(mask);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('are the same in a report of all collections, which names only those with a permission', () => {
    fc.assert(
      fc.property(libraries, (facts) => {
        const placesOf = reachIn(facts, null);
        for (const user of facts.users.values()) {
          if (user.isAdmin) continue;
          const reached = [...calculated(facts, user.id)].filter(([, mask]) => mask !== 0);
          const places = placesOf(user);
          expect(places.map(({ collectionId, permissions }) => [collectionId, maskOf(permissions)]).toSorted()).toEqual(
            reached.toSorted(),
          );
          for (const { collectionId, permissions, ways } of places) {
            const explained = waysTo(facts, { kind: 'user', id: user.id }, collectionId);
            expect(permissions).toEqual(permissionsBy(explained));
            const texts = explained
              .filter((way) => way.permissions.length > 0)
              .map((way) => [way.role?.id, way.group?.id, way.collection?.id]);
            const reported = ways.map(({ role, group, inheritedFrom }) => [
              ...[role.id, group?.id, inheritedFrom?.id ?? collectionId],
            ]);
            expect(reported.toSorted()).toEqual(texts.toSorted());
            expect(reachIn(facts, collectionId)(user)).toEqual([
              { ...places.find((each) => each.collectionId === collectionId) },
            ]);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('name exactly the users who have a permission in a collection', () => {
    fc.assert(
      fc.property(libraries, fc.constantFrom(...PERMISSIONS), (facts, permission) => {
        for (const collectionId of facts.collections.keys()) {
          const named = whoMay(facts, collectionId, permission).ids;
          const may = [...facts.users.keys()].filter(
            (id) => ((calculated(facts, id).get(collectionId) ?? 0) & maskOf([permission])) !== 0,
          );
          expect(named).toEqual(may);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the library as a user sees it', () => {
  it('has the collections that the service shows to the user before or after a change, below those above them', () => {
    const sees = maskOf(['collection-read']);
    fc.assert(
      fc.property(changes, ({ facts, change }) => {
        const after = afterChange(facts, change);
        for (const id of facts.users.keys()) {
          const [old, now] = [calculated(facts, id), calculated(after, id)];
          const shown = (mask = 0) => ((mask & sees) === 0 ? 0 : mask);
          const rows = libraryAs(facts, after, { kind: 'user', id });
          const wanted = [...facts.collections.keys()].flatMap((collectionId) => {
            const masks = { was: shown(old.get(collectionId)), is: shown(now.get(collectionId)) };
            return masks.was + masks.is === 0 ? [] : [{ collectionId, ...masks }];
          });
          const listed = rows.map(({ collectionId, was, is }) => ({ collectionId, was, is }));
          const byNumber = (one: { collectionId: string }, other: { collectionId: string }) =>
            Number(one.collectionId) - Number(other.collectionId);
          expect(listed.toSorted(byNumber)).toEqual(wanted);
          for (const [index, row] of rows.entries()) {
            const above = aboveOf(facts, row.collectionId);
            const visible = rows.filter(({ collectionId }) => above.includes(collectionId));
            expect(row.depth).toBe(visible.length);
            for (const each of visible) expect(rows.indexOf(each)).toBeLessThan(index);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** The ids of the collections above a collection. */
function aboveOf({ collections }: AccessFacts, collectionId: string): string[] {
  const parentId = collections.get(collectionId)?.parentId ?? null;
  return parentId === null ? [] : [parentId, ...aboveOf({ collections } as AccessFacts, parentId)];
}

describe('the preview of a change', () => {
  it('counts everybody who gains or loses a permission anywhere, and nobody else', () => {
    fc.assert(
      fc.property(changes, ({ facts, change }) => {
        const { effects } = effectsOf(facts, change);
        const counts = Object.fromEntries(effects.map(({ permission, gain, lose }) => [permission, [gain, lose]]));
        expect(counts).toEqual(differences(facts, afterChange(facts, change)));
      }),
      { numRuns: RUNS * 2 },
    );
  });

  it('keeps, at an end of inheritance, the nearest inherited role of every subject without an own one', () => {
    fc.assert(
      fc.property(libraries, fc.nat(11), (facts, place) => {
        const ids = [...facts.collections.keys()];
        const collectionId = ids[place % ids.length] ?? '';
        const keyOf = ({ subject: { kind, id } }: FactMembership) => `${kind} ${id}`;
        const own = (facts.memberships.get(collectionId) ?? []).map(keyOf);
        // Walked from the top down: the nearest role comes last and replaces the others.
        const nearest = new Map<string, string>();
        const above: string[] = [];
        let at = facts.collections.get(collectionId);
        while (at?.inherits === true && at.parentId !== null) {
          above.unshift(at.parentId);
          at = facts.collections.get(at.parentId);
        }
        for (const membership of above.flatMap((id) => facts.memberships.get(id) ?? [])) {
          nearest.set(keyOf(membership), membership.roleId);
        }
        for (const key of own) nearest.delete(key);
        const kept = inheritedToKeep(facts, collectionId).map((each) => [
          `${each.subject.kind} ${each.subject.id}`,
          each.roleId,
        ]);
        expect(kept.toSorted()).toEqual([...nearest].toSorted());
        const after = afterChange(facts, { kind: 'inherit', collectionId, inherits: false, keeps: true });
        const held = (after.memberships.get(collectionId) ?? []).map(keyOf);
        expect(held.toSorted()).toEqual([...own, ...nearest.keys()].toSorted());
      }),
      { numRuns: RUNS },
    );
  });
});
