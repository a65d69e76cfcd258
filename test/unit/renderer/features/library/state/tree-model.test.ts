import { describe, expect, it } from 'vitest';
import {
  type Branch,
  findByPrefix,
  linesOf,
  TOP,
  type TreeData,
  treeKey,
} from '../../../../../../renderer/features/library/state/tree-model.ts';
import type { CollectionRow } from '../../../../../../shared/contract/library.ts';

const row = (id: string, parentId: string | null, displayName: string, childCount = 0): CollectionRow => ({
  id,
  parentId,
  displayName,
  slug: id,
  isPodcast: false,
  mediaCount: 1,
  mediaCountBelow: 0,
  childCount,
});

const ROWS = [row('a', null, 'Arts'), row('p', null, 'Physics', 2), row('po', 'p', 'Optics'), row('pl', 'p', 'Lasers')];
const ready = (...ids: string[]): Branch => ({ kind: 'ready', ids });
const error = { code: 'network.unreachable', message: 'No network.', nextStep: null, details: null };

function tree(expanded: string[], branches: [string, Branch][] = []): TreeData {
  return {
    rows: new Map(ROWS.map((one) => [one.id, one])),
    branches: new Map([[TOP, ready('a', 'p')], ['p', ready('po', 'pl')], ...branches] as [string, Branch][]),
    expanded: new Set(expanded),
  };
}

const keys = (data: TreeData) => linesOf(data).map((line) => line.key);

describe('the tree of collections', () => {
  it('shows the children of expanded collections only', () => {
    expect(keys(tree([]))).toEqual(['a', 'p']);
    expect(keys(tree(['p']))).toEqual(['a', 'p', 'po', 'pl']);
  });

  it('gives each line its level and position, for screen readers', () => {
    const line = linesOf(tree(['p']))[3];
    expect(line).toMatchObject({ level: 2, position: 2, setSize: 2, isBranch: false });
  });

  it('shows a line for children that are loading or failed to load', () => {
    expect(keys(tree(['p'], [['p', { kind: 'loading' }]]))).toEqual(['a', 'p', 'loading:p']);
    expect(linesOf(tree(['p'], [['p', { kind: 'error', error }]]))[2]).toMatchObject({ kind: 'error', parentId: 'p' });
  });

  it('keeps the loaded children when they could not be loaded again', () => {
    const again: Branch = { kind: 'error', error, ids: ['po', 'pl'] };
    expect(keys(tree(['p'], [['p', again]]))).toEqual(['a', 'p', 'error:p', 'po', 'pl']);
  });

  it('shows a collection as collapsed when it was expanded before but has no children now', () => {
    expect(keys(tree(['a']))).toEqual(['a', 'p']);
  });

  it('shows a collection once while the branch that it was moved from is still loading', () => {
    const arts = row('a', null, 'Arts', 1);
    const data = tree(['a', 'p'], [['a', ready('po')]]);
    expect(keys({ ...data, rows: new Map(data.rows).set('a', arts) })).toEqual(['a', 'po', 'p', 'pl']);
  });
});

describe('the keyboard in the tree', () => {
  const open = linesOf(tree(['p']));
  const closed = linesOf(tree([]));
  const focus = (key: string) => ({ kind: 'focus', key });

  it('moves along the lines and stops at both ends', () => {
    expect(treeKey(open, 'a', 'ArrowDown')).toEqual(focus('p'));
    expect(treeKey(open, 'pl', 'ArrowDown')).toEqual(focus('pl'));
    expect(treeKey(open, 'a', 'ArrowUp')).toEqual(focus('a'));
    expect(treeKey(open, 'a', 'End')).toEqual(focus('pl'));
    expect(treeKey(open, 'pl', 'Home')).toEqual(focus('a'));
  });

  it('expands with Right, then moves into the children; collapses with Left, then moves to the parent', () => {
    expect(treeKey(closed, 'p', 'ArrowRight')).toEqual({ kind: 'expand', id: 'p' });
    expect(treeKey(open, 'p', 'ArrowRight')).toEqual(focus('po'));
    expect(treeKey(open, 'p', 'ArrowLeft')).toEqual({ kind: 'collapse', id: 'p' });
    expect(treeKey(open, 'pl', 'ArrowLeft')).toEqual(focus('p'));
    expect(treeKey(open, 'a', 'ArrowRight')).toBeNull();
    expect(treeKey(open, 'a', 'ArrowLeft')).toBeNull();
  });

  it('ignores other keys', () => {
    expect(treeKey(open, 'a', 'x')).toBeNull();
  });

  it('continues type-ahead after the current line and again from the first line', () => {
    expect(findByPrefix(open, 'a', 'l')).toBe('pl');
    expect(findByPrefix(open, 'pl', 'a')).toBe('a');
    expect(findByPrefix(open, 'a', 'PHY')).toBe('p');
    expect(findByPrefix(open, 'p', 'ph')).toBe('p');
    expect(findByPrefix(open, 'a', 'z')).toBeNull();
  });
});
