import { describe, expect, it } from 'vitest';
import { addTags } from '../../../../renderer/components/forms/add-tags.ts';
import { cleanPreferences } from '../../../../renderer/stores/app/preferences.ts';
import {
  type Draft,
  draftOf,
  editsOf,
  isDirty,
  patchOf,
  problemsOf,
} from '../../../../renderer/stores/library/inspector-draft.ts';
import { cleanEdits } from '../../../../renderer/stores/library/kept-drafts.ts';
import { matches } from '../../../../renderer/views/main-window/dialogs/matches.ts';
import { mediaItemSchema } from '../../../../shared/api/media.ts';

const opened: Draft = { title: 'Optics', byline: 'Anna', description: 'One\n\nTwo', tags: ['a', 'b'] };

describe('what is saved', () => {
  it('is nothing when nothing changed', () => {
    expect(patchOf(opened, { ...opened, tags: ['a', 'b'] })).toEqual({});
    expect(isDirty(opened, { ...opened, description: 'One\r\n\r\nTwo\n' })).toBe(false);
  });

  it('is only what changed', () => {
    expect(patchOf(opened, { ...opened, title: ' Optics 2 ' })).toEqual({ title: 'Optics 2' });
    expect(patchOf(opened, { ...opened, tags: ['b', 'a'] })).toEqual({ tags: ['b', 'a'] });
  });

  it('sends the description as escaped paragraphs', () => {
    expect(patchOf(opened, { ...opened, description: 'a <b>\n\nc' })).toEqual({
      description: '<p>a &lt;b&gt;</p>\n<p>c</p>',
    });
  });

  it('can empty a field', () => {
    expect(patchOf(opened, { ...opened, byline: '', description: '' })).toEqual({ byline: '', description: '' });
  });

  it('an item with blanks is not changed by being opened', () => {
    const item = mediaItemSchema.parse({ id: 1, status: 'draft', collection_id: 2 });
    expect(isDirty(draftOf(item), draftOf(item))).toBe(false);
  });

  it('needs a title', () => {
    expect(problemsOf({ ...opened, title: '  ' })).toHaveProperty('title');
    expect(problemsOf(opened)).toEqual({});
  });
});

describe('edits that were not saved', () => {
  it('are the changed fields alone, so that all others go on following the library', () => {
    expect(editsOf(opened, { ...opened, byline: 'Bert', tags: ['a'] })).toEqual({ byline: 'Bert', tags: ['a'] });
    expect(editsOf(opened, opened)).toBeNull();
  });

  it('survive whatever is stored', () => {
    for (const stored of [null, 7, 'x', {}, [1], [['s/m']], [['s/m', null]], [['s/m', { title: 7 }]]]) {
      expect(cleanEdits(stored)).toEqual(new Map());
    }
    expect(cleanEdits([['s/m', { title: 'T', tags: ['a', 1], other: 1 }]])).toEqual(
      new Map([['s/m', { title: 'T', tags: ['a'] }]]),
    );
  });
});

describe('tags', () => {
  it('are split at commas, trimmed, and each stands once whatever its case', () => {
    expect(addTags(['lab'], ' Optics ,lab, LAB,, two  words\nlast')).toEqual(['lab', 'Optics', 'two words', 'last']);
  });
});

describe('preferences', () => {
  it('survive whatever is stored', () => {
    for (const stored of [null, 7, 'x', [], { treeWidth: -5, expanded: 'no' }]) {
      expect(cleanPreferences(stored)).toMatchObject({ treeWidth: 248, expanded: [] });
    }
    expect(cleanPreferences({ treeWidth: 300, expanded: ['a', 1] })).toMatchObject({
      treeWidth: 300,
      expanded: ['a'],
    });
  });
});

describe('finding a command', () => {
  it('asks for every word, whatever case and accents', () => {
    expect(matches('Pause all uploads', 'upl pau')).toBe(true);
    expect(matches('Größe zeigen', 'grosse')).toBe(false);
    expect(matches('Über uns', 'uber')).toBe(true);
    expect(matches('Pause all uploads', '')).toBe(true);
    expect(matches('Pause all uploads', 'resume')).toBe(false);
  });
});
