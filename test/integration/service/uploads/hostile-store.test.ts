// A store that answers wrongly, too early, in part or not at all: no byte is lost or mixed up, and nothing that is needed is deleted.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../service/database/database.ts';
import { createObjectSweep } from '../../../../service/objects/sweep-objects.ts';
import { createS3Client, type S3Client } from '../../../../service/storage/s3/client.ts';
import { createNamesUnderWay, type NamesUnderWay } from '../../../../service/storage/s3/names-under-way.ts';
import { createS3Blobs } from '../../../../service/storage/s3/s3-blobs.ts';
import { openScratch } from '../../../../service/storage/scratch.ts';
import { type HostileStore, type StoreRequest, startHostileStore } from '../../../helpers/service/hostile-store.ts';
import { runFor } from '../../../helpers/service/service-accounts.ts';
import { clientFor, sendForm } from '../../../helpers/service/service-client.ts';
import { storageConfig } from '../../../helpers/service/service-config.ts';
import { startService } from '../../../helpers/service/service-process.ts';

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;
const PREFIX = 'library/';
const NAME = 'a'.repeat(32);

let store: HostileStore;
let folder: string;

beforeEach(async () => {
  store = await startHostileStore();
  folder = mkdtempSync(join(tmpdir(), 'library-hostile-'));
  return async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

function clientOf(silenceMs?: number) {
  const client = createS3Client({ ...store.access, region: 'us-east-1', prefix: PREFIX }, silenceMs);
  onTestFinished(client.close);
  return client;
}

function blobsOf(client = clientOf(), smallestPart = 1000) {
  const removed: string[] = [];
  const scratch = openScratch(folder);
  const blobs = createS3Blobs({ client, scratch, removeLater: async (name) => void removed.push(name), smallestPart });
  return Object.assign(blobs, { removed });
}

/** Puts an object into the store, as old as the days say. */
function putObject(key: string, bytes: string | Buffer, days = 0) {
  store.objects.set(PREFIX + key, { bytes: Buffer.from(bytes), modifiedAt: Date.now() - days * DAY_MS });
}

const isContent = ({ method, key }: StoreRequest) => method === 'GET' && key === PREFIX + NAME;

describe('content', () => {
  it.each([
    ['fewer bytes than it was asked for', 'bytes 2-5/10', '2345'],
    ['other bytes than it was asked for', 'bytes 0-7/10', '01234567'],
  ])('fails when the store sends %s', async (_what, range, text) => {
    putObject(NAME, '0123456789');
    store.instead = (asked) => {
      if (!isContent(asked)) return false;
      asked.response.writeHead(206, { 'content-range': range, 'transfer-encoding': 'chunked' }).end(text);
      return true;
    };
    const read = async () => buffer(await blobsOf().read(NAME, { start: 2, end: 9 }));
    await expect(read()).rejects.toThrow('not available');
  });

  it('counts as lost only when its bucket is there', async () => {
    const { signal } = new AbortController();
    const local = () => blobsOf().local(NAME, signal);
    await expect(local()).rejects.toThrow('The content is gone.');
    store.instead = ({ response }) => {
      response.writeHead(404).end();
      return true;
    };
    await expect(local()).rejects.toThrow('not available (404)');
  });

  it('is complete although the store closes the connection in the middle', async () => {
    const bytes = randomBytes(300_000);
    putObject(NAME, bytes);
    let cuts = 0;
    store.instead = (asked) => {
      if (!isContent(asked) || cuts >= 2) return false;
      cuts += 1;
      const [, from = ''] = /^bytes=(\d+)-/.exec(asked.request.headers.range ?? '') ?? [];
      const start = Number(from);
      const headers = { 'content-range': `bytes ${start}-299999/300000`, 'content-length': 300_000 - start };
      asked.response.writeHead(206, headers);
      asked.response.write(bytes.subarray(start, start + 70_000), () => asked.response.destroy());
      return true;
    };
    const got = await buffer(await blobsOf().read(NAME, { start: 0, end: 299_999 }));
    expect([cuts, got.equals(bytes)]).toEqual([2, true]);
  });
});

/** Lets the time pass in which the store may be silent: a request of this client that gets no answer ends by it. */
async function silence(client: S3Client) {
  const { instead } = store;
  store.instead = ({ key }) => key.endsWith('never');
  const failed = client.open({ method: 'GET', key: 'never' }, 0);
  failed.request.end();
  await expect(failed.answer).rejects.toThrow('timeout');
  store.instead = instead;
}

it('waits for a client that does not read or send for longer than the store may be silent', async () => {
  const client = clientOf(300);
  const blobs = blobsOf(client, 100_000_000);
  const bytes = randomBytes(20_000_000);
  putObject(NAME, bytes);
  const content = await blobs.read(NAME, { start: 0, end: bytes.length - 1 });
  const incoming = blobs.receive(10);
  const sink = incoming.open({ onRoom: () => {}, onFail: () => {} });
  sink.begin();
  await expect.poll(() => sink.write(Buffer.alloc(0))).toBe(true);
  sink.write(Buffer.alloc(5, 'a'));
  await silence(client);
  await silence(client);
  sink.write(Buffer.alloc(5, 'b'));
  await sink.finish();
  expect(store.objects.get(PREFIX + (await incoming.keep()))?.bytes.toString()).toBe('aaaaabbbbb');
  expect((await buffer(content)).equals(bytes)).toBe(true);
  expect(store.seen.filter((each) => each.endsWith(NAME))).toHaveLength(1);
});

describe('an upload', () => {
  it('is complete only when the store says that its parts are joined', async () => {
    store.instead = ({ method, query, response }) => {
      if (method !== 'POST' || !query.has('uploadId')) return false;
      response.end('<?xml version="1.0"?>\n<Error xmlns="x"><Code>InternalError</Code></Error>');
      return true;
    };
    const incoming = blobsOf(clientOf(), MIB).receive(3 * MIB);
    const sink = incoming.open({ onRoom: () => {}, onFail: () => {} });
    sink.begin();
    sink.write(Buffer.alloc(3 * MIB));
    await expect(sink.finish()).rejects.toThrow('InternalError');
    await sink.abandon();
    await incoming.discard();
    expect([store.objects.size, store.unfinished.size]).toEqual([0, 0]);
  });

  it.each([
    [499, 'shorter'],
    [501, 'longer'],
  ])('fails when %d bytes come instead of 500', async (bytes, problem) => {
    const incoming = blobsOf().receive(500);
    const sink = incoming.open({ onRoom: () => {}, onFail: () => {} });
    sink.begin();
    sink.write(Buffer.alloc(bytes));
    await expect(sink.finish()).rejects.toThrow(problem);
    await sink.abandon();
    await incoming.discard();
    expect(store.objects.size).toBe(0);
  });

  it('leaves no object when the form around its bytes is cut', async () => {
    const incoming = blobsOf().receive(500);
    const sink = incoming.open({ onRoom: () => {}, onFail: () => {} });
    sink.begin();
    sink.write(Buffer.alloc(500));
    await expect.poll(() => store.objects.size).toBe(1);
    await sink.abandon();
    await incoming.discard();
    expect(store.objects.size).toBe(0);
  });

  it('fails when the store says that it has everything before it was sent', async () => {
    store.instead = ({ method, response }) => {
      if (method !== 'PUT') return false;
      response.writeHead(200, { etag: '"x"' }).end();
      return true;
    };
    const failures: unknown[] = [];
    const sink = blobsOf(clientOf(), 1_000_000)
      .receive(200_000)
      .open({ onRoom: () => {}, onFail: (error) => void failures.push(error) });
    sink.begin();
    sink.write(Buffer.alloc(100_000));
    await expect.poll(() => failures.length).toBe(1);
    sink.write(Buffer.alloc(100_000));
    await expect(sink.finish()).rejects.toThrow('answer too early');
  });
});

describe('the sweep', () => {
  async function sweepOf(more: { underWay?: NamesUnderWay; now?: () => number } = {}) {
    const database = await openStore(join(folder, 'library.sqlite'));
    onTestFinished(() => database.close());
    const client = clientOf();
    const sweep = createObjectSweep({
      client,
      prefix: PREFIX,
      store: database,
      keepDays: 7,
      now: Date.now,
      log: () => {},
      epoch: 'this library',
      underWay: createNamesUnderWay(),
      signal: new AbortController().signal,
      ...more,
    });
    return { sweep, database };
  }

  it('deletes old direct uploads that nothing waits for', async () => {
    putObject('owner', 'this library');
    putObject(`incoming/${'1'.repeat(32)}`, 'never completed', 8);
    putObject(`incoming/${'2'.repeat(32)}`, 'arrived now', 0);
    putObject('b'.repeat(32), 'known to nobody', 8);
    await (await sweepOf()).sweep();
    expect([...store.objects.keys()].sort()).toEqual([`${PREFIX}incoming/${'2'.repeat(32)}`, `${PREFIX}owner`]);
  });

  it('ends when a list does not', async () => {
    putObject('owner', 'this library');
    store.instead = ({ query, response }) => {
      if (!query.has('list-type')) return false;
      const more = () => void response.write(Buffer.alloc(MIB, '<Contents></Contents>'), (error) => error ?? more());
      more();
      return true;
    };
    await expect((await sweepOf()).sweep()).rejects.toThrow('answer too long');
  }, 60_000);

  it('deletes nothing that is being stored, even if the clock is wrong', async () => {
    putObject('owner', 'this library');
    const underWay = createNamesUnderWay();
    const [blob, parts] = [underWay.make(), underWay.make(true)];
    putObject(blob, 'a thumbnail that no row names yet');
    store.unfinished.set('id', { key: PREFIX + parts, startedAt: Date.now(), parts: new Map() });
    const { sweep } = await sweepOf({ underWay, now: () => Date.now() + 30 * DAY_MS });
    await sweep();
    expect([store.objects.has(PREFIX + blob), store.unfinished.size]).toEqual([true, 1]);
  });

  it('deletes nothing when another library owns the objects meanwhile', async () => {
    putObject('owner', 'another library');
    putObject('b'.repeat(32), 'known to the other one', 8);
    putObject('c'.repeat(32), 'removed here, named there', 8);
    const { sweep, database } = await sweepOf();
    await database.run('INSERT INTO removed_blobs VALUES (?, ?)', 'c'.repeat(32), 1);
    await sweep();
    expect(store.objects.size).toBe(3);
  });
});

describe('a service', () => {
  async function start(more: object = {}, options: readonly string[] = []) {
    const secret = join(folder, 'secret');
    writeFileSync(secret, 'secret');
    const config = join(folder, 'config.json');
    writeFileSync(config, JSON.stringify({ storage: { ...storageConfig(store.access, PREFIX, secret), ...more } }));
    const service = await startService({ config, options });
    onTestFinished(() => service.stop());
    return { service, client: await clientFor(service) };
  }

  it('keeps one object of a direct upload, after the days', async () => {
    const { service, client } = await start({ uploads: 'direct', keep_removed_days: 1 });
    const { location, body } = await client.post(`${await client.createItem('Direct')}/files`, {
      upload_name: 'a.bin',
      upload_size: 5,
    });
    expect((await sendForm(body.upload, 'a.bin', Buffer.from('bytes'))).status).toBe(204);
    await fetch(body.upload.protocols.form_data.postprocess_url, { method: 'POST' });
    expect((await client.processed(location)).status).toBe('complete');
    expect([...store.objects.keys()].filter((key) => key.includes('incoming'))).toHaveLength(1);
    await service.control('PATCH', '/settings', { clock_offset_ms: 2 * DAY_MS });
    await expect
      .poll(() => [...store.objects.keys()].filter((key) => key.includes('incoming')), { timeout: 90_000 })
      .toEqual([]);
  }, 120_000);

  it('does not take a direct upload whose user is deactivated before or while it is completed, and deletes its object', async () => {
    const { service } = await start({ uploads: 'direct', keep_removed_days: 1 }, ['--operations', '0']);
    const admin = await clientFor(service);
    const editor = await clientFor(service, 'editor');
    const item = await editor.createItem('Leaves');
    const incoming = () => [...store.objects.keys()].filter((key) => key.includes('incoming'));
    const send = async () => {
      const { location, body } = await editor.post(`${item}/files`, { upload_name: 'a.bin', upload_size: 5 });
      expect((await sendForm(body.upload, 'a.bin', Buffer.from('bytes'))).status).toBe(204);
      const { postprocess_url } = body.upload.protocols.form_data;
      return { location, complete: () => fetch(postprocess_url, { method: 'POST' }) };
    };
    const [before, meanwhile] = [await send(), await send()];
    const held: (() => void)[] = [];
    store.instead = ({ method, key, response }) => {
      if (method !== 'HEAD' || !key.includes('incoming')) return false;
      held.push(() => void response.writeHead(200, { 'content-length': 5 }).end());
      return true;
    };
    const completing = meanwhile.complete();
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1);
    expect((await runFor(service.dataDir, 'deactivate', 'editor@library.example')).code).toBe(0);
    for (const answer of held) answer();
    store.instead = () => false;
    for (const { status } of [await completing, await before.complete()]) expect(status).toBe(403);
    for (const { location } of [before, meanwhile]) expect((await admin.get(location)).body.status).toBe('uploading');
    expect(incoming()).toHaveLength(2);

    await service.control('PATCH', '/settings', { clock_offset_ms: 3 * DAY_MS });
    const later = await clientFor(service);
    for (const { location } of [before, meanwhile]) {
      await later.until(location, ({ status }) => status === 'aborted', 60_000);
    }
    // The objects that no row names are looked for at the start, and then once a day.
    await service.restart();
    await expect.poll(incoming, { timeout: 90_000 }).toEqual([]);
  }, 240_000);

  it('does the work that is due while the store does not answer a list', async () => {
    store.instead = ({ query }) => query.has('list-type');
    const { service, client } = await start();
    const { location } = await client.post(`${await client.createItem('Given up')}/files`, {
      upload_name: 'a.bin',
      upload_size: 5,
    });
    await expect.poll(() => store.seen.includes('GET '), { timeout: 60_000 }).toBe(true);
    await service.control('PATCH', '/settings', { clock_offset_ms: DAY_MS });
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
    const again = await clientFor(service);
    expect((await again.until(location, ({ status }) => status === 'aborted', 30_000)).status).toBe('aborted');
  }, 120_000);

  it('ends at once while the store copies, and takes the upload after the next start', async () => {
    const { service, client } = await start({ uploads: 'direct' });
    const { location, body } = await client.post(`${await client.createItem('Direct')}/files`, {
      upload_name: 'a.bin',
      upload_size: 5,
    });
    await sendForm(body.upload, 'a.bin', Buffer.from('bytes'));
    let copies = 0;
    store.instead = ({ request }) => {
      if (request.headers['x-amz-copy-source'] === undefined) return false;
      copies += 1;
      return true;
    };
    await fetch(body.upload.protocols.form_data.postprocess_url, { method: 'POST' });
    await expect.poll(() => copies, { timeout: 60_000 }).toBe(1);
    const ended = service.end('SIGTERM').then(() => true);
    await expect.poll(() => Promise.race([ended, false]), { timeout: 30_000 }).toBe(true);
    store.instead = () => false;
    await service.restart();
    expect((await (await clientFor(service)).processed(location)).status).toBe('complete');
  }, 120_000);

  it('ends a direct upload in error whose object was deleted in the store', async () => {
    const { client } = await start({ uploads: 'direct' });
    const { location, body } = await client.post(`${await client.createItem('Vanished')}/files`, {
      upload_name: 'a.bin',
      upload_size: 5,
    });
    await sendForm(body.upload, 'a.bin', Buffer.from('bytes'));
    store.instead = ({ request, response }) => {
      if (request.headers['x-amz-copy-source'] === undefined) return false;
      for (const key of store.objects.keys()) if (key.includes('incoming')) store.objects.delete(key);
      response.writeHead(404, { 'content-type': 'application/xml' });
      response.end('<Error><Code>NoSuchKey</Code></Error>');
      return true;
    };
    await fetch(body.upload.protocols.form_data.postprocess_url, { method: 'POST' });
    expect((await client.processed(location)).status).toBe('error');
  }, 120_000);

  it('ends at once while the store does not answer a list', async () => {
    store.instead = ({ query }) => query.has('list-type');
    const { service } = await start();
    await expect.poll(() => store.seen.includes('GET '), { timeout: 60_000 }).toBe(true);
    const ended = service.end('SIGTERM').then(() => true);
    await expect.poll(() => Promise.race([ended, false]), { timeout: 30_000 }).toBe(true);
  }, 120_000);
});
