import { closeSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { auditOf } from '../../../helpers/service/service-audit.ts';
import { type Answer, clientFor, type ServiceClient, sendForm } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { expectContinue, formParts, startUpload } from '../../../helpers/service/service-raw.ts';
import { mayMount, mountSmallDisk } from '../../../helpers/system/small-disk.ts';

const service = await serviceOfFile({ options: ['--operations', '127.0.0.1:0', '--reserve-mib', '1'] });
const admin = await clientFor(service);
const producer = await clientFor(service, 'producer');
afterEach(() => set({ quota_site_bytes: null, quota_user_bytes: null, quotas: [], clock_offset_ms: 0 }));

const set = (settings: object) => service.control('PATCH', '/settings', settings);

async function collection(parent_id = '1', name = 'C'): Promise<string> {
  return (await admin.post('/api2/collections', { display_name: name, parent_id })).body.id;
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.operationsUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`There is no ${name}:\n${text}`);
  return Number(line.split(' ').at(-1));
}

const itemIn = (collection_id: string, by = admin) => by.createItem('Item', { collection_id });
const create = (item: string, size: number, by = admin, name = 'a.bin'): Promise<Answer> =>
  by.post(`${item}/files`, { upload_name: name, upload_size: size });
const bytes = (size: number) => Buffer.alloc(size, 7);

/** The refusal of a request that would exceed a quota. */
const refusal = (quota: object) => ({
  status: 422,
  body: {
    message: expect.stringMatching(/ may have .*, of which .* are used\. .* do not fit\.$/),
    quota: expect.objectContaining(quota),
  },
});

describe('the quota of a collection', () => {
  test('covers its subcollections, and refuses with what is used and what takes the most', async () => {
    const parent = await collection('1', 'Faculty');
    const child = await collection(parent, 'Lectures');
    await set({ quotas: [{ collection_id: parent, bytes: 1000 }] });
    await admin.upload(await itemIn(child), 'a.bin', bytes(600));
    await admin.upload(await itemIn(parent), 'b.bin', bytes(300));
    const refused = await create(await itemIn(child), 101);
    expect(refused).toMatchObject(
      refusal({
        scope: 'collection',
        collection: { id: parent, display_name: 'Faculty' },
        limit_bytes: 1000,
        used_bytes: 900,
        needed_bytes: 101,
        largest: [
          { kind: 'collection', id: child, name: 'Lectures', bytes: 600 },
          { kind: 'collection', id: parent, name: 'Faculty', bytes: 300 },
        ],
      }),
    );
    expect(refused.body.errors).toEqual([{ field: 'upload_size', message: 'exceeds a quota' }]);
    expect((await create(await itemIn(child), 100)).status).toBe(201);
    expect((await create(await itemIn('1'), 5000)).status).toBe(201);
  });

  test('names to a caller no collection that the caller may not see', async () => {
    const hidden = await collection('1', 'Hidden faculty');
    await admin.post(`/api2/collections/${hidden}`, { inherit_memberships: false });
    const open = await collection(hidden, 'Open');
    const other = await collection(hidden, 'Hidden beside');
    const me = (await admin.get('/api2/users?email_address=producer@library.example')).body.items[0].id;
    const role = (await admin.get('/api2/roles?display_name=Producer')).body.items[0].id;
    await admin.post(`/api2/collections/${open}`, { inherit_memberships: false });
    await admin.post('/api2/memberships', { user_id: me, collection_id: open, role_id: role });
    await admin.upload(await itemIn(other), 'a.bin', bytes(500));
    await set({ quotas: [{ collection_id: hidden, bytes: 1000 }] });
    const refused = await create(await itemIn(open, producer), 600, producer);
    expect(refused).toMatchObject(refusal({ collection: null, used_bytes: 500, largest: [] }));
    expect(refused.text).not.toContain('Hidden');
  });

  test('is never exceeded by a hundred creations at the same time', async () => {
    const own = await collection();
    const items = [await itemIn(own), await itemIn(own)];
    await set({ quotas: [{ collection_id: own, bytes: 1050 }] });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => create(items[n % 2] ?? '', 100)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(90);
  });

  test('is free again when a file, an item or an upload under way is deleted', async () => {
    const own = await collection();
    const item = await itemIn(own);
    await set({ quotas: [{ collection_id: own, bytes: 1000 }] });
    const stored = await admin.upload(item, 'a.bin', bytes(1000));
    expect((await create(item, 1)).status).toBe(422);
    await admin.delete(stored);
    const reserved = await create(item, 1000);
    expect(reserved.status).toBe(201);
    await admin.delete(reserved.location);
    await admin.upload(item, 'b.bin', bytes(1000));
    await admin.delete(item);
    expect((await create(await itemIn(own), 1000)).status).toBe(201);
  });

  test('is free again when an upload is abandoned, and the late upload is refused', async () => {
    const own = await collection();
    const item = await itemIn(own);
    await set({ quotas: [{ collection_id: own, bytes: 1000 }] });
    const abandoned = await create(item, 1000);
    expect((await create(item, 1)).status).toBe(422);
    await set({ clock_offset_ms: 31 * 60_000 });
    expect((await create(item, 1000)).status).toBe(201);
    expect((await sendForm(abandoned.body.upload, 'a.bin', bytes(1000))).status).toBe(410);
  });

  test('counts the declared size, which an upload can not exceed', async () => {
    const own = await collection();
    const item = await itemIn(own);
    await set({ quotas: [{ collection_id: own, bytes: 1000 }] });
    const { body } = await create(item, 10);
    expect((await sendForm(body.upload, 'a.bin', bytes(100_000))).status).toBe(413);
    expect((await sendForm(body.upload, 'a.bin', bytes(11))).status).toBe(400);
    expect((await create(item, 990)).status).toBe(201);
    expect((await create(item, 1)).status).toBe(422);
  });

  test('refuses what an item or a collection brings along when it is moved there', async () => {
    const [full, elsewhere] = [await collection('1', 'Full'), await collection('1', 'Elsewhere')];
    const item = await itemIn(elsewhere);
    await admin.upload(item, 'a.bin', bytes(700));
    await admin.upload(await itemIn(full), 'b.bin', bytes(400));
    await set({ quotas: [{ collection_id: full, bytes: 1000 }] });
    const quota = { used_bytes: 400, needed_bytes: 700, collection: { id: full, display_name: 'Full' } };
    expect(await admin.post(item, { collection_id: full, title: 'Moved' })).toMatchObject(refusal(quota));
    expect((await admin.get(item)).body).toMatchObject({ collection_id: elsewhere, title: 'Item' });
    const move = await admin.post(`/api2/collections/${elsewhere}/move`, { new_parent_id: full });
    expect(move).toMatchObject(refusal(quota));
    expect((await admin.post(`/api2/collections/${elsewhere}`, { parent_id: full })).status).toBe(422);
    await set({ quotas: [{ collection_id: full, bytes: 1100 }] });
    expect((await admin.post(item, { collection_id: full })).status).toBe(200);
    expect((await create(await itemIn(full), 1)).status).toBe(422);
    // Inside of the quota, a move changes nothing; out of it, it makes room.
    const below = await collection(full);
    expect((await admin.post(item, { collection_id: below })).status).toBe(200);
    expect((await admin.post(item, { collection_id: elsewhere })).status).toBe(200);
    expect((await create(await itemIn(full), 700)).status).toBe(201);
  });

  test('that is lowered below its use refuses more, and keeps what is there', async () => {
    const own = await collection();
    const item = await itemIn(own);
    const file = await admin.upload(item, 'a.bin', bytes(1000));
    const started = (await create(item, 500)).body;
    await set({ quotas: [{ collection_id: own, bytes: 10 }] });
    expect(await create(item, 1)).toMatchObject(refusal({ limit_bytes: 10, used_bytes: 1500 }));
    expect((await create(item, 0)).status).toBe(201);
    expect((await admin.post(item, { title: 'Still editable' })).status).toBe(200);
    expect((await sendForm(started.upload, 'a.bin', bytes(500))).status).toBe(204);
    expect((await admin.get(`${file}/content?json`)).status).toBe(200);
  });
});

describe('the quotas of users and of the site', () => {
  test('count what each user created, with an exception for one of them', async () => {
    const item = await itemIn('1', producer);
    const me = (await admin.get('/api2/users?email_address=producer@library.example')).body.items[0].id;
    await set({ quota_user_bytes: 0 });
    expect(await create(item, 1, producer)).toMatchObject(refusal({ scope: 'user', limit_bytes: 0, needed_bytes: 1 }));
    await set({ quota_user_bytes: 0, quotas: [{ user_id: me, bytes: 1_000_000 }] });
    await producer.upload(item, 'a.bin', bytes(900));
    expect((await create(await itemIn('1'), 1)).status).toBe(422);
    const refused = await create(item, 1_000_000, producer);
    expect(refused.body.quota.largest[0]).toEqual({
      kind: 'media',
      id: item.split('/').at(-1),
      name: 'Item',
      bytes: 900,
    });
    await set({ quota_user_bytes: 0, quotas: [{ user_id: me, bytes: null }] });
    expect((await create(item, 1_000_000, producer)).status).toBe(201);
  });

  test('count encodings for the site only', async () => {
    const own = await collection();
    const item = await itemIn(own);
    const srt = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHello\n');
    const audio = (await create(item, 3, admin, 'a.mp3')).body.id;
    const before = await metric('library_quota_used_bytes');
    const captions = await admin.upload(item, 'a.srt', srt, { encoded_from_id: audio });
    const { encodings } = await admin.processed(captions);
    expect(encodings).toHaveLength(1);
    expect(await metric('library_quota_used_bytes')).toBe(before + srt.length + encodings[0].size);
    await set({ quotas: [{ collection_id: own, bytes: 3 + srt.length + 10 }] });
    expect((await create(item, 10)).status).toBe(201);
    await set({ quota_site_bytes: (await metric('library_quota_used_bytes')) + 5, quotas: [] });
    expect(await create(item, 6)).toMatchObject(refusal({ scope: 'site', needed_bytes: 6, collection: null }));
    expect((await create(item, 5)).status).toBe(201);
  });

  test('do not concern content that is embedded', async () => {
    await set({ quota_site_bytes: 0 });
    const body = { upload_name: 'x', upload_size: 5000, embed_url: 'https://video.example/1' };
    expect((await admin.post(`${await itemIn('1')}/files`, body)).status).toBe(201);
  });

  test('leave no row in the audit for a refusal, and are counted', async () => {
    const item = await itemIn('1');
    await set({ quota_site_bytes: 0 });
    const rows = (await auditOf(service)).length;
    const before = await metric('library_refused_total{reason="quota-site"}');
    expect((await create(item, 1)).status).toBe(422);
    expect(await auditOf(service)).toHaveLength(rows);
    expect(await metric('library_refused_total{reason="quota-site"}')).toBe(before + 1);
    expect(await metric('library_quota_bytes')).toBe(0);
  });

  test('are refused in the form of each dialect', async () => {
    const item = await itemIn('1');
    await set({ quota_site_bytes: 0, dialect: 'strict' });
    expect((await create(item, 1)).body.quota).toMatchObject({ scope: 'site', needed_bytes: 1 });
    await set({ dialect: 'lean' });
    expect((await create(item, 1)).body.quota).toMatchObject({ scope: 'site', needed_bytes: 1 });
    await set({ dialect: 'reference' });
  });

  test('are set once for each subject', async () => {
    const twice = [
      { user_id: '1', bytes: 1 },
      { user_id: '1', bytes: 2 },
    ];
    await expect(set({ quotas: twice })).rejects.toThrow('one quota');
    await expect(set({ quotas: [{ collection_id: '1', bytes: -1 }] })).rejects.toThrow('422');
    await expect(set({ quotas: [{ collection_id: '1', user_id: '1', bytes: 1 }] })).rejects.toThrow('422');
  });
});

test.runIf(mayMount())(
  'a drive that becomes full during an upload refuses it with 507, and has room again afterwards',
  async () => {
    const disk = mountSmallDisk(24);
    const small = await startService({ dataDir: join(disk.path, 'library'), options: ['--reserve-mib', '0'] });
    try {
      const user = await clientFor(small);
      const item = await user.createItem('Item');
      const size = 4 * 1024 * 1024;
      const { body } = await user.post(`${item}/files`, { upload_name: 'a.bin', upload_size: size });
      const { upload_url, upload_post_params } = body.upload.protocols.form_data as Form;
      const fields = Object.entries(upload_post_params).map(([name, value]) => part(name, value));
      const head = `${fields.join('')}${part('file', '', '; filename="a.bin"').slice(0, -2)}`;
      const answered = new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' };
        const sending = request(upload_url, { method: 'POST', headers }, (answer) => resolve(answer.statusCode));
        sending.on('error', reject);
        sending.write(head);
        fill(join(disk.path, 'other'));
        sending.write(bytes(size));
        sending.end('\r\n--b--\r\n');
      });
      expect(await answered).toBe(507);
      rmSync(join(disk.path, 'other'));
      await expect
        .poll(async () => (await sendForm(body.upload, 'a.bin', bytes(size))).status, { timeout: 10_000 })
        .toBe(204);
    } finally {
      await small.stop();
      disk.remove();
    }
  },
);

/** Runs a test with a library on a drive of 64 MiB. */
async function onSmallDisk(
  work: (at: {
    disk: ReturnType<typeof mountSmallDisk>;
    small: ServiceProcess;
    user: ServiceClient;
    item: string;
  }) => Promise<void>,
): Promise<void> {
  const disk = mountSmallDisk(64);
  const small = await startService({ dataDir: join(disk.path, 'library'), options: ['--reserve-mib', '0'] });
  try {
    const user = await clientFor(small);
    await work({ disk, small, user, item: await user.createItem('Item') });
  } finally {
    await small.stop();
    disk.remove();
  }
}

test.runIf(mayMount())('files are refused with 507 when they would not fit beside the uploads under way', async () => {
  await onSmallDisk(async ({ user, item }) => {
    const size = 24 * 1024 * 1024;
    const created = await Promise.all(Array.from({ length: 10 }, () => create(item, size, user)));
    const fitting = created.filter(({ status }) => status === 201);
    expect([fitting.length, created.filter(({ status }) => status === 507).length]).toEqual([2, 8]);
    // The bytes that have arrived are on the drive and count once.
    const [first, second] = fitting.map(({ body }) => body.upload);
    expect((await sendForm(first, 'a.bin', bytes(size))).status).toBe(204);
    expect((await create(item, size, user)).status).toBe(507);
    expect((await sendForm(second, 'a.bin', bytes(size))).status).toBe(204);
    for (const { location } of fitting) await user.delete(location);
    await expect.poll(async () => (await create(item, size, user)).status, { timeout: 10_000 }).toBe(201);
  });
});

test.runIf(mayMount())('an upload is refused with 507 when it does not fit beside those in flight', async () => {
  await onSmallDisk(async ({ disk, small, user, item }) => {
    const size = 24 * 1024 * 1024;
    const [first, second] = [
      (await create(item, size, user)).body.upload,
      (await create(item, size, user)).body.upload,
    ];
    const sending = await startUpload(first, size, bytes(1024 * 1024));
    await expect.poll(() => readdirSync(join(small.dataDir, 'incoming')).length).toBe(1);
    expect((await create(item, 0, user)).status).toBe(201);
    writeFileSync(join(disk.path, 'other'), bytes(16 * 1024 * 1024));
    // An empty file is refused as soon as the drive was measured again.
    await expect.poll(async () => (await create(item, 0, user)).status, { timeout: 10_000 }).toBe(507);
    const { head, tail, contentType, url } = formParts(second, 'b.bin');
    const body = Buffer.concat([head, bytes(size), tail]);
    const headers = { 'content-type': contentType, 'content-length': String(body.length) };
    const send = () => expectContinue(url, headers, body);
    expect(await send()).toMatchObject({ status: 507, continued: false });
    sending.abort();
    await expect.poll(async () => (await send()).status, { timeout: 10_000 }).toBe(204);
  });
});

interface Form {
  upload_url: string;
  upload_post_params: Record<string, string>;
}

const part = (name: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

/** Fills a drive to its last byte. */
function fill(file: string): void {
  const fd = openSync(file, 'w');
  for (let step = 1024 * 1024; step >= 1; step = Math.floor(step / 16)) {
    try {
      for (;;) writeSync(fd, bytes(step));
    } catch {
      // No more of this size fits.
    }
  }
  closeSync(fd);
}

test('a drive without room refuses new files and uploads, and everything else works', async () => {
  const full = await startService({ options: ['--operations', '127.0.0.1:0', '--reserve-mib', '0'] });
  try {
    const before = await clientFor(full);
    const item = await before.createItem('Item');
    const stored = await before.upload(item, 'a.bin', bytes(10));
    const { body: started } = await before.post(`${item}/files`, { upload_name: 'b.bin', upload_size: 10 });
    await full.end('SIGTERM');
    const starved = await startService({
      dataDir: full.dataDir,
      port: Number(new URL(full.baseUrl).port),
      options: ['--operations', '127.0.0.1:0', '--reserve-mib', String(1024 ** 3)],
    });
    try {
      const refused = await before.post(`${item}/files`, { upload_name: 'c.bin', upload_size: 10 });
      expect(refused).toMatchObject({ status: 507, body: { message: expect.stringContaining('almost full') } });
      expect(refused.headers.get('retry-after')).toBe('60');
      expect((await before.post(`${item}/thumbs`, { upload_name: 'a.png', upload_size: 10 })).status).toBe(507);
      expect((await sendForm(started.upload, 'b.bin', bytes(10))).status).toBe(507);
      expect((await before.post(item, { title: 'Renamed' })).status).toBe(200);
      expect((await before.get(`${stored}/content?json`)).status).toBe(200);
      expect((await before.delete(stored)).status).toBe(204);
      const text = await (await fetch(`${starved.operationsUrl}/metrics`)).text();
      expect(text).toContain('library_refused_total{reason="no-space"} 3\n');
    } finally {
      await starved.stop();
    }
  } finally {
    await full.stop();
  }
});
