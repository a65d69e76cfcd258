import { describe, expect, it } from 'vitest';
import { validPreferences } from '../../../../../../renderer/features/common/state/preferences.ts';
import {
  type Draft,
  fieldProblemsOf,
  hasEdits,
  itemForm,
} from '../../../../../../renderer/features/library/state/inspector-draft.ts';
import { validEdits } from '../../../../../../renderer/features/library/state/unsaved-edits.ts';
import { addTags } from '../../../../../../renderer/kit/components/forms/tag-field.tsx';

const opened: Draft = { title: 'Optics', byline: 'Anna', description: '<p>One</p>', tags: ['a', 'b'] };
const edited = (change: Partial<Draft>) => itemForm.changed(opened, {}, change);

describe('the patch of edits', () => {
  it('is empty when nothing changed, or only blanks around a line', () => {
    const edits = edited({ ...opened, title: 'Optics ', tags: ['a', 'b'] });
    expect(edits.title?.mine).toBe('Optics ');
    expect([itemForm.patch(edits), hasEdits(edits)]).toEqual([{}, false]);
  });

  it('contains only the changed fields, with the values that the user saw', () => {
    const edits = edited({ ...opened, title: ' Optics 2 ', tags: ['b', 'a'] });
    expect(itemForm.patch(edits)).toEqual({ title: 'Optics 2', tags: ['b', 'a'] });
    expect(itemForm.expected(edits)).toEqual({ title: 'Optics', tags: ['a', 'b'] });
  });

  it('can clear a field', () => {
    expect(itemForm.patch(edited({ byline: '', description: '' }))).toEqual({ byline: '', description: '' });
  });

  it('distinguishes a tag with a comma from two tags', () => {
    expect(itemForm.patch(edited({ tags: ['a,b'] }))).toEqual({ tags: ['a,b'] });
    const split = itemForm.changed({ ...opened, tags: ['a,b'] }, {}, { tags: ['a', 'b'] });
    expect(itemForm.patch(split)).toEqual({ tags: ['a', 'b'] });
    expect(
      itemForm.after(edited({ tags: ['c', 'd'] }), edited({ tags: ['c,d'] }), { ...opened, tags: ['c', 'd'] }).tags
        ?.mine,
    ).toEqual(['c,d']);
  });

  it('is empty when a field has its old value again', () => {
    const edits = itemForm.changed(opened, edited({ title: 'Other', byline: 'Bert' }), { title: 'Optics' });
    expect(itemForm.patch(edits)).toEqual({ byline: 'Bert' });
  });

  it('has problems for an empty title and for texts that are too long, in edited fields only', () => {
    expect(fieldProblemsOf(edited({ title: '  ' }))).toHaveProperty('title');
    expect(fieldProblemsOf(edited({ description: 'x'.repeat(200_001) })).description).toContain(
      '1 characters too many',
    );
    expect(fieldProblemsOf(edited({ byline: 'x'.repeat(1001) }))).toHaveProperty('byline');
    expect(fieldProblemsOf(itemForm.changed({ ...opened, title: '' }, {}, { byline: 'Bert' }))).toEqual({});
  });
});

describe('edits when the library has new values', () => {
  const theirs: Draft = { ...opened, title: 'Theirs', tags: ['b', 'x'] };

  it('are in conflict when someone else changed an edited field, but not when only blanks or markup differ', () => {
    expect(itemForm.conflicts(theirs, edited({ title: 'Mine' }))).toEqual(['title']);
    expect(itemForm.conflicts({ ...opened, title: 'Optics  ' }, edited({ title: 'Mine' }))).toEqual([]);
    expect(itemForm.conflicts({ ...opened, description: 'One' }, edited({ description: '<p>Two</p>' }))).toEqual([]);
    expect(itemForm.conflicts(theirs, edited({ byline: 'Bert' }))).toEqual([]);
  });

  it('are dropped when the library has the wanted value', () => {
    expect(itemForm.followed(theirs, edited({ title: 'Theirs', byline: 'Bert' }))).toEqual({
      byline: { mine: 'Bert', base: 'Anna' },
    });
  });

  it('apply the tags that the user added and removed to the new tags of the library', () => {
    expect(itemForm.followed(theirs, edited({ tags: ['b', 'c'] })).tags).toEqual({
      mine: ['b', 'x', 'c'],
      base: ['b', 'x'],
    });
  });

  it('keep or drop the user’s value as the user decides, and are in conflict again after another change', () => {
    const edits = edited({ title: 'Mine' });
    const kept = itemForm.settled(theirs, edits, 'title', 'mine');
    expect(kept).toEqual({ title: { mine: 'Mine', base: 'Theirs' } });
    expect(itemForm.conflicts({ ...theirs, title: 'Third' }, kept)).toEqual(['title']);
    expect(itemForm.settled(theirs, edits, 'title', 'theirs')).toEqual({});
  });

  it('keep only text that was typed after the save began', () => {
    const sent = edited({ title: 'One', byline: 'Bert' });
    const now = itemForm.changed(opened, sent, { title: 'One two' });
    const saved = { ...opened, title: 'One', byline: 'Bert' };
    expect(itemForm.after(sent, now, saved)).toEqual({ title: { mine: 'One two', base: 'One' } });
  });
});

describe('stored edits', () => {
  it('are valid whatever data is stored', () => {
    for (const stored of [
      null,
      7,
      'x',
      {},
      [1],
      [['s/m']],
      [['s/m', null]],
      [['s/m', { title: 7 }]],
      [['s/m', { title: { mine: 1, base: 'x' } }]],
    ]) {
      expect(validEdits(stored)).toEqual(new Map());
    }
    const tags = { mine: ['a', 1], base: [] };
    expect(validEdits([['s/m', { title: { mine: 'T', base: 'S' }, tags, other: 1 }]])).toEqual(
      new Map([['s/m', { title: { mine: 'T', base: 'S' }, tags: { mine: ['a'], base: [] } }]]),
    );
  });

  it('of earlier versions are in conflict, because they lack the value that the user saw', () => {
    const edits = validEdits([['s/m', { title: 'T', description: 'a <b>' }]]).get('s/m');
    expect(edits?.description?.mine).toBe('<p>a &lt;b&gt;</p>');
    expect(itemForm.conflicts(opened, edits ?? {})).toEqual(['title', 'description']);
  });
});

describe('tags', () => {
  it('are split at commas, trimmed, and unique in any letter case', () => {
    expect(addTags(['lab'], ' Optics ,lab, LAB,, two  words\nlast')).toEqual(['lab', 'Optics', 'two words', 'last']);
  });
});

describe('preferences', () => {
  it('are valid whatever data is stored', () => {
    for (const stored of [null, 7, 'x', [], { treeWidth: -5, expanded: 'no' }]) {
      expect(validPreferences(stored)).toMatchObject({ treeWidth: 248, expanded: [] });
    }
    expect(validPreferences({ treeWidth: 300, expanded: ['a', 1] })).toMatchObject({
      treeWidth: 300,
      expanded: ['a'],
    });
  });
});
