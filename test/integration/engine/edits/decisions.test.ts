// Decisions of the user about edits: for one edit, for all with the same question, and the values that were not chosen.
import { describe, expect } from 'vitest';
import type { BulkChange, EditChoice, EditRow } from '../../../../shared/contract/edits.ts';
import type { AnyField } from '../../../../shared/model/edits/collection-ops.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { edit, itemOf, makeItem, rowsOf, title, whenEdits } from '../../../helpers/engine/edit-steps.ts';
import { SharedBrowser } from '../../../helpers/engine/library-people.ts';
import type { ServiceClient } from '../../../helpers/service/service-client.ts';

const it = deskTest().extend('browser', () => new SharedBrowser());
it.override('site', () => null);
it.override('host', ({ browser }) => ({ openers: { embedded: browser, system: browser } }));

it.beforeEach(async ({ desk, service, browser }) => {
  desk.siteId = (await browser.signIn(desk.engine, service, 'admin')).id;
  const [top] = await desk.engine.call('library.collections', { siteId: desk.siteId, parentId: null });
  desk.collectionId = top?.id ?? '';
});

/** Leaves edits in conflict: the library gets `theirs` for each item before the edit is sent. */
async function conflicts(
  desk: Desk,
  client: ServiceClient,
  count: number,
  change: BulkChange = title('Mine'),
  theirs: Record<string, unknown> = { title: 'Theirs' },
): Promise<EditRow[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await makeItem(client, desk));
  const groupId = await edit(desk, ids, change, async () => {
    for (const id of ids) await client.post(`/api2/media/${id}`, theirs);
  });
  await desk.engine.whenEditsIdle();
  return rowsOf(desk, groupId);
}

const sameAs = async (desk: Desk, row: EditRow | undefined, field: AnyField) =>
  (await desk.engine.call('edits.sameQuestion', { rowId: row?.id ?? '', field })).ids;

describe('a question about a value that a later edit sets again', () => {
  const later = (value: string) => ({ ...title(value), byline: { kind: 'set', value: 'Ada' } }) as const;

  it.for<[EditChoice, string, EditRow['state']]>([
    [{ kind: 'theirs' }, 'Theirs', 'done'],
    [{ kind: 'mine' }, 'Newest', 'done'],
    [{ kind: 'value', value: 'Both' }, 'Both', 'done'],
  ])(
    'is about the newest own value, and %o decides about all of them',
    async ([choice, sent, state], { desk, client }) => {
      const [asked] = await conflicts(desk, client, 1);
      const id = asked?.entityId ?? '';
      const other = await makeItem(client, desk, 'Other');
      await edit(desk, [id], title('Newer'));
      const newest = await edit(desk, [id, other], later('Newest'));
      await desk.engine.whenEditsIdle();
      // Only the item with the question waits.
      expect(await rowsOf(desk, newest)).toMatchObject([{ state: 'pending' }, { entityId: other, state: 'done' }]);
      expect(await itemOf(client, id)).toMatchObject({ title: 'Theirs', byline: null });
      const [shown] = await rowsOf(desk, null, 'conflict');
      expect(shown).toMatchObject({ id: asked?.id, changes: [{ before: 'Talk', after: 'Newest', theirs: 'Theirs' }] });
      const rows = { ids: [asked?.id ?? ''] };
      expect(await desk.engine.call('edits.resolve', { rows, field: null, choice })).toEqual({ changed: 1 });
      await desk.engine.whenEditsIdle();
      expect(await itemOf(client, id)).toMatchObject({ title: sent, byline: 'Ada' });
      expect(await rowsOf(desk, null, 'open')).toEqual([]);
      const [decided] = await rowsOf(desk, newest);
      expect(decided).toMatchObject({ entityId: id, state });
      if (choice.kind === 'theirs') {
        const ended = { field: 'title', after: 'Newest', theirs: 'Theirs', needsDecision: false };
        expect(decided?.changes).toContainEqual(expect.objectContaining(ended));
      }
      if (choice.kind === 'value') {
        expect((await rowsOf(desk, asked?.groupId ?? ''))[0]?.changes[0]?.lost).toEqual([
          'Mine',
          'Theirs',
          'Newer',
          'Newest',
        ]);
      }
    },
  );

  it('can’t be answered by an empty title: it stays open with the user’s value', async ({ desk, client }) => {
    const [asked] = await conflicts(desk, client, 1);
    const rows = { ids: [asked?.id ?? ''] };
    const choice = { kind: 'value', value: ' ' } as const;
    const resolved = desk.engine.call('edits.resolve', { rows, field: 'title', choice });
    await expect(resolved).rejects.toMatchObject({ code: 'edit.title-empty' });
    expect(await rowsOf(desk, null, 'conflict')).toMatchObject([{ id: asked?.id, changes: [{ after: 'Mine' }] }]);
  });

  it('is also about a later publication: “now” ends one at a later time', async ({ desk, client }) => {
    const at = (year: number): BulkChange => ({ publication: { kind: 'at', at: `${year}-01-01T00:00:00Z` } });
    const [held] = await conflicts(desk, client, 1, at(2020), {});
    expect(held).toMatchObject({ state: 'held' });
    const id = held?.entityId ?? '';
    const other = await edit(desk, [id], at(2036));
    await desk.engine.call('edits.resolve', { rows: { ids: [held?.id ?? ''] }, field: null, choice: { kind: 'now' } });
    await desk.engine.whenEditsIdle();
    expect((await itemOf(client, id)).status).toBe('published');
    expect(await rowsOf(desk, other)).toMatchObject([{ state: 'dropped' }]);
  });

  it('is also about a collection: “theirs” ends the later edit of its name', async ({ desk, client, clock }) => {
    const { engine, siteId, collectionId: parentId } = desk;
    const made = await engine.call('library.createCollection', {
      siteId,
      parentId,
      displayName: 'A',
      isPodcast: false,
    });
    await desk.service.control('PATCH', '/settings', { read_only: true });
    const rename = (name: string, seen: string) =>
      engine.call('library.updateCollection', {
        siteId,
        collectionId: made.id,
        patch: { display_name: name },
        expected: { display_name: seen },
      });
    await rename('Mine', 'A');
    await desk.service.control('PATCH', '/settings', { read_only: false });
    await client.post(`/api2/collections/${made.id}`, { display_name: 'Theirs' });
    // The library is asked again after a minute whether the maintenance is over.
    clock.setSpeed(50);
    await whenEdits(desk, async () => (await rowsOf(desk, null, 'conflict')).length === 1);
    clock.setSpeed(1);
    await rename('Newest', 'Mine');
    const [asked] = await rowsOf(desk, null, 'conflict');
    expect(asked?.changes).toMatchObject([{ field: 'display_name', after: 'Newest', theirs: 'Theirs' }]);
    const rows = { ids: [asked?.id ?? ''] };
    await engine.call('edits.resolve', { rows, field: null, choice: { kind: 'theirs' } });
    await desk.engine.whenEditsIdle();
    expect((await client.get(`/api2/collections/${made.id}`)).body.display_name).toBe('Theirs');
    expect(await rowsOf(desk, null, 'open')).toEqual([]);
  });
});

describe('edits with the same question', () => {
  it('are those of the same account, field and reason only', async ({ desk, service, browser, client }) => {
    const adminSite = desk.siteId;
    const own = await conflicts(desk, client, 3);
    const bylines = await conflicts(desk, client, 1, { byline: { kind: 'set', value: 'Ada' } }, { byline: 'Bert' });
    const passed: BulkChange = { publication: { kind: 'at', at: '2020-01-01T00:00:00Z' } };
    const held = await conflicts(desk, client, 2, passed, {});
    const moved = await conflicts(desk, client, 1, { ...title('Mine'), ...passed }, { title: 'Theirs' });
    desk.siteId = (await browser.signIn(desk.engine, service, 'editor')).id;
    const others = await conflicts(desk, client, 2);
    expect(others).toMatchObject([{ state: 'conflict' }, { state: 'conflict' }]);

    const ids = (rows: readonly EditRow[]) => rows.map(({ id }) => id);
    expect(await sameAs(desk, own[0], 'title')).toEqual(ids([...own, ...moved]));
    expect(await sameAs(desk, others[1], 'title')).toEqual(ids(others));
    expect(await sameAs(desk, bylines[0], 'byline')).toEqual(ids(bylines));
    // A row that also has a conflict asks about its publish time for the same reason.
    expect(await sameAs(desk, held[0], 'publication')).toEqual(ids([...held, ...moved]));
    expect(await sameAs(desk, own[0], 'byline')).toEqual([]);
    await expect(sameAs(desk, undefined, 'title')).rejects.toMatchObject({ code: 'edit.unknown' });

    const asked = { ids: await sameAs(desk, own[0], 'title') };
    const choice = { kind: 'mine' } as const;
    expect(await desk.engine.call('edits.resolve', { rows: asked, field: 'title', choice })).toEqual({ changed: 4 });
    expect(await desk.engine.call('edits.drop', { ids: await sameAs(desk, held[0], 'publication') })).toEqual({
      changed: 3,
    });
    await desk.engine.whenEditsIdle();
    for (const { entityId } of own) expect((await itemOf(client, entityId)).title).toBe('Mine');
    // No edit of the other account was decided.
    for (const { entityId } of others) expect((await itemOf(client, entityId)).title).toBe('Theirs');
    const open = { siteId: null, isOpen: true, offset: 0, limit: 1 };
    expect((await desk.engine.call('edits.groups', open)).totals).toMatchObject({ conflict: 3, held: 0 });
    expect(own.every(({ siteId }) => siteId === adminSite)).toBe(true);
  });

  it('are none when the edit was decided in the meantime', async ({ desk, client }) => {
    const [first, second] = await conflicts(desk, client, 2);
    const rows = { ids: [first?.id ?? ''] };
    await desk.engine.call('edits.resolve', { rows, field: null, choice: { kind: 'theirs' } });
    expect(await sameAs(desk, first, 'title')).toEqual([]);
    expect(await sameAs(desk, second, 'title')).toEqual([second?.id]);
  });
});

describe('the value that a decision did not choose', () => {
  const decide = async ({ engine }: Desk, row: EditRow | undefined, choice: EditChoice) => {
    await engine.call('edits.resolve', { rows: { ids: [row?.id ?? ''] }, field: 'title', choice });
    await engine.whenEditsIdle();
  };

  it('stays in the history: the library’s value, the own value, or both', async ({ desk, client }) => {
    const [mine, theirs, value] = await conflicts(desk, client, 3);
    await decide(desk, mine, { kind: 'mine' });
    await decide(desk, theirs, { kind: 'theirs' });
    await decide(desk, value, { kind: 'value', value: 'Ours' });
    const titles = [mine, theirs, value].map(async (row) => (await itemOf(client, row?.entityId ?? '')).title);
    expect(await Promise.all(titles)).toEqual(['Mine', 'Theirs', 'Ours']);
    expect((await desk.engine.call('edits.group', { groupId: mine?.groupId ?? '' })).endedAt).not.toBeNull();
    expect(await rowsOf(desk, mine?.groupId ?? '')).toMatchObject([
      { state: 'done', changes: [{ after: 'Mine', lost: ['Theirs'] }] },
      { state: 'dropped', changes: [{ after: 'Mine', theirs: 'Theirs' }] },
      { state: 'done', changes: [{ after: 'Ours', lost: ['Mine', 'Theirs'] }] },
    ]);
  });

  it('stays in the history when the library changes again before the decision is sent, which asks again', async ({
    desk,
    client,
  }) => {
    const [row] = await conflicts(desk, client, 1);
    const id = row?.entityId ?? '';
    const asked = async () => (await rowsOf(desk, row?.groupId ?? ''))[0];
    await client.post(`/api2/media/${id}`, { title: 'Theirs again' });
    await decide(desk, row, { kind: 'mine' });
    expect((await itemOf(client, id)).title).toBe('Theirs again');
    expect(await asked()).toMatchObject({
      state: 'conflict',
      changes: [{ after: 'Mine', theirs: 'Theirs again', needsDecision: true, lost: ['Theirs'] }],
    });
    await client.post(`/api2/media/${id}`, { title: 'Theirs at last' });
    await decide(desk, row, { kind: 'value', value: 'Ours' });
    const lost = ['Theirs', 'Mine', 'Theirs again'];
    expect(await asked()).toMatchObject({
      state: 'conflict',
      changes: [{ after: 'Ours', theirs: 'Theirs at last', lost }],
    });
    await decide(desk, row, { kind: 'theirs' });
    expect(await asked()).toMatchObject({
      state: 'dropped',
      changes: [{ after: 'Ours', theirs: 'Theirs at last', lost }],
    });
  });
});
