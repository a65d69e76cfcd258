// The changes by someone else that a question about a deletion lists.
import { expect, it } from 'vitest';
import { fingerprintOf } from '../../../../shared/model/edits/canonical.ts';
import type { EditableMedia, SeenItem } from '../../../../shared/model/edits/edit-ops.ts';
import { changesSince, deletionOf } from '../../../../shared/model/edits/seen-item.ts';

const item: EditableMedia = {
  id: '1',
  title: 'Talk',
  byline: 'Zoë',
  description: '<p>Old</p>',
  tags: ['a', 'b'],
  collectionId: '2',
  status: 'draft',
  publishOn: null,
};
const saw = (seen: EditableMedia) => deletionOf(seen).saw as SeenItem;

it.each<[string, Partial<EditableMedia>, unknown[]]>([
  ['a title', { title: 'Lecture' }, [{ field: 'title', before: 'Talk', after: 'Lecture' }]],
  [
    'a description',
    { description: '<p>New</p>' },
    [{ field: 'description', before: '<p>Old</p>', after: '<p>New</p>' }],
  ],
  ['tags', { tags: ['a', 'c'] }, [{ field: 'tags', before: ['a', 'b'], after: ['a', 'c'] }]],
  ['the collection', { collectionId: '3' }, [{ field: 'collection', before: '2', after: '3' }]],
  [
    'the publication',
    { status: 'scheduled', publishOn: '2031-01-01T00:00:00Z' },
    [
      {
        field: 'publication',
        before: { status: 'draft', publishOn: null },
        after: { status: 'scheduled', publishOn: '2031-01-01T00:00:00Z' },
      },
    ],
  ],
])('the changes since the deletion name %s, and nothing else', (_, change, differences) => {
  expect(changesSince(saw(item), { ...item, ...change })).toEqual(differences);
});

it.each<[string, Partial<EditableMedia>]>([
  ['blanks and the form of letters', { title: ' Talk ', byline: 'Zoe\u0308' }],
  ['the order and the case of tags', { tags: ['B', 'a'] }],
  ['the date of a draft', { publishOn: '2031-01-01T00:00:00Z' }],
])('the changes since the deletion do not name %s, as in the comparison before the deletion', (_, change) => {
  expect(fingerprintOf({ ...item, ...change })).toBe(fingerprintOf(item));
  expect(changesSince(saw(item), { ...item, ...change })).toEqual([]);
});

it('the changes since the deletion do not name a scheduled time that has arrived', () => {
  const scheduled = { ...item, status: 'scheduled', publishOn: '2031-01-01T00:00:00Z' };
  expect(changesSince(saw(scheduled), { ...scheduled, status: 'published' })).toEqual([]);
});

it('a deletion stores no long description, and a change of the description is still found', () => {
  const long = { ...item, description: 'x'.repeat(200_000) };
  expect(JSON.stringify(deletionOf(long)).length).toBeLessThan(1000);
  expect(changesSince(saw(long), long)).toEqual([]);
  expect(changesSince(saw(long), item)).toEqual([{ field: 'description', before: null, after: '<p>Old</p>' }]);
});
