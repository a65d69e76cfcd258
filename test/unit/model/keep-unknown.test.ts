import { expect, it } from 'vitest';
import { withChanges } from '../../../shared/model/keep-unknown.ts';

it('an unchanged value is stored again as it was', () => {
  const raw = { a: 1, newer: { deep: true } };
  expect(withChanges(raw, { a: 1 }, { a: 1 })).toBe(raw);
});

it('unknown members are kept, also in inner objects and in the entries of lists', () => {
  const raw = { a: 1, newer: 1, inner: { b: 2, newer: 2 }, list: [{ id: 'x', c: 3, newer: 3 }] };
  const before = { a: 1, inner: { b: 2 }, list: [{ id: 'x', c: 3 }] };
  const after = { a: 9, inner: { b: 8 }, list: [{ id: 'x', c: 7 }] };
  expect(withChanges(raw, before, after)).toEqual({
    a: 9,
    newer: 1,
    inner: { b: 8, newer: 2 },
    list: [{ id: 'x', c: 7, newer: 3 }],
  });
});

it('the entries of a list are added, removed and reordered by their ids', () => {
  const raw = [
    { id: 'x', newer: 1 },
    { id: 'y', newer: 2 },
  ];
  expect(withChanges(raw, [{ id: 'x' }, { id: 'y' }], [{ id: 'z' }, { id: 'y' }])).toEqual([
    { id: 'z' },
    { id: 'y', newer: 2 },
  ]);
});

it('a member that the change removed is removed, and a default is not stored', () => {
  expect(withChanges({ a: 1, newer: 1 }, { a: 1, b: 'default' }, { b: 'default', c: 2 })).toEqual({ newer: 1, c: 2 });
});

it('an object whose kind changed is replaced: its unknown members belong to the old kind', () => {
  const raw = { target: { kind: 'fixed', newer: 1 } };
  expect(withChanges(raw, { target: { kind: 'fixed' } }, { target: { kind: 'folder' } })).toEqual({
    target: { kind: 'folder' },
  });
});
