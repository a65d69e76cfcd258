import { describe, expect, it } from 'vitest';
import {
  compareWithSent,
  decideRestoredItem,
  type FoundItem,
  maySettle,
  type SentItem,
  valuesSumOf,
} from '../../../../electron/engine/library/items/restored-item.ts';
import type { MediaItem } from '../../../../shared/api/media.ts';
import { longestOf } from '../../../../shared/model/title-match.ts';

const SENT_AT = Date.UTC(2026, 4, 5, 12);
const VALUES = { byline: 'Ada', description: '<p>One <b>two</b></p>', tags: ['Raw', 'kept'] };
const SENT: SentItem = {
  collectionId: '7',
  title: 'Talk',
  known: ['1'],
  sentAt: SENT_AT,
  endedAt: SENT_AT + 1000,
  valuesSum: valuesSumOf(VALUES),
};

/** Returns the item as the request creates it, a second later. */
function item(over: Partial<MediaItem & { hasFiles: boolean }> = {}): MediaItem & { hasFiles: boolean } {
  return {
    id: '2',
    type: null,
    status: 'draft',
    title: 'Talk',
    collection_id: '7',
    hasFiles: false,
    created_on: atSecond(1),
    modified_on: null,
    publish_on: null,
    duration: null,
    duration_hms: null,
    comments_count: 0,
    likes_count: 0,
    views_count: 0,
    description_plain: null,
    links: {},
    ...VALUES,
    ...over,
  } as MediaItem & { hasFiles: boolean };
}

const atSecond = (seconds: number) => `${new Date(SENT_AT + seconds * 1000).toISOString().slice(0, 19)}Z`;

/**
 * Returns the verdict about an item: `as sent` (it is used without a question), `in question` (only the user knows) or `another`
 * (it can't be the new item).
 */
function judged(over: Partial<MediaItem & { hasFiles: boolean }>, sent: Partial<SentItem> = {}): string {
  const found = item(over);
  const context = { longest: longestOf([found.title]), isOfAnother: (id: string) => id === '3' };
  const result = compareWithSent(found, { ...SENT, ...sent }, context);
  if (result === null) return 'another';
  return result.isAsSent ? 'as sent' : 'in question';
}

describe('an item that a lost request may have created', () => {
  it.for([
    ['it was created during the request', {}, 'as sent'],
    ['the clocks of two servers differ by seconds', { created_on: atSecond(-4) }, 'as sent'],
    [
      'the library changed the form of its values',
      { tags: ['KEPT', 'raw'], description: '<p>One <strong>two</strong></p>' },
      'as sent',
    ],
    ['it was created a minute before', { created_on: atSecond(-60) }, 'in question'],
    ['it was created a minute after the request had ended', { created_on: atSecond(70) }, 'in question'],
    ['it was created hours before, by a wrong clock', { created_on: atSecond(-5 * 3600) }, 'in question'],
    ['it was created days before', { created_on: atSecond(-48 * 3600) }, 'another'],
    ['it was created days later', { created_on: atSecond(48 * 3600) }, 'another'],
    ['it has no creation time', { created_on: null }, 'in question'],
    ['it was listed before', { id: '1' }, 'another'],
    ['another creation of this computer made it', { id: '3' }, 'another'],
    ['it has a file', { hasFiles: true }, 'in question'],
    ['it is published', { status: 'published' }, 'in question'],
    ['it has another byline', { byline: 'Grace' }, 'in question'],
    ['it has another description', { description: 'One' }, 'in question'],
    ['it has other tags', { tags: ['kept'] }, 'in question'],
    ['it has another title', { title: 'Lecture' }, 'in question'],
    ['it has another title and a file', { title: 'Lecture', hasFiles: true }, 'another'],
    [
      'it has another title and was created ten minutes before',
      { title: 'Lecture', created_on: atSecond(-600) },
      'another',
    ],
    ['it is in another collection', { collection_id: '8' }, 'in question'],
    [
      'it is in another collection and was created ten minutes before',
      { collection_id: '8', created_on: atSecond(-600) },
      'another',
    ],
    ['it is in another collection and has another title', { collection_id: '8', title: 'Lecture' }, 'another'],
  ] as const)('is used, excluded or in question, by its values and times: %s', ([, over, expected]) => {
    expect(judged(over as Partial<MediaItem>)).toBe(expected);
  });

  it('causes a question when the service reported no time, or when the item has a title only', () => {
    expect(judged({}, { sentAt: null })).toBe('in question');
    const blank = { byline: null, description: '', tags: [] };
    expect(judged(blank, { valuesSum: valuesSumOf({ byline: '', tags: [] }) })).toBe('in question');
  });

  it('is used only when it is the only candidate, and no other creation with its title is open', () => {
    const found = (over: Partial<FoundItem> = {}): FoundItem => ({
      id: '2',
      title: 'Talk',
      collection_id: '7',
      created_on: null,
      place: 'same',
      hasTitle: true,
      isAsSent: true,
      ...over,
    });
    const unlike = found({ id: '4', hasTitle: false, isAsSent: false });
    expect(decideRestoredItem([], false).kind).toBe('none');
    expect(decideRestoredItem([found(), unlike], false)).toMatchObject({ kind: 'adopt', item: { id: '2' } });
    expect(decideRestoredItem([found()], true).kind).toBe('ask');
    expect(decideRestoredItem([found(), found({ id: '5', isAsSent: false })], false).kind).toBe('ask');
    expect(decideRestoredItem([unlike], false).kind).toBe('ask');
  });

  it('is expected for a minute after the request has ended, also after a restart', () => {
    const mayCome = (lostForMs: number | null, serverNow: number | null, endedAt: number | null = SENT_AT + 1000) =>
      maySettle({ ...SENT, endedAt }, { lostForMs, serverNow });
    expect([mayCome(59_000, null), mayCome(61_000, null)]).toEqual([true, false]);
    expect([mayCome(null, SENT_AT + 59_000), mayCome(null, SENT_AT + 62_000)]).toEqual([true, false]);
    // Without `endedAt` the process ended during the request: the minute begins at the time limit of the request.
    expect([mayCome(null, SENT_AT + 119_000, null), mayCome(null, SENT_AT + 121_000, null)]).toEqual([true, false]);
  });
});
