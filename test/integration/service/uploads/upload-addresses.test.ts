import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  clientFor,
  clientWith,
  type Descriptor,
  type ServiceClient,
  sendForm,
} from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { expectContinue, formParts } from '../../../helpers/service/service-raw.ts';
import { png } from '../../../helpers/service/service-samples.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

const MINUTE = 60_000;
const PICTURE = png();
let people = 0;

/** A service with an administrator, and the resources that these tests create. */
interface Place {
  service: ServiceProcess;
  admin: ServiceClient;
  /** Id of a role that may edit. */
  editor: string;
}

async function openPlace(dialect: 'reference' | 'lean' | 'strict'): Promise<Place> {
  const service = await startService({ dialect });
  const admin = await clientFor(service);
  const { location } = await admin.post('/api2/roles', {
    display_name: 'Works',
    permissions: [
      'admin-panel-access',
      'collection-read',
      'collection-update',
      'media-read',
      'media-create',
      'media-update',
    ],
  });
  return { service, admin, editor: idOf(location) };
}

const idOf = (path: string) => path.split('/').at(-1) ?? '';

/** A user with a role in a collection made for that user, and an item in it that another user created. */
async function someone({ service, admin, editor }: Place) {
  people += 1;
  const [email, password] = [`up${people}@here.example`, `pass-word-${people}`];
  const user = (
    await admin.post('/api2/users', {
      is_admin: false,
      email_address: email,
      first_name: 'Pat',
      last_name: 'Doe',
      password,
    })
  ).location;
  const collection = (
    await admin.post('/api2/collections', { display_name: `U${people}`, parent_id: '1', inherit_memberships: false })
  ).location;
  const item = (await admin.post('/api2/media', { title: 'Item', collection_id: idOf(collection) })).location;
  const membership = (
    await admin.post('/api2/memberships', {
      user_id: idOf(user),
      collection_id: idOf(collection),
      role_id: editor,
    })
  ).location;
  const client = clientWith(service, await signIn(service, { email, password }));
  return { user, collection, item, membership, client, role: editor };
}

async function thumbAddress(client: ServiceClient, subject: string): Promise<Descriptor> {
  const answer = await client.post(`${subject}/thumbs`, { upload_name: 'a.png', upload_size: PICTURE.length });
  expect(answer.status).toBe(200);
  return answer.body.upload;
}

async function fileAddress(client: ServiceClient, item: string, size = 3): Promise<Descriptor> {
  const answer = await client.post(`${item}/files`, { upload_name: 'a.bin', upload_size: size });
  expect(answer.status).toBe(201);
  return answer.body.upload;
}

const send = async (upload: Descriptor, bytes: Uint8Array = PICTURE) => (await sendForm(upload, 'a', bytes)).status;
const finish = async (upload: Descriptor) =>
  (await fetch(upload.protocols.form_data.postprocess_url ?? '', { method: 'POST', body: new URLSearchParams() }))
    .status;

/** Sends headers only, with `Expect: 100-continue`: a refusal must come before the body. */
async function admission(upload: Descriptor): Promise<{ status: number; continued: boolean }> {
  const { head, tail, contentType, url } = formParts(upload, 'a.png');
  const body = Buffer.concat([head, PICTURE, tail]);
  const headers = { 'content-type': contentType, 'content-length': String(body.length) };
  const { status, continued } = await expectContinue(url, headers, body);
  return { status, continued };
}

/** Sends half of the body, runs an action, sends the other half; returns the status. */
function sendInHalves(upload: Descriptor, between: () => Promise<unknown>): Promise<number> {
  const { head, tail, contentType, url } = formParts(upload, 'a.png');
  return new Promise((resolve, reject) => {
    const length = head.length + PICTURE.length + tail.length;
    const headers = { 'content-type': contentType, 'content-length': length, expect: '100-continue' };
    const request = httpRequest(url, { method: 'POST', headers });
    request.on('error', reject);
    request.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    // The server asked for the body, so it has admitted the upload.
    request.on('continue', () => {
      request.write(Buffer.concat([head, PICTURE.subarray(0, 40)]));
      between().then(() => request.end(Buffer.concat([PICTURE.subarray(40), tail])), reject);
    });
    request.flushHeaders();
  });
}

type Person = Awaited<ReturnType<typeof someone>>;

/** The ways in which a user loses the right to upload to an item. */
const LOSSES: readonly (readonly [string, number, (place: Place, person: Person) => Promise<unknown>])[] = [
  ['the membership of its user is removed', 403, ({ admin }, { membership }) => admin.delete(membership)],
  [
    'the role of its user is replaced by one that only reads',
    403,
    async ({ admin }, { membership }) => {
      const role = await admin.post('/api2/roles', {
        display_name: 'Looks',
        permissions: ['collection-read', 'media-read'],
      });
      return admin.post(membership, { role_id: idOf(role.location) });
    },
  ],
  ['its user is deleted', 403, ({ admin }, { user }) => admin.delete(user)],
  [
    'the item is moved to a collection where its user has no role',
    403,
    async ({ admin }, { item }) => {
      const other = await admin.post('/api2/collections', { display_name: 'Elsewhere', parent_id: '1' });
      return admin.post(item, { collection_id: idOf(other.location) });
    },
  ],
  ['the item is deleted', 404, ({ admin }, { item }) => admin.delete(item)],
];

describe.each(['reference', 'lean', 'strict'] as const)('in the dialect %s', (dialect) => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace(dialect);
  });
  afterAll(() => place?.service.stop());
  afterEach(() => place.service.control('PATCH', '/settings', { clock_offset_ms: 0, read_only: false, dialect }));
  const thumbsOf = async (subject: string): Promise<number> => {
    await place.service.control('PATCH', '/settings', { dialect: 'reference' });
    const { items } = (await place.admin.get(`${subject}/thumbs`)).body;
    await place.service.control('PATCH', '/settings', { dialect });
    return items.length;
  };

  describe('an upload URL for a thumbnail', () => {
    test('accepts one thumbnail and refuses a second', async () => {
      const { client, item } = await someone(place);
      const upload = await thumbAddress(client, item);
      expect(await send(upload)).toBeLessThan(400);
      expect(await send(upload)).toBe(dialect === 'strict' ? 403 : 409);
      expect(await thumbsOf(item)).toBe(1);
    });

    test('accepts one of several concurrent thumbnails', async () => {
      const { client, item } = await someone(place);
      const upload = await thumbAddress(client, item);
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(upload)));
      expect(answers.filter((status) => status < 400)).toHaveLength(1);
      expect(await thumbsOf(item)).toBe(1);
    });

    test('stays usable when an upload was incomplete or no picture', async () => {
      const { client, item } = await someone(place);
      const upload = await thumbAddress(client, item);
      expect(await send(upload, PICTURE.subarray(1))).toBe(400);
      expect(await send(upload, Buffer.alloc(PICTURE.length))).toBe(400);
      expect(await send(upload)).toBeLessThan(400);
    });

    test('is refused before the body when 30 minutes have passed', async () => {
      const { client, item } = await someone(place);
      const [early, late] = [await thumbAddress(client, item), await thumbAddress(client, item)];
      await place.service.control('PATCH', '/settings', { clock_offset_ms: 29 * MINUTE });
      expect(await send(early)).toBeLessThan(400);
      await place.service.control('PATCH', '/settings', { clock_offset_ms: 30 * MINUTE });
      expect(await admission(late)).toEqual({ status: 410, continued: false });
      expect(await send(late)).toBe(410);
      await place.service.control('PATCH', '/settings', { clock_offset_ms: 0 });
      expect(await thumbsOf(item)).toBe(1);
    });

    test('is refused with 503 in read-only mode, and works afterwards', async () => {
      const { client, item } = await someone(place);
      const upload = await thumbAddress(client, item);
      await place.service.control('PATCH', '/settings', { read_only: true });
      const before = await admission(upload);
      const status = await send(upload);
      await place.service.control('PATCH', '/settings', { read_only: false });
      expect([before, status]).toEqual([{ status: 503, continued: false }, 503]);
      expect(await send(upload)).toBeLessThan(400);
    });

    test.each(LOSSES)('of an item is refused when %s', async (_what, status, lose) => {
      const person = await someone(place);
      const upload = await thumbAddress(person.client, person.item);
      await lose(place, person);
      expect(await admission(upload)).toEqual({ status, continued: false });
      expect(await send(upload)).toBe(status);
      if (status !== 404) expect(await thumbsOf(person.item)).toBe(0);
    });

    test.each(LOSSES)('is refused after its body when, during the upload, %s', async (_what, status, lose) => {
      const person = await someone(place);
      const upload = await thumbAddress(person.client, person.item);
      expect(await sendInHalves(upload, () => lose(place, person))).toBe(status);
    });

    test('is refused after its body when read-only mode began or the URL expired during the upload', async () => {
      const { client, item } = await someone(place);
      const upload = await thumbAddress(client, item);
      const change = (settings: unknown) => () => place.service.control('PATCH', '/settings', settings);
      expect(await sendInHalves(upload, change({ read_only: true }))).toBe(503);
      await change({ read_only: false })();
      expect(await sendInHalves(upload, change({ clock_offset_ms: 31 * MINUTE }))).toBe(410);
      expect(await thumbsOf(item)).toBe(0);
    });

    test('of a collection is refused when the membership is removed', async () => {
      const person = await someone(place);
      const upload = await thumbAddress(person.client, person.collection);
      await place.admin.delete(person.membership);
      expect(await send(upload)).toBe(403);
      expect(await thumbsOf(person.collection)).toBe(0);
    });

    test('of a user is refused when that user is deleted, or when the administrator who requested it is demoted', async () => {
      const person = await someone(place);
      const boss = await someone(place);
      await place.admin.post(boss.user, { is_admin: true });
      const [own, byBoss] = [
        await thumbAddress(person.client, person.user),
        await thumbAddress(boss.client, person.user),
      ];
      await place.admin.post(boss.user, { is_admin: false });
      expect(await send(byBoss)).toBe(403);
      expect(await send(own)).toBeLessThan(400);
      const last = await thumbAddress(person.client, person.user);
      await place.admin.delete(person.user);
      expect(await send(last)).toBe(404);
    });
  });

  describe('an upload URL for a media file', () => {
    test.each(LOSSES)('is refused when %s', async (_what, status, lose) => {
      const person = await someone(place);
      const upload = await fileAddress(person.client, person.item, PICTURE.length);
      await lose(place, person);
      expect(await admission(upload)).toEqual({ status, continued: false });
      expect(await send(upload)).toBe(status);
    });

    test.each(LOSSES)('is refused after its body when, during the upload, %s', async (_what, status, lose) => {
      const person = await someone(place);
      const upload = await fileAddress(person.client, person.item, PICTURE.length);
      expect(await sendInHalves(upload, () => lose(place, person))).toBe(status);
    });

    test('is refused when the upload was abandoned', async () => {
      const person = await someone(place);
      const upload = await fileAddress(person.client, person.item);
      await place.service.control('PATCH', '/settings', { clock_offset_ms: 31 * MINUTE });
      const status = await send(upload, Buffer.from('abc'));
      await place.service.control('PATCH', '/settings', { clock_offset_ms: 0 });
      expect(status).toBe(410);
    });

    test.runIf(dialect !== 'lean')(
      'does not complete an upload when the right was lost after the bytes arrived',
      async () => {
        const person = await someone(place);
        const upload = await fileAddress(person.client, person.item);
        expect(await send(upload, Buffer.from('abc'))).toBeLessThan(400);
        await place.admin.delete(person.membership);
        expect(await finish(upload)).toBe(403);
        const { items } = (await place.admin.get(`${person.item}/files`)).body;
        expect(items[0].status).toBe('uploading');
      },
    );

    test('accepts bytes in read-only mode, and the library changes only after it ends', async () => {
      const person = await someone(place);
      const upload = await fileAddress(person.client, person.item);
      await place.service.control('PATCH', '/settings', { read_only: true });
      const sent = await send(upload, Buffer.from('abc'));
      const during = (await place.admin.get(`${person.item}/files`)).body.items[0];
      await place.service.control('PATCH', '/settings', { read_only: false });
      expect([sent < 400, during.status]).toEqual([true, 'uploading']);
      if (dialect !== 'lean') expect(await finish(upload)).toBe(204);
      await place.admin.processed(during.links.self);
    });
  });
});

describe('a signed URL', () => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace('reference');
  });
  afterAll(() => place?.service.stop());

  test.each([
    ['a changed payload', (token: string) => token.replace(/^./, (first) => (first === 'e' ? 'f' : 'e'))],
    ['a changed signature', (token: string) => token.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))],
    ['an additional character after the signature', (token: string) => `${token}=`],
    ['an additional part after the signature', (token: string) => `${token}.x`],
    ['no signature', (token: string) => token.split('.')[0] ?? ''],
    ['an empty signature', (token: string) => `${token.split('.')[0]}.`],
  ])('with %s is refused', async (_what, change) => {
    const item = await place.admin.createItem('Tampered');
    const answer = await place.admin.post(`${item}/files`, { upload_name: 'a.bin', upload_size: 3 });
    const form = answer.body.upload.protocols.form_data;
    for (const name of ['upload_url', 'postprocess_url'] as const) {
      const url: string = form[name];
      const [, kind = '', token = ''] = new URL(url).pathname.split('/');
      const changed = `${place.service.baseUrl}/${kind}/${change(token)}`;
      expect((await fetch(changed, { method: 'POST' })).status).toBe(403);
    }
  });

  test('for one purpose is refused for another', async () => {
    const item = await place.admin.createItem('Crossed');
    const answer = await place.admin.post(`${item}/files`, { upload_name: 'a.bin', upload_size: 3 });
    const { upload_url, postprocess_url } = answer.body.upload.protocols.form_data;
    const token = (url: string) => new URL(url).pathname.split('/')[2];
    const base = place.service.baseUrl;
    expect((await fetch(`${base}/postprocess/${token(upload_url)}`, { method: 'POST' })).status).toBe(403);
    expect((await fetch(`${base}/upload/${token(postprocess_url)}`, { method: 'POST' })).status).toBe(403);
    expect((await fetch(`${base}/cdn/${token(upload_url)}/a.bin`)).status).toBe(403);
  });
});
