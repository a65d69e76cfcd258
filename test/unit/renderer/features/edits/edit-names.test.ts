// What the list of edits calls groups and changes.
import { describe, expect, it } from 'vitest';
import { changeName, wholeChangeText } from '../../../../../renderer/features/common/change-text.ts';
import { groupName, otherAccountOf } from '../../../../../renderer/features/edits/edit-looks.ts';
import type { EditFieldChange, EditGroup } from '../../../../../shared/contract/edits.ts';
import { editGroup } from '../../../../helpers/data/edit-groups.ts';

describe('a group', () => {
  it.each<[Partial<EditGroup>, string]>([
    [{ change: { title: { kind: 'clear' } }, fields: ['title', 'byline'] }, 'Edit “Talk” Title, Byline'],
    [{ label: 'Edit fields', fields: ['tags'], items: 3 }, 'Edit fields 3 items Tags'],
    [{ change: null, fields: ['title'], undoes: 'a' }, 'Undo: Edit “Talk” Title'],
    [{ change: null, fields: ['publication'], undoes: 'a' }, 'Undo: Edit “Talk” Publication'],
    [{ change: { delete: true }, fields: ['item'] }, 'Delete “Talk”'],
    [{ change: { publication: { kind: 'now' } }, fields: ['publication'] }, 'Publish “Talk”'],
    [{ change: { publication: { kind: 'unpublish' } }, fields: ['publication'] }, 'Unpublish “Talk”'],
    [{ change: { collectionId: '7' }, fields: ['collection'] }, 'Move “Talk”'],
    [{ change: { collection: 'edit' }, fields: ['slug'] }, 'Edit collection “Talk” Slug'],
    [{ change: { collection: 'delete' }, fields: ['item'] }, 'Delete collection “Talk”'],
    [{ change: { collection: 'move' }, fields: ['parent'] }, 'Move collection “Talk”'],
  ])('names what it does, or the fields that it changes: %j', (more, name) => {
    const { label, of, fields } = groupName(editGroup({ ...more, counts: { pending: 1 } }));
    expect([label, of, fields].filter((part) => part !== '').join(' ')).toBe(name);
  });
});

describe('a change', () => {
  const change = (
    field: EditFieldChange['field'],
    before: EditFieldChange['before'],
    after: EditFieldChange['after'],
  ) => ({ field, before, after });
  const draft = { status: 'draft', publishOn: null };
  const at = '2031-05-06T07:08:09Z';

  it.each([
    [change('publication', draft, { status: 'published', publishOn: null }), 'Publish'],
    [change('publication', draft, { status: 'scheduled', publishOn: at }), 'Schedule'],
    [change('publication', { status: 'published', publishOn: at }, draft), 'Unpublish'],
    [change('collection', '1', '2'), 'Move'],
    [change('parent', '1', '2'), 'Move'],
    [change('title', 'a', 'b'), 'Title'],
  ])('of a publication or a place has the word for it: %j', (each, name) => {
    expect(changeName(each)).toBe(name);
  });

  it.each([
    [change('item', null, null), 'Delete the item with its files'],
    [change('item', { collections: 2, items: 3 }, null), 'Delete the collection with 2 collections, 3 items'],
    [change('created', null, 'Season'), 'Create “Season”'],
    [change('files', 'talk.mp4', null), 'Delete the file “talk.mp4”'],
    [change('files', null, 'https://video.example/1'), 'Add https://video.example/1'],
    [change('title', 'a', 'b'), null],
  ])('without values before and after is a sentence: %j', (each, text) => {
    expect(wholeChangeText(each, () => null)).toBe(text);
  });
});

describe('an edit', () => {
  const bert = { id: 'b', accountName: 'Bert Moll', displayName: 'media.example.org' };

  it('of another account than the shown one names the account and its library', () => {
    expect(otherAccountOf(bert, 'a')).toBe('Bert Moll, media.example.org');
    expect(otherAccountOf({ ...bert, accountName: null }, 'a')).toBe('media.example.org');
    expect(otherAccountOf(bert, 'b')).toBeNull();
    expect(otherAccountOf(null, 'a')).toBeNull();
  });
});
