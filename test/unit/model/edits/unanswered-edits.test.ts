import { expect, it } from 'vitest';
import { coalesceCollection, netCollectionVerdict } from '../../../../shared/model/edits/collection-fold.ts';
import type { CollectionOp, EditableCollection } from '../../../../shared/model/edits/collection-ops.ts';
import type { EditableMedia, EditOp } from '../../../../shared/model/edits/edit-ops.ts';
import { coalesce } from '../../../../shared/model/edits/fold.ts';
import { netVerdictOf } from '../../../../shared/model/edits/replay.ts';

// Two edits of one value. The first one was sent, and its answer was lost: the library has the value before it, the one
// between the two, or one of someone else.

const item = (title: string): EditableMedia => ({
  ...{ id: '1', title, byline: '', description: '', tags: [], collectionId: 'c', status: 'draft', publishOn: null },
});
const titled = (base: string, mine: string): EditOp => ({ kind: 'set-field', v: 1, field: 'title', base, mine });
const collection = (name: string): EditableCollection => ({ id: '1', parentId: 'p', values: { display_name: name } });
const named = (base: string, mine: string): CollectionOp => ({
  ...{ kind: 'set-collection-field', v: 1, field: 'display_name', base, mine },
});

it.each([
  ['the value before them', 'One', 'Three', 'send'],
  ['the value between them', 'Two', 'Three', 'send'],
  ['the wanted value', 'Three', 'Three', 'same'],
  ['a value of someone else', 'Theirs', 'Three', 'conflict'],
  ['the value before them, which is wanted again', 'One', 'One', 'same'],
  ['the value between them, and the one before is wanted again', 'Two', 'One', 'send'],
] as const)('of an item or a collection that has %s', (_, now, wanted, verdict) => {
  const [net] = coalesce([titled('One', 'Two'), titled('Two', wanted)], true);
  expect(net && netVerdictOf(net, item(now), 0)).toBe(verdict);
  const [netOfCollection] = coalesceCollection([named('One', 'Two'), named('Two', wanted)], true);
  expect(netOfCollection && netCollectionVerdict(netOfCollection, collection(now))).toBe(verdict);
});

it('of which the second one has the base of the first, from a form that was open meanwhile, asks nothing', () => {
  const titles = [titled('One', 'Two'), titled('One', 'Three')];
  const names = [named('One', 'Two'), named('One', 'Three')];
  const [sent] = coalesce(titles, true);
  expect(sent && netVerdictOf(sent, item('Two'), 0)).toBe('send');
  const [sentOfCollection] = coalesceCollection(names, true);
  expect(sentOfCollection && netCollectionVerdict(sentOfCollection, collection('Two'))).toBe('send');
  const [unsent] = coalesce(titles);
  expect(unsent && netVerdictOf(unsent, item('Two'), 0)).toBe('conflict');
});

it('keeps the last of two opposite changes of a tag', () => {
  const tag = (kind: 'add-tag' | 'remove-tag'): EditOp => ({ kind, v: 1, tag: 'x' });
  expect(coalesce([tag('add-tag'), tag('remove-tag')], true).map(({ op }) => op)).toEqual([tag('remove-tag')]);
  expect(coalesce([tag('remove-tag'), tag('add-tag')], true).map(({ op }) => op)).toEqual([tag('add-tag')]);
});

it('asks about the value between two edits when neither of them was sent', () => {
  const [net] = coalesce([titled('One', 'Two'), titled('Two', 'Three')]);
  expect(net && netVerdictOf(net, item('Two'), 0)).toBe('conflict');
  expect(coalesce([titled('One', 'Two'), titled('Two', 'One')])).toEqual([]);
});
