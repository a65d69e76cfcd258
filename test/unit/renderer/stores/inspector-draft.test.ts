import { describe, expect, it } from 'vitest';
import { addTags } from '../../../../renderer/components/forms/add-tags.ts';
import { validPreferences } from '../../../../renderer/stores/app/preferences.ts';
import {
  type Draft,
  draftOf,
  editsOf,
  isDirty,
  patchOf,
  problemsOf,
} from '../../../../renderer/stores/library/inspector-draft.ts';
import { validEdits } from '../../../../renderer/stores/library/unsaved-edits.ts';
import { matches } from '../../../../renderer/views/main-window/dialogs/matches.ts';
import { mediaItemSchema } from '../../../../shared/api/media.ts';

const opened: Draft = { title: 'Optics', byline: 'Anna', description: 'One\n\nTwo', tags: ['a', 'b'] };

describe('the patch of a draft', () => {
  it('is empty when nothing changed', () => {
    expect(patchOf(opened, { ...opened, tags: ['a', 'b'] })).toEqual({});
    expect(isDirty(opened, { ...opened, description: 'One\r\n\r\nTwo\n' })).toBe(false);
  });

  it('contains only the changed fields', () => {
    expect(patchOf(opened, { ...opened, title: ' Optics 2 ' })).toEqual({ title: 'Optics 2' });
    expect(patchOf(opened, { ...opened, tags: ['b', 'a'] })).toEqual({ tags: ['b', 'a'] });
  });

  it('contains the description as escaped paragraphs', () => {
    expect(patchOf(opened, { ...opened, description: 'a <b>\n\nc' })).toEqual({
      description: '<p>a &lt;b&gt;</p>\n<p>c</p>',
    });
  });

  it('can clear a field', () => {
    expect(patchOf(opened, { ...opened, byline: '', description: '' })).toEqual({ byline: '', description: '' });
  });

  it('is empty when an item with surrounding blanks was only opened', () => {
    const item = mediaItemSchema.parse({ id: 1, status: 'draft', collection_id: 2 });
    expect(isDirty(draftOf(item), draftOf(item))).toBe(false);
  });

  it('requires a title', () => {
    expect(problemsOf({ ...opened, title: '  ' })).toHaveProperty('title');
    expect(problemsOf(opened)).toEqual({});
  });
});

describe('unsaved edits', () => {
  it('are the changed fields only, so that all others follow the library', () => {
    expect(editsOf(opened, { ...opened, byline: 'Bert', tags: ['a'] })).toEqual({ byline: 'Bert', tags: ['a'] });
    expect(editsOf(opened, opened)).toBeNull();
  });

  it('are valid whatever data is stored', () => {
    for (const stored of [null, 7, 'x', {}, [1], [['s/m']], [['s/m', null]], [['s/m', { title: 7 }]]]) {
      expect(validEdits(stored)).toEqual(new Map());
    }
    expect(validEdits([['s/m', { title: 'T', tags: ['a', 1], other: 1 }]])).toEqual(
      new Map([['s/m', { title: 'T', tags: ['a'] }]]),
    );
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

describe('finding a command', () => {
  it('requires every word, in any letter case and with any accents', () => {
    expect(matches('Pause all uploads', 'upl pau')).toBe(true);
    expect(matches('Größe zeigen', 'grosse')).toBe(false);
    expect(matches('Über uns', 'uber')).toBe(true);
    expect(matches('Pause all uploads', '')).toBe(true);
    expect(matches('Pause all uploads', 'resume')).toBe(false);
  });
});
