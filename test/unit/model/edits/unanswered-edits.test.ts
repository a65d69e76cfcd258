import { describe, expect, it } from 'vitest';
import { coalesceCollection, netCollectionVerdict } from '../../../../shared/model/edits/collection-fold.ts';
import type { CollectionOp, EditableCollection } from '../../../../shared/model/edits/collection-ops.ts';
import { type EditableMedia, type EditOp, whenSent } from '../../../../shared/model/edits/edit-ops.ts';
import { coalesce } from '../../../../shared/model/edits/fold.ts';
import { deletionOf } from '../../../../shared/model/edits/seen-item.ts';
import { netVerdictOf } from '../../../../shared/model/edits/verdicts.ts';

// Two edits of one value. The first edit was sent, and its answer was lost: the library has the value before it, the value of the
// first edit, or a value of someone else.

const item = (title: string): EditableMedia => ({
  id: '1',
  title,
  byline: '',
  description: '',
  tags: [],
  collectionId: 'c',
  status: 'draft',
  publishOn: null,
});
const titled = (base: string, mine: string): EditOp => ({ kind: 'set-field', v: 1, field: 'title', base, mine });
const collection = (name: string): EditableCollection => ({ id: '1', parentId: 'p', values: { display_name: name } });
const named = (base: string, mine: string): CollectionOp => ({
  kind: 'set-collection-field',
  v: 1,
  field: 'display_name',
  base,
  mine,
});

const FIRST: ReadonlySet<number> = new Set([0]);

describe('several edits of one value', () => {
  it.each([
    ['the value before them', 'One', 'Three', 'send'],
    ['the value of the first edit', 'Two', 'Three', 'send'],
    ['the wanted value', 'Three', 'Three', 'same'],
    ['a value of someone else', 'Theirs', 'Three', 'conflict'],
    ['the value before them, which is wanted again', 'One', 'One', 'same'],
    ['the value of the first edit, and the value before it is wanted again', 'Two', 'One', 'send'],
  ] as const)('get the right verdict if the first got no answer and the library has %s', (_, now, wanted, verdict) => {
    const [net] = coalesce([titled('One', 'Two'), titled('Two', wanted)], FIRST);
    expect(net && netVerdictOf(net, item(now), 0)).toBe(verdict);
    const [netOfCollection] = coalesceCollection([named('One', 'Two'), named('Two', wanted)], FIRST);
    expect(netOfCollection && netCollectionVerdict(netOfCollection, collection(now))).toBe(verdict);
  });

  it('need no question when they have the same base and the first may have been sent', () => {
    const titles = [titled('One', 'Two'), titled('One', 'Three')];
    const names = [named('One', 'Two'), named('One', 'Three')];
    const [sent] = coalesce(titles, FIRST);
    expect(sent && netVerdictOf(sent, item('Two'), 0)).toBe('send');
    const [sentOfCollection] = coalesceCollection(names, FIRST);
    expect(sentOfCollection && netCollectionVerdict(sentOfCollection, collection('Two'))).toBe('send');
    const [unsent] = coalesce(titles);
    expect(unsent && netVerdictOf(unsent, item('Two'), 0)).toBe('conflict');
  });

  it('are coalesced to the last one when they are opposite changes of a tag and the first got no answer', () => {
    const tag = (kind: 'add-tag' | 'remove-tag'): EditOp => ({ kind, v: 1, tag: 'x' });
    expect(coalesce([tag('add-tag'), tag('remove-tag')], FIRST).map(({ op }) => op)).toEqual([tag('remove-tag')]);
    expect(coalesce([tag('remove-tag'), tag('add-tag')], FIRST).map(({ op }) => op)).toEqual([tag('add-tag')]);
  });

  it('are in conflict with the value between them when neither was sent', () => {
    const [net] = coalesce([titled('One', 'Two'), titled('Two', 'Three')]);
    expect(net && netVerdictOf(net, item('Two'), 0)).toBe('conflict');
    expect(coalesce([titled('One', 'Two'), titled('Two', 'One')])).toEqual([]);
  });

  it('are in conflict with a value of the library that equals that of a later, unsent edit', () => {
    const titles = [titled('One', 'Two'), titled('Two', 'Three'), titled('Three', 'Four')];
    const [net] = coalesce(titles, FIRST);
    expect(net && netVerdictOf(net, item('Three'), 0)).toBe('conflict');
    const [netOfCollection] = coalesceCollection(
      [named('One', 'Two'), named('Two', 'Three'), named('Three', 'Four')],
      FIRST,
    );
    expect(netOfCollection && netCollectionVerdict(netOfCollection, collection('Three'))).toBe('conflict');
  });
});

it('a publication counts as made by the own edit only when a request of that edit can have set its date', () => {
  const at = '2031-05-06T09:00:00.000Z';
  const publishNow: EditOp = { kind: 'publish', v: 1, base: { status: 'scheduled', publishOn: at }, when: 'now' };
  const sentAt = Date.parse('2031-05-01T00:00:00Z');
  const verdictOn = (publishOn: string, sent: readonly number[], requests: readonly number[] = [sentAt]) => {
    const own = requests.reduce((op, at, index) => whenSent(op, index > 0, at), publishNow);
    const ops: EditOp[] = [
      { kind: 'publish', v: 1, base: { status: 'draft', publishOn: null }, when: { at } },
      own,
      {
        kind: 'publish',
        v: 1,
        base: { status: 'published', publishOn: null },
        when: { at: '2032-01-01T00:00:00.000Z' },
      },
    ];
    const [net] = coalesce(ops, new Set(sent));
    return net && netVerdictOf(net, { ...item('One'), status: 'published', publishOn }, 0);
  };
  expect(verdictOn('2031-05-01T00:00:20Z', [0, 1])).toBe('send');
  expect(verdictOn('2031-05-01T00:00:20Z', [0])).toBe('conflict');
  for (const theirs of ['2031-04-30T23:59:00Z', '2031-05-01T00:03:00Z']) {
    expect(verdictOn(theirs, [0, 1])).toBe('conflict');
  }
  // The date is that of a later request of the same edit.
  expect(verdictOn('2031-05-01T00:10:20Z', [0, 1], [sentAt, sentAt + 600_000])).toBe('send');
});

describe('a deletion after edits that got no answer', () => {
  const seen: EditableMedia = { ...item('One'), tags: ['old'] };
  const edits: EditOp[] = [
    titled('One', 'Two'),
    titled('Two', 'Three'),
    { kind: 'add-tag', v: 1, tag: 'new' },
    { kind: 'remove-tag', v: 1, tag: 'old' },
    { kind: 'publish', v: 1, base: { status: 'draft', publishOn: null }, when: { at: '2031-05-06T09:00:00.000Z' } },
  ];
  const published = { status: 'published', publishOn: '2031-05-06T09:00:00Z' };
  const verdictOn = (now: Partial<EditableMedia>, sent: readonly number[] = [0, 1, 2, 3, 4]) => {
    const [net] = coalesce([...edits, deletionOf(seen)], new Set(sent));
    return net && netVerdictOf(net, { ...seen, ...now }, 0);
  };

  it.each([
    ['nothing', {}],
    ['the first title', { title: 'Two' }],
    ['the last title and the tags', { title: 'Three', tags: ['New'] }],
    ['a part of the tags', { tags: ['new', 'old'] }],
    ['the publication', published],
  ])('causes no question when the edits wrote %s', (_, now) => {
    expect(verdictOn(now)).toBe('send');
  });

  it.each([
    ['another title', { title: 'Theirs' }],
    ['another tag', { tags: ['new', 'theirs'] }],
    ['the byline beside the title that was sent', { title: 'Three', byline: 'Theirs' }],
    ['the date', { status: 'published', publishOn: '2031-05-07T09:00:00Z' }],
  ])('causes a question when someone else wrote %s', (_, now) => {
    expect(verdictOn(now)).toBe('conflict');
  });

  it('causes a question about a value that was not sent', () => {
    expect(verdictOn({ title: 'Three' }, [0])).toBe('conflict');
    expect(verdictOn({ title: 'Two' }, [])).toBe('conflict');
  });
});
