import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { type ChangedLibrary, openChangedLibrary } from '../../../helpers/engine/changed-library.ts';
import { makeCollection } from '../../../helpers/engine/engine-host.ts';
import type { PassedReply } from '../../../helpers/wire/changing-proxy.ts';
import { type SmallServer, startSmallServer } from '../../../helpers/wire/small-server.ts';

const SPEED = 60;

let world: ChangedLibrary;
beforeAll(async () => {
  world = await openChangedLibrary(SPEED);
});
afterAll(() => world.close());
beforeEach(() => world.nextCase());

const ITEM = /^\/api2\/media$/;
const FILE = /^\/api2\/media\/\d+\/files$/;

/** Changes the replies to creations at `path`, as another library or a proxy could send them. */
function answering(path: RegExp, change: (reply: PassedReply) => PassedReply): void {
  world.proxy.change({
    reply: (reply, { method, url }) => (method === 'POST' && path.test(url) ? change(reply) : reply),
  });
}

const located = (location: string | undefined) => (reply: PassedReply) => {
  const { location: _, ...headers } = reply.headers;
  return { ...reply, headers: location === undefined ? headers : { ...headers, location } };
};
const empty = (reply: PassedReply): PassedReply => ({ ...reply, body: '' });

async function upload(beside: Record<string, string | Buffer> = {}): Promise<UploadRow> {
  const folder = mkdtempSync(join(world.desk.dir, 'case-'));
  const path = join(folder, 'lecture.mp4');
  writeFileSync(path, Buffer.alloc(5000 + world.count, `${world.count} `));
  for (const [name, contents] of Object.entries(beside)) writeFileSync(join(folder, name), contents);
  const { batchId } = await world.desk.add([folder], { duplicates: 'upload' });
  await world.desk.engine.whenUploadsIdle();
  return (await world.desk.rows()).find((row) => row.batchId === batchId) as UploadRow;
}

const itemsNow = async (): Promise<{ id: string }[]> =>
  (await world.client.get(`/api2/media?collection_id=${world.desk.collectionId}&per_page=200`)).body.items;
const filesOf = async (id: string | null): Promise<{ id: string; status: string }[]> =>
  (await world.client.get(`/api2/media/${id}/files`)).body.items;
const creationsAt = (path: RegExp) =>
  world.proxy.seen.filter(({ method, url }) => method === 'POST' && path.test(url)).length;

async function expectComplete(row: UploadRow): Promise<void> {
  expect({ state: row.state, error: row.error }).toEqual({ state: 'complete', error: null });
  expect((await itemsNow()).map(({ id }) => id)).toEqual([row.mediaId]);
  expect((await filesOf(row.mediaId)).map(({ status }) => status)).toEqual(['complete']);
  expect([creationsAt(ITEM), creationsAt(FILE)]).toEqual([1, 1]);
}

/** The forms in which a library, or a proxy in front of it, returns an address; `path` is the right one. */
const LOCATIONS: [string, (path: string, origin: string) => string | undefined][] = [
  ['is missing', () => undefined],
  ['is empty', () => ''],
  ['has the internal host name behind a reverse proxy', (path) => `http://library.internal:8080${path}`],
  ['has another scheme', (path, origin) => `${origin.replace('http:', 'https:')}${path}`],
  ['has another port', (path) => `http://127.0.0.1:1${path}`],
  ['has no scheme', (path) => `//library.internal${path}`],
  ['is only the identifier', (path) => path.split('/').at(-1)],
  ['is relative to the request', (path) => path.split('/').slice(-2).join('/')],
  ['has a slash at its end and a query', (path) => `${path}/?created=1`],
  ['ends with a file extension', (path) => `${path}.json`],
  ['is the address of a page', () => '/library/dashboard'],
  ['is the address of a foreign page', () => 'https://sso.example.org/login?next=42'],
  ['is no address', () => 'http://'],
];

describe('an upload completes, in one item with one file, when the Location', () => {
  it.each(LOCATIONS)('of the item %s', async (_, change) => {
    answering(ITEM, (reply) => located(change(reply.headers.location ?? '', world.proxy.baseUrl))(reply));
    await expectComplete(await upload());
  });

  it.each(LOCATIONS)('of the file %s', async (_, change) => {
    answering(FILE, (reply) => located(change(reply.headers.location ?? '', world.proxy.baseUrl))(reply));
    await expectComplete(await upload());
  });

  it.each(LOCATIONS.filter(([name]) => /missing|empty|page|no address/.test(name)))(
    'of the item %s and there is no body',
    async (_, change) => {
      answering(ITEM, (reply) => empty(located(change(reply.headers.location ?? '', world.proxy.baseUrl))(reply)));
      await expectComplete(await upload());
    },
  );

  it.each([
    ['does not exist', '/api2/media/424242'],
    ['is that of another upload', null],
  ])('names an item that %s', async (_, location) => {
    const first = await upload();
    world.desk.collectionId = await makeCollection(world.desk.engine, world.desk.siteId, `Case ${world.count}, wrong`);
    answering(ITEM, (reply) => empty(located(location ?? `/api2/media/${first.mediaId}`)(reply)));
    const row = await upload();
    expect({ state: row.state, error: row.error }).toEqual({ state: 'complete', error: null });
    expect((await itemsNow()).map(({ id }) => id)).toEqual([row.mediaId]);
    expect(row.mediaId).not.toBe(first.mediaId);
    expect(creationsAt(ITEM)).toBe(1);
  });
});

describe('a library that returns no id of a creation', () => {
  it('makes the upload need one decision, with one item created, when it does not list the item either', async () => {
    world.proxy.change({
      reply(reply, { method, url }) {
        if (method === 'POST' && url === '/api2/media') return empty(located(undefined)(reply));
        const isList = method === 'GET' && url.startsWith('/api2/media?');
        return isList ? { ...reply, body: JSON.stringify({ items: [], links: { self: url, next: null } }) } : reply;
      },
    });
    expect(await upload()).toMatchObject({ state: 'failed', error: { code: 'upload.may-exist' } });
    expect(await itemsNow()).toHaveLength(1);
    expect(creationsAt(ITEM)).toBe(1);
  });

  it.each<[string, (reply: PassedReply) => PassedReply]>([
    ['neither a file id nor a destination', (reply) => empty(located(undefined)(reply))],
    ['a file id in the Location, and no destination', empty],
    ['a page in place of the file', (reply) => ({ ...empty(reply), body: '<p>Created</p>' })],
    ['a descriptor without the form protocol', (reply) => ({ ...reply, body: '{"id":"1","upload":{"protocols":{}}}' })],
  ])('ends the upload with a next step and no placeholder left when it returns %s', async (_, change) => {
    answering(FILE, change);
    const row = await upload();
    expect(row).toMatchObject({ state: 'failed', error: { code: 'upload.no-destination' } });
    expect(row.error?.nextStep).toMatch(/administrator/);
    expect(creationsAt(FILE)).toBeLessThanOrEqual(3);
    expect(await itemsNow()).toHaveLength(1);
    expect(await filesOf(row.mediaId)).toEqual([]);
    // The upload continues when the library answers as documented.
    world.proxy.change({});
    await world.desk.engine.call('uploads.retry', { kind: 'ids', ids: [row.id] });
    await world.desk.engine.whenUploadsIdle();
    expect((await world.desk.rows()).find(({ id }) => id === row.id)).toMatchObject({ state: 'complete' });
    expect(await itemsNow()).toHaveLength(1);
  });

  it('keeps at most three placeholders when deleting them is forbidden', async () => {
    world.proxy.change({
      request: (request) => (request.method === 'DELETE' ? { ...request, method: 'PUT' } : request),
      reply: (reply, { method, url }) => {
        if (method === 'DELETE') return { status: 403, headers: { 'content-type': 'application/json' }, body: '{}' };
        return method === 'POST' && FILE.test(url) ? empty(located(undefined)(reply)) : reply;
      },
    });
    const row = await upload();
    expect(row).toMatchObject({ state: 'failed', error: { code: 'upload.no-destination' } });
    expect((await filesOf(row.mediaId)).length).toBeLessThanOrEqual(3);
  });

  it('receives the creation of captions and of a thumbnail at most three times each, and the upload stays complete', async () => {
    world.proxy.change({
      reply(reply, { method, url, body }) {
        const isAside = method === 'POST' && (url.endsWith('/thumbs') || (FILE.test(url) && body.includes('captions')));
        return isAside ? empty(located(undefined)(reply)) : reply;
      },
    });
    const row = await uploadWithSidecars();
    expect(row).toMatchObject({ state: 'complete', error: null });
    expect(row.followUps.map(({ kind, state, error }) => [kind, state, error?.code])).toEqual([
      ['captions', 'failed', 'upload.no-destination'],
      ['thumbnail', 'failed', 'upload.no-destination'],
    ]);
    expect(creationsAt(/thumbs$/)).toBeLessThanOrEqual(3);
    expect(creationsAt(FILE)).toBeLessThanOrEqual(4);
  });
});

it('an upload sends no token and no request to a foreign Location', async () => {
  const foreign: SmallServer = await startSmallServer((_, response) => response.end('{}'));
  for (const path of [ITEM, FILE]) {
    answering(path, (reply) => located(`${foreign.url}${reply.headers.location}`)(reply));
    await expectComplete(await upload());
    world.desk.collectionId = await makeCollection(world.desk.engine, world.desk.siteId, `Case ${world.count}, file`);
    world.proxy.change({});
  }
  expect(foreign.seen).toEqual([]);
});

/** Captions whose creation gets no answer: the library must have one file of them. */
describe('captions are stored once when their creation is not answered and the library', () => {
  it.each<[string, (name: string) => string]>([
    ['keeps their name', (name) => name],
    ['escapes their name', (name) => name.replaceAll('.', '&#46;')],
    ['truncates their name', (name) => name.slice(0, 11)],
    ['changes their name to upper case', (name) => name.toUpperCase()],
  ])('%s', async (_, change) => {
    let lost = 0;
    world.proxy.change({
      request(request) {
        if (request.method !== 'POST' || !FILE.test(request.url) || !request.body.includes('captions')) return request;
        const body = JSON.parse(request.body) as { upload_name: string; upload_type: string };
        return { ...request, body: JSON.stringify({ ...body, upload_name: change(body.upload_name) }) };
      },
      reply(reply, { method, url, body }) {
        const isCaptions = method === 'POST' && FILE.test(url) && body.includes('captions');
        if (!isCaptions || lost > 0) return reply;
        lost += 1;
        return null;
      },
    });
    const row = await uploadWithSidecars();
    expect(row.followUps.map(({ kind, state }) => [kind, state])).toEqual([
      ['captions', 'done'],
      ['thumbnail', 'done'],
    ]);
    const { items } = (await world.client.get(`/api2/media/${row.mediaId}/files`)).body;
    const captions = (items as { type: string; status: string }[]).filter(({ type }) => type === 'captions');
    expect(captions.map(({ status }) => status)).toEqual(['complete']);
    expect(lost).toBe(1);
  });
});

function uploadWithSidecars(): Promise<UploadRow> {
  return upload({ 'lecture.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello\n', 'lecture.png': PIXEL });
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
