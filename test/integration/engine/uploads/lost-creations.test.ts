import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { offeredItems } from '../../../../shared/model/offered-items.ts';
import { type ChangedLibrary, openChangedLibrary } from '../../../helpers/engine/changed-library.ts';
import type { PassedReply, PassedRequest } from '../../../helpers/wire/changing-proxy.ts';

/** A wait of a minute takes one second. */
const SPEED = 60;

let world: ChangedLibrary;
beforeAll(async () => {
  world = await openChangedLibrary(SPEED);
});
afterAll(() => world.close());
beforeEach(() => world.nextCase());

interface Item {
  id: string;
  title: string;
}
const itemsNow = async (): Promise<Item[]> =>
  (await world.client.get(`/api2/media?collection_id=${world.desk.collectionId}&per_page=200`)).body.items;
const isCreation = ({ method, url }: PassedRequest) => method === 'POST' && url === '/api2/media';
const isListing = ({ method, url }: PassedRequest) => method === 'GET' && url.startsWith('/api2/media?');

/** Makes the library store a changed form of each title. */
const storing = (change: (title: string) => string) => (request: PassedRequest) => {
  if (!isCreation(request)) return request;
  const body = JSON.parse(request.body) as { title: string };
  return { ...request, body: JSON.stringify({ ...body, title: change(body.title) }) };
};

/** Makes the replies to this number of creations get lost. */
function losing(times = 1, meanwhile: () => Promise<unknown> = async () => {}) {
  let left = times;
  return async (reply: PassedReply, request: PassedRequest) => {
    if (!isCreation(request) || left <= 0) return reply;
    left -= 1;
    await meanwhile();
    return null;
  };
}

async function upload(...titles: string[]): Promise<UploadRow[]> {
  const ids: string[] = [];
  for (const [index, title] of titles.entries()) {
    const path = join(world.desk.dir, `${world.count}-${index}.bin`);
    writeFileSync(path, Buffer.alloc(5000 + world.count * 10 + index, `${world.count} ${index} `));
    const { batchId } = await world.desk.add([path], { titleTemplate: title, duplicates: 'upload' });
    ids.push(batchId);
  }
  await world.desk.engine.whenUploadsIdle();
  const rows = await world.desk.rows();
  return ids.map((batchId) => rows.find((row) => row.batchId === batchId) as UploadRow);
}

async function expectOneItemEach(rows: readonly UploadRow[]): Promise<void> {
  expect(rows.map(({ state, error }) => ({ state, error }))).toEqual(
    rows.map(() => ({ state: 'complete', error: null })),
  );
  const ids = (await itemsNow()).map(({ id }) => id).sort();
  expect(ids).toEqual(rows.map(({ mediaId }) => mediaId ?? '').sort());
}

const LONG = 'The history of optics from antiquity to the present day, with demonstrations and questions, first part';

describe('an item whose creation was not answered is found, and not created twice, when the library', () => {
  it.each<[string, string, (title: string) => string]>([
    ['keeps the title', 'Lecture 7', (title) => title],
    ['trims the title', ' Lecture 7 ', (title) => title.trim()],
    ['collapses blanks in the title', 'Lecture  7   of   9', (title) => title.replace(/\s+/g, ' ')],
    ['removes all blanks from the title', 'Lecture 7 of 9', (title) => title.replace(/\s+/g, '')],
    ['cuts the title after 64 characters', LONG, (title) => title.slice(0, 64)],
    ['cuts the title after 30 characters', LONG, (title) => title.slice(0, 30)],
    ['cuts the title and adds an ellipsis', LONG, (title) => `${title.slice(0, 20)}…`],
    [
      'cuts the title after 21 bytes',
      'Физика и химия в вопросах и ответах',
      (title) => Buffer.from(title).subarray(0, 21).toString(),
    ],
    ['escapes the title as HTML', 'Q & A: "a < b" isn’t a > b, it\'s', escapeHtml],
    ['escapes the title as HTML twice', 'Q & A <1>', (title) => escapeHtml(escapeHtml(title))],
    [
      'escapes the title and cuts it inside an escape',
      `${'Questions '.repeat(3)}& answers`,
      (title) => escapeHtml(title).slice(0, 33),
    ],
    ['removes HTML tags from the title', 'All about <b>bold</b> words', (title) => title.replace(/<[^>]*>/g, '')],
    [
      'removes characters of four bytes from the title',
      'Party 🎉 at the lab 🧪',
      (title) => title.replace(/[\u{10000}-\u{10ffff}]/gu, ''),
    ],
    [
      'cuts the title before its first character of four bytes',
      'Party 🎉 at the lab',
      (title) => title.replace(/[\u{10000}-\u{10ffff}].*/su, ''),
    ],
    [
      'replaces characters of four bytes by question marks',
      'Party 🎉 at the lab',
      (title) => title.replace(/[\u{10000}-\u{10ffff}]/gu, '????'),
    ],
    ['composes letters and accents (NFC)', 'Vorträge über Öl'.normalize('NFD'), (title) => title.normalize('NFC')],
    ['decomposes letters and accents (NFD)', 'Vorträge über Öl', (title) => title.normalize('NFD')],
    ['normalizes the title to NFKC', 'ﬁlm № ½ ①', (title) => title.normalize('NFKC')],
    ['changes the title to upper case', 'Straße und ﬂuß', (title) => title.toUpperCase()],
    ['changes the title to lower case', 'LECTURE ΟΔΟΣ', (title) => title.toLowerCase()],
    ['removes accents', 'Élève à Zürich', (title) => title.normalize('NFD').replace(/[\u0300-\u036f]/g, '')],
    [
      'removes invisible characters from the title',
      'A\u200bB\u00adC\u2028D',
      (title) => title.replace(/[\u200b\u00ad\u2028]/g, ''),
    ],
    [
      'makes quotes typographic',
      '"Quotes" and \'more\' - or less',
      (title) =>
        title
          .replace(/"(.*?)"/g, '“$1”')
          .replace(/'(.*?)'/g, '‘$1’')
          .replace(' - ', ' – '),
    ],
    ['puts backslashes before quotes', 'It\'s "so"', (title) => title.replace(/['"]/g, '\\$&')],
  ])('%s', async (_, title, change) => {
    world.proxy.change({ request: storing(change), reply: losing() });
    const rows = await upload(title);
    await expectOneItemEach(rows);
  });

  it.each<
    [string, (request: PassedRequest) => PassedRequest, ((reply: PassedReply, request: PassedRequest) => PassedReply)?]
  >([
    ['ignores created_after', (request) => ({ ...request, url: request.url.replace(/created_after=[^&]*&?/, '') })],
    [
      'sorts by title, descending',
      (request) => ({ ...request, url: request.url.replace(/sort=created_on/, 'sort=title&order=desc') }),
    ],
    [
      'lists two items per page',
      (request) => (isListing(request) ? { ...request, url: `${request.url}&per_page=2` } : request),
    ],
    ['ignores joins=files', (request) => ({ ...request, url: request.url.replace(/joins=files/, 'joins=thumbs') })],
    [
      'lists drafts only when a status is requested',
      (request) =>
        isListing(request) && !request.url.includes('status=')
          ? { ...request, url: `${request.url}&status=published` }
          : request,
    ],
  ])('%s', async (_, request) => {
    for (const title of ['Zebra', 'Older', 'Another'])
      await world.client.post('/api2/media', { title, collection_id: world.desk.collectionId });
    await upload('First');
    const before = await itemsNow();
    world.proxy.change({ request, reply: losing() });
    const [row] = await upload('Lecture 7');
    expect(row).toMatchObject({ state: 'complete', error: null });
    const added = (await itemsNow()).filter(({ id }) => !before.some((each) => each.id === id));
    expect(added.map(({ id }) => id)).toEqual([row?.mediaId]);
  });

  it('lists new items half a minute late', async () => {
    const bornAt = new Map<string, number>();
    const lost = losing();
    world.proxy.change({
      reply(reply, request) {
        if (isCreation(request)) bornAt.set('since', performance.now());
        if (!isListing(request)) return lost(reply, request);
        const isLate = performance.now() - (bornAt.get('since') ?? 0) < 30_000 / SPEED;
        return isLate ? { ...reply, body: JSON.stringify({ items: [], links: { self: '/', next: null } }) } : reply;
      },
    });
    await expectOneItemEach(await upload('Lecture 7'));
  });

  it('gives equal titles to several uploads whose replies are all lost', async () => {
    world.proxy.change({ request: storing((title) => title.slice(0, 30)), reply: losing(3) });
    await expectOneItemEach(await upload(`${LONG} 1`, `${LONG} 2`, `${LONG} 3`));
  });

  it('changes the letter case of titles, and titles of uploads differ only in case', async () => {
    world.proxy.change({ request: storing((title) => title.toUpperCase()), reply: losing(2) });
    await expectOneItemEach(await upload('lecture seven', 'Lecture Seven'));
  });
});

describe('an empty item of another user', () => {
  const draft = (title: string) => () =>
    world.client.post('/api2/media', { title, collection_id: world.desk.collectionId });

  it('does not prevent an upload from finding its own item', async () => {
    world.proxy.change({ request: storing((title) => title.trim()), reply: losing(1, draft('Something else')) });
    const [row] = await upload(' Lecture 7 ');
    expect(row).toMatchObject({ state: 'complete' });
    expect((await itemsNow()).map(({ title }) => title).sort()).toEqual(['Lecture 7', 'Something else']);
    expect((await itemsNow()).find(({ id }) => id === row?.mediaId)?.title).toBe('Lecture 7');
  });

  it.each(['Something else', 'Lecture 1', 'Lecture 70'])(
    'is never used when it is called “%s”; the user decides when no other item is found',
    async (title) => {
      // The creation has no effect, but an item of another user appears.
      const forget = async (reply: PassedReply, request: PassedRequest) => {
        if (!isCreation(request) || (await itemsNow()).length > 0) return reply;
        await draft(title)();
        return null;
      };
      world.proxy.change({
        request: (request) => (isCreation(request) ? { ...request, url: '/api2/nowhere' } : request),
        reply: forget,
      });
      const [row] = await upload('Lecture 7');
      expect(row).toMatchObject({ state: 'failed', mediaId: null, error: { code: 'upload.may-exist' } });
      const items = offeredItems(row as UploadRow);
      expect(items.map((item) => item.title)).toEqual([title]);

      world.proxy.change({});
      expect(await world.desk.engine.call('uploads.chooseItem', { id: row?.id ?? '', mediaId: null })).toEqual({
        changed: 1,
      });
      await world.desk.engine.whenUploadsIdle();
      const after = (await world.desk.rows()).find(({ id }) => id === row?.id);
      expect(after).toMatchObject({ state: 'complete' });
      expect(after?.mediaId).not.toBe(items[0]?.id);
      expect(await itemsNow()).toHaveLength(2);
    },
  );

  it('needs a decision when it has the same title and was created hours before', async () => {
    await draft('Lecture 7')();
    const [older] = await itemsNow();
    // By the Date of its answers, the service's clock is three hours ahead, so the item seems to be older than the creation.
    world.proxy.change({
      request: (request) => (isCreation(request) ? { ...request, url: '/api2/nowhere' } : request),
      reply: (reply, request) => {
        const date = new Date(Date.now() + 3 * 3_600_000).toUTCString();
        return isCreation(request) ? null : { ...reply, headers: { ...reply.headers, date } };
      },
    });
    const [row] = await upload('Lecture 7');
    expect(row).toMatchObject({ state: 'failed', error: { code: 'upload.may-exist' } });
    expect(offeredItems(row as UploadRow).map(({ id }) => id)).toEqual([older?.id]);
  });
});

describe('a collection whose creation is not answered', () => {
  const create = (displayName: string) =>
    world.desk.engine.call('library.createCollection', {
      siteId: world.desk.siteId,
      parentId: world.desk.collectionId,
      displayName,
      isPodcast: false,
    });
  const isCollectionCreation = ({ method, url }: PassedRequest) => method === 'POST' && url === '/api2/collections';
  const namesNow = async (): Promise<string[]> => {
    const { body } = await world.client.get(`/api2/collections?parent_id=${world.desk.collectionId}`);
    return body.items.map(({ display_name }: { display_name: string }) => display_name);
  };

  it('is found by its name as the library changed it, beside an older one', async () => {
    await create('Optics ');
    world.proxy.change({
      request: (request) =>
        isCollectionCreation(request) ? { ...request, body: request.body.replace('Optics  ', 'OPTICS') } : request,
      reply: (reply, request) => (isCollectionCreation(request) ? null : reply),
    });
    expect(await create('Optics  ')).toMatchObject({ display_name: 'OPTICS', parent_id: world.desk.collectionId });
    expect(await namesNow()).toHaveLength(2);
  });

  it('waits when it was not created, and is created once when the library answers again', async () => {
    await create('Optics');
    world.proxy.change({
      request: (request) => (isCollectionCreation(request) ? { ...request, url: '/api2/nowhere' } : request),
      reply: (reply, request) => (isCollectionCreation(request) ? null : reply),
    });
    expect(await create('Optics')).toMatchObject({ id: expect.stringMatching(/^local:/) });
    expect(await namesNow()).toEqual(['Optics']);
    world.proxy.change({});
    world.desk.engine.startEdits();
    await expect.poll(namesNow, { timeout: 60_000 }).toEqual(['Optics', 'Optics']);
  });
});

describe('an upload that needs a decision about its item', () => {
  async function asking(): Promise<{ row: UploadRow; own: Item }> {
    world.proxy.change({ request: storing(() => 'Untitled recording'), reply: losing() });
    const [row] = await upload('Lecture 7');
    const own = (await itemsNow()).find(({ title }) => title === 'Untitled recording');
    if (row === undefined || own === undefined) throw new Error('There is no row or no item.');
    expect(row).toMatchObject({ state: 'failed', error: { code: 'upload.may-exist' } });
    return { row, own };
  }

  it('continues with the item that the user chooses', async () => {
    const { row, own } = await asking();
    await world.desk.engine.call('uploads.chooseItem', { id: row.id, mediaId: own.id });
    await world.desk.engine.whenUploadsIdle();
    expect((await world.desk.rows()).find(({ id }) => id === row.id)).toMatchObject({
      state: 'complete',
      mediaId: own.id,
    });
    expect(await itemsNow()).toHaveLength(1);
  });

  it('needs the decision again, and creates nothing, when it is only retried', async () => {
    const { row } = await asking();
    await world.desk.engine.call('uploads.retry', { kind: 'failed' });
    await world.desk.engine.whenUploadsIdle();
    expect((await world.desk.rows()).find(({ id }) => id === row.id)).toMatchObject({
      state: 'failed',
      error: { code: 'upload.may-exist' },
    });
    expect(await itemsNow()).toHaveLength(1);
  });

  it('accepts only an item that it offered, not one of another upload, and only one decision', async () => {
    const [other] = await upload('Lecture 6');
    const { row, own } = await asking();
    const choose = (mediaId: string) => world.desk.engine.call('uploads.chooseItem', { id: row.id, mediaId });
    for (const mediaId of ['424242', other?.mediaId ?? '']) {
      await expect(choose(mediaId)).rejects.toMatchObject({ code: 'input.invalid', details: { mediaId } });
    }
    await expect(world.desk.engine.call('uploads.chooseItem', { id: 'none', mediaId: null })).rejects.toMatchObject({
      code: 'upload.unknown',
    });
    await choose(own.id);
    expect(await world.desk.engine.call('uploads.chooseItem', { id: row.id, mediaId: null })).toEqual({ changed: 0 });
    await world.desk.engine.whenUploadsIdle();
    expect((await itemsNow()).map(({ id }) => id).sort()).toEqual([other?.mediaId, own.id].sort());
  });

  it('does not accept an item that it offered after another upload has taken it', async () => {
    world.proxy.change({ request: storing(() => 'Untitled recording'), reply: losing(2) });
    const asking = await upload('Lecture 7', 'Lecture 8');
    const ids = (await itemsNow()).map(({ id }) => id).sort();
    expect(ids).toHaveLength(2);
    for (const row of asking) {
      expect(
        offeredItems(row)
          .map(({ id }) => id)
          .sort(),
      ).toEqual(ids);
    }
    const [[first, second], [one = '', other = '']] = [asking.map(({ id }) => id), ids];
    const choose = (id = '', mediaId = '') => world.desk.engine.call('uploads.chooseItem', { id, mediaId });
    await choose(first, one);
    await expect(choose(second, one)).rejects.toMatchObject({ code: 'input.invalid', details: { mediaId: one } });
    await choose(second, other);
    await world.desk.engine.whenUploadsIdle();
    const rows = await world.desk.rows();
    await expectOneItemEach([first, second].map((id) => rows.find((row) => row.id === id) as UploadRow));
  });
});

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };
  return text.replace(/[&<>"']/g, (each) => names[each] ?? each);
}
