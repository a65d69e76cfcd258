// Which values of an edit can be merged, entered anew and copied.
import { describe, expect, it } from 'vitest';
import {
  conflictText,
  copyableValues,
  hasValues,
  isRevisable,
  mergedOf,
  revisableChanges,
} from '../../../../../renderer/features/edits/row-values.ts';
import { appError } from '../../../../../shared/contract/app-error.ts';
import type { EditRow } from '../../../../../shared/contract/edits.ts';
import { decidedText } from '../../../../../shared/model/edits/merge-text.ts';

type Change = EditRow['changes'][number];

const change = (field: Change['field'], texts: Partial<Change> = {}): Change => ({
  field,
  before: 'one two three',
  after: 'ONE two three',
  theirs: 'one two THREE',
  needsDecision: true,
  ...texts,
});
const row = (changes: Change[], more: Partial<EditRow> = {}): EditRow => ({
  id: '1',
  groupId: 'g',
  siteId: 's',
  entityKind: 'media',
  entityId: 'i',
  name: 'Talk',
  state: 'refused',
  changes,
  error: null,
  attempts: 0,
  nextAt: null,
  createdAt: 1,
  endedAt: null,
  ...more,
});

describe('a merge of two texts', () => {
  it.each(['title', 'byline', 'display_name', 'directory_author_name', 'directory_subtitle', 'copyright'] as const)(
    'keeps the words of both in %s',
    (field) => {
      const merged = mergedOf(change(field));
      expect(merged === null ? null : decidedText(merged, 'mine')).toBe('ONE two THREE');
    },
  );

  it.each(['slug', 'directory_url', 'directory_author_email', 'directory_category', 'feed_proxy_url'] as const)(
    'is not offered for %s, which is one value',
    (field) => expect(mergedOf(change(field))).toBeNull(),
  );

  it('is offered for a description, but for no other text, when both changed the same part', () => {
    const same = { after: 'MINE two three', theirs: 'THEIRS two three' };
    expect(mergedOf(change('title', same))).toBeNull();
    expect(mergedOf(change('description', same))).toMatchObject({ conflicts: 1 });
  });

  it('shows the parts that both changed without their markup, unless only the markup differs', () => {
    const place = { mine: '<b>mine</b> &amp; more', theirs: '</p><p>theirs' };
    expect(conflictText(place, true)).toEqual({ mine: 'mine & more', theirs: 'theirs' });
    expect(conflictText(place, false)).toEqual(place);
    const tags = { mine: '<b>one</b>', theirs: '<i>one</i>' };
    expect(conflictText(tags, true)).toEqual(tags);
  });

  it('is not offered for a value that is no text', () => {
    expect(mergedOf(change('title', { theirs: null }))).toBeNull();
    expect(mergedOf(change('tags', { after: ['a'], theirs: null }))).toBeNull();
  });
});

describe('a refused edit', () => {
  it('can be sent with another text, unless its item is deleted or the edit has no text', () => {
    expect(isRevisable(row([change('title'), change('tags', { after: ['a'] })]))).toBe(true);
    expect(revisableChanges(row([change('title'), change('collection', { after: '7' })]))).toHaveLength(1);
    expect(isRevisable(row([change('collection', { after: '7' })]))).toBe(false);
    expect(isRevisable(row([change('title')], { error: appError('edit.item-gone').toData() }))).toBe(false);
    expect(isRevisable(row([change('title')], { state: 'conflict' }))).toBe(false);
  });
});

describe('the values that can be copied', () => {
  it('are all texts and tags, each marked as base, mine or lost, and no ids', () => {
    const lost = ['first', 'second'];
    expect(copyableValues(change('title', { theirs: null, lost })).map(({ part, text }) => `${part} ${text}`)).toEqual([
      'base one two three',
      'mine ONE two three',
      'lost first',
      'lost second',
    ]);
    expect(copyableValues(change('tags', { before: [], after: ['a', 'b'], theirs: null }))).toMatchObject([
      { text: 'a, b' },
    ]);
    expect(hasValues(row([change('collection', { before: '1', after: '2', theirs: '3' })]))).toBe(false);
  });
});
