import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { batchDefaultsSchema, type UploadRow } from '../../../../shared/contract/uploads.ts';
import { type ChangingProxy, type PassedReply, startChangingProxy } from '../../../helpers/changing-proxy.ts';
import {
  allRows,
  createTestProfile,
  makeCollection,
  signInEngine,
  type TestProfile,
} from '../../../helpers/engine-host.ts';
import { fastClock } from '../../../helpers/fast-clock.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';
import { type SmallServer, startSmallServer } from '../../../helpers/small-server.ts';

const SPEED = 60;

let service: ServiceProcess;
let proxy: ChangingProxy;
let profile: TestProfile;
let engine: Engine;
let siteId: string;
let library: ServiceClient;
let dir: string;
let collectionId: string;
let count = 0;

beforeAll(async () => {
  service = await startService();
  proxy = await startChangingProxy(service.baseUrl);
  profile = createTestProfile(service);
  engine = await profile.open({ clock: fastClock(SPEED) });
  siteId = await signInEngine(engine, { ...service, baseUrl: proxy.baseUrl });
  library = await clientFor(service);
  // What is uploaded here is no recording: the service takes it all the same.
  await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-unnamed-'));
  engine.startUploads();
});
afterAll(async () => {
  await engine.stop();
  await proxy.close();
  await service.stop();
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  proxy.change({});
  count += 1;
  collectionId = await makeCollection(engine, siteId, `Case ${count}`);
});

const ITEM = /^\/api2\/media$/;
const FILE = /^\/api2\/media\/\d+\/files$/;

/** Answers creations at `path` as another library would. */
function answering(path: RegExp, change: (reply: PassedReply) => PassedReply): void {
  proxy.change({
    reply: (reply, { method, url }) => (method === 'POST' && path.test(url) ? change(reply) : reply),
  });
}

const located = (location: string | undefined) => (reply: PassedReply) => {
  const { location: _, ...headers } = reply.headers;
  return { ...reply, headers: location === undefined ? headers : { ...headers, location } };
};
const empty = (reply: PassedReply): PassedReply => ({ ...reply, body: '' });

async function upload(beside: Record<string, string | Buffer> = {}): Promise<UploadRow> {
  const folder = mkdtempSync(join(dir, 'case-'));
  const path = join(folder, 'lecture.mp4');
  writeFileSync(path, Buffer.alloc(5000 + count, `${count} `));
  for (const [name, contents] of Object.entries(beside)) writeFileSync(join(folder, name), contents);
  const defaults = batchDefaultsSchema.parse({ duplicates: 'upload' });
  const { batchId } = await engine.call('uploads.add', { siteId, collectionId, paths: [folder], defaults });
  await engine.whenUploadsIdle();
  return (await allRows(engine)).find((row) => row.batchId === batchId) as UploadRow;
}

const itemsNow = async (): Promise<{ id: string }[]> =>
  (await library.get(`/api2/media?collection_id=${collectionId}&per_page=200`)).body.items;
const filesOf = async (id: string | null): Promise<{ id: string; status: string }[]> =>
  (await library.get(`/api2/media/${id}/files`)).body.items;
const creationsAt = (path: RegExp) =>
  proxy.seen.filter(({ method, url }) => method === 'POST' && path.test(url)).length;

async function expectComplete(row: UploadRow): Promise<void> {
  expect({ state: row.state, error: row.error }).toEqual({ state: 'complete', error: null });
  expect((await itemsNow()).map(({ id }) => id)).toEqual([row.mediaId]);
  expect((await filesOf(row.mediaId)).map(({ status }) => status)).toEqual(['complete']);
  expect([creationsAt(ITEM), creationsAt(FILE)]).toEqual([1, 1]);
}

/** The ways in which a library, or a proxy in front of it, gives an address; `path` is the right one. */
const LOCATIONS: [string, (path: string, origin: string) => string | undefined][] = [
  ['is missing', () => undefined],
  ['is empty', () => ''],
  ['has the host name behind a reverse proxy', (path) => `http://library.internal:8080${path}`],
  ['has another scheme', (path, origin) => `${origin.replace('http:', 'https:')}${path}`],
  ['has another port', (path) => `http://127.0.0.1:1${path}`],
  ['has no scheme', (path) => `//library.internal${path}`],
  ['is only the identifier', (path) => path.split('/').at(-1)],
  ['is relative to the request', (path) => path.split('/').slice(-2).join('/')],
  ['has a slash at its end and a query', (path) => `${path}/?created=1`],
  ['has a format at its end', (path) => `${path}.json`],
  ['is the address of a page', () => '/library/dashboard'],
  ['is the address of a foreign page', () => 'https://sso.example.org/login?next=42'],
  ['is no address', () => 'http://'],
];

describe('an upload is complete, in one item with one file, when Location', () => {
  it.each(LOCATIONS)('of the item %s', async (_, change) => {
    answering(ITEM, (reply) => located(change(reply.headers.location ?? '', proxy.baseUrl))(reply));
    await expectComplete(await upload());
  });

  it.each(LOCATIONS)('of the file %s', async (_, change) => {
    answering(FILE, (reply) => located(change(reply.headers.location ?? '', proxy.baseUrl))(reply));
    await expectComplete(await upload());
  });

  it.each(LOCATIONS.filter(([name]) => /missing|empty|page|no address/.test(name)))(
    'of the item %s and there is no body',
    async (_, change) => {
      answering(ITEM, (reply) => empty(located(change(reply.headers.location ?? '', proxy.baseUrl))(reply)));
      await expectComplete(await upload());
    },
  );

  it.each([
    ['does not exist', '/api2/media/424242'],
    ['is that of another upload', null],
  ])('names an item that %s', async (_, location) => {
    const first = await upload();
    collectionId = await makeCollection(engine, siteId, `Case ${count}, wrong`);
    answering(ITEM, (reply) => empty(located(location ?? `/api2/media/${first.mediaId}`)(reply)));
    const row = await upload();
    expect({ state: row.state, error: row.error }).toEqual({ state: 'complete', error: null });
    expect((await itemsNow()).map(({ id }) => id)).toEqual([row.mediaId]);
    expect(row.mediaId).not.toBe(first.mediaId);
    expect(creationsAt(ITEM)).toBe(1);
  });
});

describe('a library that does not say what it created', () => {
  it('needs one decision, with one item created, when it does not list the item either', async () => {
    proxy.change({
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
    ['nor where its contents go', (reply) => empty(located(undefined)(reply))],
    ['or does, but not where its contents go', empty],
    ['or answers with a page', (reply) => ({ ...empty(reply), body: '<p>Created</p>' })],
    ['or with a descriptor of another kind', (reply) => ({ ...reply, body: '{"id":"1","upload":{"protocols":{}}}' })],
  ])('ends the upload with a next step and no placeholder left: it does not name the file, %s', async (_, change) => {
    answering(FILE, change);
    const row = await upload();
    expect(row).toMatchObject({ state: 'failed', error: { code: 'upload.no-destination' } });
    expect(row.error?.nextStep).toMatch(/administrator/);
    expect(creationsAt(FILE)).toBeLessThanOrEqual(3);
    expect(await itemsNow()).toHaveLength(1);
    expect(await filesOf(row.mediaId)).toEqual([]);
    // It goes on where the library answers as documented.
    proxy.change({});
    await engine.call('uploads.retry', { kind: 'ids', ids: [row.id] });
    await engine.whenUploadsIdle();
    expect((await allRows(engine)).find(({ id }) => id === row.id)).toMatchObject({ state: 'complete' });
    expect(await itemsNow()).toHaveLength(1);
  });

  it('keeps at most three placeholders when deleting them is forbidden', async () => {
    proxy.change({
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

  it('gets thumbnail and captions a few times, and the upload stays complete', async () => {
    proxy.change({
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

it('sends no token and no request to a foreign Location', async () => {
  const foreign: SmallServer = await startSmallServer((_, response) => response.end('{}'));
  for (const path of [ITEM, FILE]) {
    answering(path, (reply) => located(`${foreign.url}${reply.headers.location}`)(reply));
    await expectComplete(await upload());
    collectionId = await makeCollection(engine, siteId, `Case ${count}, file`);
    proxy.change({});
  }
  expect(foreign.seen).toEqual([]);
});

/** Captions whose creation is not answered: the library keeps one file of them. */
describe('captions are stored once when their creation is not answered and the library', () => {
  it.each<[string, (name: string) => string]>([
    ['keeps their name', (name) => name],
    ['escapes their name', (name) => name.replaceAll('.', '&#46;')],
    ['cuts their name', (name) => name.slice(0, 11)],
    ['changes it to upper case', (name) => name.toUpperCase()],
  ])('%s', async (_, change) => {
    let lost = 0;
    proxy.change({
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
    const { items } = (await library.get(`/api2/media/${row.mediaId}/files`)).body;
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
