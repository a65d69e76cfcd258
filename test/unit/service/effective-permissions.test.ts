import { expect, test } from 'vitest';
import { effectiveAccess, type Grant, type TreeRow } from '../../../service/access/effective-permissions.ts';

const READ = 1;
const WRITE = 2;

const tree: TreeRow[] = [
  { id: 1, parent_id: null, inherit_memberships: false },
  { id: 2, parent_id: 1, inherit_memberships: true },
  { id: 3, parent_id: 2, inherit_memberships: true },
  { id: 4, parent_id: 1, inherit_memberships: false },
  { id: 5, parent_id: 4, inherit_memberships: true },
];
const grant = (collectionId: number, mask: number, roleId = mask): Grant => ({ collectionId, roleId, mask });
const masks = (grants: Grant[]) =>
  Object.fromEntries([...effectiveAccess(tree, grants)].map(([id, { mask }]) => [id, mask]));

test('a role applies to every collection below that inherits, and stops at a collection that does not inherit', () => {
  expect(masks([grant(1, READ)])).toEqual({ 1: READ, 2: READ, 3: READ });
});

test('a role never applies to collections above or beside its collection', () => {
  expect(masks([grant(2, READ)])).toEqual({ 2: READ, 3: READ });
  expect(masks([grant(4, READ)])).toEqual({ 4: READ, 5: READ });
});

test('roles of several memberships add up', () => {
  expect(masks([grant(1, READ), grant(2, WRITE), grant(2, READ)])).toEqual({
    1: READ,
    2: READ | WRITE,
    3: READ | WRITE,
  });
});

test('each role is listed once, however often it is held', () => {
  const access = effectiveAccess(tree, [grant(1, READ, 7), grant(2, READ, 7), grant(3, WRITE, 8)]);
  expect([...(access.get(3)?.roleIds ?? [])].sort()).toEqual([7, 8]);
});

test('a role in an unknown collection grants nothing', () => {
  expect(masks([grant(99, READ)])).toEqual({});
});

test('a cycle in the tree does not prevent the computation of roles', () => {
  const circle: TreeRow[] = [
    { id: 1, parent_id: 2, inherit_memberships: true },
    { id: 2, parent_id: 1, inherit_memberships: true },
  ];
  expect(effectiveAccess(circle, [grant(1, READ)]).get(1)?.mask).toBe(READ);
});

test('ten thousand nested collections are computed without exhausting the stack', () => {
  const chain: TreeRow[] = Array.from({ length: 10_000 }, (_, index) => ({
    id: index + 1,
    parent_id: index === 0 ? null : index,
    inherit_memberships: true,
  })).reverse();
  expect(effectiveAccess(chain, [grant(1, READ)]).get(10_000)?.mask).toBe(READ);
});
