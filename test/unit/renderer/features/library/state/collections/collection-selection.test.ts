import { describe, expect, it } from 'vitest';
import {
  canMoveTo,
  markRange,
  NO_MARKS,
  targetsOf,
  toggleMark,
  topmost,
} from '../../../../../../../renderer/features/library/state/collections/collection-selection.ts';
import {
  linesOf,
  pageMove,
  siblingsToExpand,
  TOP,
  type TreeLine,
} from '../../../../../../../renderer/features/library/state/tree-model.ts';
import type { CollectionRow } from '../../../../../../../shared/contract/library.ts';

function row(id: string, parentId: string | null, childCount = 0): CollectionRow {
  const counts = { mediaCount: 0, mediaCountBelow: 0, childCount };
  return { id, parentId, displayName: `Name ${id}`, slug: id, isPodcast: false, ...counts };
}

// root ─ a ─ (a1, a2), b ─ (b1), c
const rows = new Map(
  [
    row('root', null, 3),
    row('a', 'root', 2),
    row('a1', 'a'),
    row('a2', 'a'),
    row('b', 'root', 1),
    row('b1', 'b'),
    row('c', 'root'),
  ].map((each) => [each.id, each]),
);
const ready = (...ids: string[]) => ({ kind: 'ready' as const, ids });
const branches = new Map([
  [TOP, ready('root')],
  ['root', ready('a', 'b', 'c')],
  ['a', ready('a1', 'a2')],
]);
const lines: TreeLine[] = linesOf({ rows, branches, expanded: new Set(['root', 'a']) });

describe('a selection of collections', () => {
  it('contains a range of visible lines in both directions, and keeps its start', () => {
    const down = markRange(lines, NO_MARKS, 'a', 'b');
    expect([...down.ids]).toEqual(['a', 'a1', 'a2', 'b']);
    const up = markRange(lines, down, null, 'root');
    expect([...up.ids]).toEqual(['root', 'a']);
    expect(up.anchor).toBe('a');
  });

  it('starts a range at the target when the start is no longer visible', () => {
    expect([...markRange(lines, { ids: new Set(), anchor: 'b1' }, null, 'c').ids]).toEqual(['c']);
    expect(markRange(lines, NO_MARKS, 'a', 'gone')).toBe(NO_MARKS);
  });

  it('includes the open collection when a second one is added, and loses one that is toggled again', () => {
    const two = toggleMark(NO_MARKS, 'c', 'b');
    expect([...two.ids]).toEqual(['b', 'c']);
    expect([...toggleMark(two, 'b', 'c').ids]).toEqual(['c']);
  });

  it('is the target of a command only when the line of the command is part of it', () => {
    const marks = { ids: new Set(['a', 'b']), anchor: null };
    expect(targetsOf(marks, 'a')).toEqual(['a', 'b']);
    expect(targetsOf(marks, 'c')).toEqual(['c']);
  });

  it('omits collections below another selected collection', () => {
    expect(topmost(rows, ['a1', 'a', 'b1', 'c'])).toEqual(['a', 'b1', 'c']);
    const circle = new Map([
      ['x', row('x', 'y')],
      ['y', row('y', 'x')],
    ]);
    expect(topmost(circle, ['x'])).toEqual([]);
  });
});

describe('a move of collections', () => {
  it.each([
    ['into itself', ['a'], 'a', false],
    ['into its own child', ['a'], 'a1', false],
    ['to where it is', ['a1'], 'a', false],
    ['of the top collection', ['root'], 'c', false],
    ['of several, one of which is there already', ['a1', 'b1'], 'a', true],
    ['into a sibling', ['a'], 'b', true],
    ['up to the top', ['a1'], 'root', true],
  ])('%s, with %j to %s, is possible: %s', (_what, ids, target, isPossible) => {
    expect(canMoveTo(rows, ids, target)).toBe(isPossible);
  });
});

describe('keys of a long tree', () => {
  it('move the focus by pages and stop at both ends', () => {
    expect(pageMove(lines, 'root', 'PageDown', 4)).toEqual({ kind: 'focus', key: 'a2' });
    expect(pageMove(lines, 'a2', 'PageDown', 4)).toEqual({ kind: 'focus', key: 'c' });
    expect(pageMove(lines, 'a', 'PageUp', 99)).toEqual({ kind: 'focus', key: 'root' });
    expect(pageMove(lines, 'a', 'Tab', 4)).toBeNull();
    expect(pageMove([], null, 'PageUp', 4)).toBeNull();
  });

  it('expand collapsed siblings with sub-collections, at most 200, and report when there are more', () => {
    expect(siblingsToExpand(lines, 'c')).toEqual({ ids: ['b'], isCut: false });
    const many = Array.from({ length: 10_000 }, (_, index) => row(`m${index}`, 'root', 1));
    const all = new Map([row('root', null, 10_000), ...many].map((each) => [each.id, each]));
    const long = linesOf({
      rows: all,
      branches: new Map([
        [TOP, ready('root')],
        ['root', ready(...many.map(({ id }) => id))],
      ]),
      expanded: new Set(['root']),
    });
    expect(siblingsToExpand(long, 'm7')).toMatchObject({ isCut: true });
    expect(siblingsToExpand(long, 'm7').ids).toHaveLength(200);
  });
});
