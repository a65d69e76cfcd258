import { describe, expect, test } from 'vitest';
import { type Entry, summarize } from '../../../service/audit/summary.ts';

const entry = (kind: Entry['kind'], op: Entry['op'], id: string, fields: Entry['fields'] = {}): Entry => ({
  kind,
  op,
  id,
  fields,
  name: `${kind} ${id}`,
  owner: null,
});

describe('what a transaction did', () => {
  test('is one summary for the most important resource, with the number of the others', () => {
    const summaries = summarize([
      entry('thumbnail', 'delete', '1'),
      entry('user', 'delete', '2'),
      entry('membership', 'delete', '3'),
      entry('membership', 'delete', '4'),
    ]);
    expect(summaries).toEqual([
      {
        action: 'user.delete',
        kind: 'user',
        id: '2',
        name: 'user 2',
        before: null,
        after: null,
        also: { 'thumbnail.delete': 1, 'membership.delete': 2 },
      },
    ]);
  });

  test('is one summary for each of several resources', () => {
    const summaries = summarize([
      entry('user', 'delete', '1'),
      entry('user', 'delete', '2'),
      entry('membership', 'delete', '3'),
    ]);
    expect(summaries.map(({ id, also }) => [id, also])).toEqual([
      ['1', { 'membership.delete': 1 }],
      ['2', null],
    ]);
  });

  test('joins the changes of one resource, from the first value to the last', () => {
    const summaries = summarize([
      entry('media', 'update', '1', { title: ['a', 'b'], byline: ['x', null] }),
      entry('media', 'update', '1', { title: ['b', 'c'] }),
      entry('media', 'update', '1', { tags: [['old', 'kept'], []] }),
      entry('media', 'update', '1', { tags: [[], ['kept', 'new']] }),
    ]);
    expect(summaries).toHaveLength(1);
    expect(summaries[0]).toMatchObject({
      before: { title: 'a', byline: 'x', tags: ['old'] },
      after: { title: 'c', byline: null, tags: ['new'] },
    });
  });

  test('is nothing when the changes cancel each other', () => {
    expect(
      summarize([
        entry('media', 'update', '1', { tags: [['a'], []] }),
        entry('media', 'update', '1', { tags: [[], ['a']] }),
        entry('tag', 'insert', '2', { display_name: [null, 'x'] }),
        entry('tag', 'delete', '2', { display_name: ['x', null] }),
      ]),
    ).toEqual([]);
  });

  test('is an update when somebody gets another role', () => {
    const fields = (role: number) => ({ user_id: 7, group_id: null, collection_id: 3, role_id: role });
    const side = (role: number, at: 0 | 1): Entry['fields'] =>
      Object.fromEntries(
        Object.entries(fields(role)).map(([name, value]) => [name, at === 0 ? [value, null] : [null, value]]),
      );
    expect(
      summarize([entry('membership', 'delete', '1', side(4, 0)), entry('membership', 'insert', '2', side(5, 1))]),
    ).toMatchObject([
      { action: 'membership.update', id: '2', before: { role_id: 4 }, after: { role_id: 5 }, also: null },
    ]);
  });

  test('is about the group when the request is', () => {
    const entries = [
      entry('user', 'update', '1', { groups: [[], ['Editors']] }),
      entry('user', 'update', '2', { groups: [[], ['Editors']] }),
      entry('group', 'update', '3', { users: [[], ['a@x', 'b@x']] }),
    ];
    expect(summarize(entries, 'group')).toMatchObject([{ action: 'group.update', also: { 'user.update': 2 } }]);
    expect(summarize(entries).map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('is bounded, however long its values are', () => {
    const many = Array.from({ length: 500 }, (_, n) => `${n} ${'x'.repeat(200)}`);
    const fields = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`field ${n}`, [null, 'y'.repeat(1000)]] as const),
    );
    const [one] = summarize([entry('media', 'insert', '1', { tags: [[], many] })]);
    const [two] = summarize([entry('media', 'insert', '1', { ...fields, tags: [[], many] })]);
    for (const summary of [one, two]) expect(JSON.stringify(summary).length).toBeLessThan(17_000);
    expect(one?.after?.tags).toHaveLength(21);
  });
});
