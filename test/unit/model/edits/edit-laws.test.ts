import { expect, it } from 'vitest';
import { canonicalText, fingerprintOf } from '../../../../shared/model/edits/canonical.ts';
import type { EditableMedia } from '../../../../shared/model/edits/edit-ops.ts';
import { steepGrowth } from '../../../helpers/time/growth.ts';
import { EDIT_LAWS } from '../../../laws/edit-laws.ts';

it.each(EDIT_LAWS.map(({ name, check }) => [name, check] as const))('%s', (_, check) => {
  check(400);
});

const item: EditableMedia = {
  id: '1',
  title: 'A',
  byline: '',
  description: '<p>B</p>',
  tags: ['x'],
  collectionId: '1',
  status: 'draft',
  publishOn: null,
};

it.each([
  ['<p>B</p>', 'B'],
  ['<p>B</p>', '<p>B</p>\r\n'],
  ['<P>B<BR/>C</P>', '<p> B<br>C </p>'],
  ['<b>B</b>', '<strong class="x">B</strong>'],
  ['<a href="x?a=1&amp;b=2">B</a>', "<a target=_blank href='x?a=1&b=2'>B</a>"],
  ['B &amp; C&nbsp;D', 'B & C D'],
  ['Cafe\u0301', 'Café'],
  ['<span style="color:red">B</span>', 'B'],
])('the descriptions %j and %j are equal', (one, other) => {
  expect(canonicalText('description', one)).toBe(canonicalText('description', other));
});

it.each([
  ['<b>B</b>', '<i>B</i>'],
  ['<a href="x">B</a>', '<a href="y">B</a>'],
  ['a < b', 'a b'],
  ['B<br>C', 'B C'],
  ['&lt;b&gt;', '<b>'],
])('the descriptions %j and %j are different', (one, other) => {
  expect(canonicalText('description', one)).not.toBe(canonicalText('description', other));
});

it('a fingerprint differs for every changed value, and stays the same when a publish time arrives', () => {
  const changed: Partial<EditableMedia>[] = [
    { title: 'B' },
    { byline: 'B' },
    { description: 'C' },
    { tags: ['y'] },
    { tags: [] },
    { collectionId: '2' },
    { status: 'published', publishOn: '2031-01-01T00:00:00Z' },
  ];
  const prints = changed.map((change) => fingerprintOf({ ...item, ...change }));
  expect(new Set([fingerprintOf(item), ...prints]).size).toBe(changed.length + 1);
  const scheduled = { ...item, status: 'scheduled', publishOn: '2031-01-01T00:00:00Z' };
  expect(fingerprintOf({ ...scheduled, status: 'published' })).toBe(fingerprintOf(scheduled));
});

it.each(['<', '<a', '<!--', '&', '<p>', '<a href=', '<!---->', '<a href="x">'])(
  'the canonical form of a description takes linear time for many %j',
  (piece) => {
    for (const end of ['', '>']) {
      const textOf = (chars: number) => piece.repeat(chars / piece.length) + end;
      expect(steepGrowth((text) => canonicalText('description', text), textOf)).toBeNull();
    }
  },
);
