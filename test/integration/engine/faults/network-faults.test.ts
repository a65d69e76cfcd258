// Problems between this computer and the library, each with its guaranteed result. The list is in docs/testing-failures.md.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allRows, whenRow } from '../../../helpers/engine/engine-host.ts';
import { clearJournal, effectsOf, requestsOf } from '../../../helpers/service/journal.ts';
import { type RequestHead, startRawServer } from '../../../helpers/wire/raw-server.ts';
import type { RequestBreak } from '../../../helpers/wire/wire-breaks.ts';
import { CUTS, FILE_BYTES } from '../wire/wire-cases.ts';
import { type Journey, openWireWorld, SPEED, type WireWorld } from '../wire/wire-world.ts';

const UPLOAD = { method: 'POST', path: /^\/upload\// };
const MIB = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;
const ITEM = { method: 'POST', path: /^\/api2\/media$/ };

let world: WireWorld;
let count = 0;
beforeAll(async () => {
  world = await openWireWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.proxy.reset();
  await world.service.control('DELETE', '/faults');
  await clearJournal(world.service);
});

function upload(sizeBytes = FILE_BYTES): Promise<Journey> {
  count += 1;
  return world.upload(world.put(`Fault ${count}.bin`, sizeBytes));
}

const answer = (status: string, text: string, ending: 'close' | 'reset' | 'keep', extra = ''): RequestBreak => ({
  kind: 'answer',
  at: () => 0,
  bytes: `HTTP/1.1 ${status}\r\n${extra}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  ending,
});
const changed = (change: (reply: string) => string): RequestBreak => ({
  kind: 'reply',
  change: (reply) => Buffer.from(change(reply.toString('latin1')), 'latin1'),
  ending: 'close',
});

const effects = async (name: string) => (await effectsOf(world.service, name)).length;
const refreshes = () => requestsOf(world.service, 'POST', /^\/api2\/oauth\/access_token$/);

describe('the creation of an item', () => {
  it('fault 1: is found again when its reply is lost, and the library has one item', async () => {
    world.proxy.break({ ...ITEM, break: { kind: 'lose-reply', how: 'reset' } });
    await world.expectThereOnce(await upload());
    expect(await effects('media-created')).toBe(1);
  });

  it.each([
    ['is missing', ''],
    ['is a relative path', null],
    ['leads to another origin', 'Location: https://elsewhere.example/api2/media/7\r\n'],
    ['is a script', 'Location: javascript:alert(1)\r\n'],
    ['is the path of a collection', 'Location: /api2/collections/7\r\n'],
  ])('fault 3: results in one item when its Location %s', async (_, line) => {
    const relocate = (reply: string) =>
      line === null
        ? reply.replace(/^location: .*?(\/api2\/.*)\r\n/im, 'Location: $1\r\n')
        : reply.replace(/^location:.*\r\n/im, line);
    world.proxy.break({ ...ITEM, break: changed(relocate) });
    const journey = await upload();
    await world.expectThereOnce(journey);
    // The body of the answer contains the id of the item.
    expect(journey.errors).toEqual([]);
    expect(await effects('media-created')).toBe(1);
  });
});

describe('the transfer of a file', () => {
  it.each(['413 Too Large', '403 Forbidden'])('fault 4: reports the refusal %s at byte 0 of 5 GiB', async (status) => {
    world.proxy.break({ ...UPLOAD, break: answer(status, 'Over quota.', 'close') });
    count += 1;
    const { row, errors } = await world.upload(world.putSparse(`Huge fault ${count}.mp4`, 5 * 1024 ** 3));
    expect({ state: row.state, attempts: row.attempts }).toEqual({ state: 'failed', attempts: 0 });
    expect(errors).toMatchObject([
      {
        code: 'upload.refused',
        details: { status: Number(status.slice(0, 3)), answer: 'Over quota.', sentBytes: 0 },
      },
    ]);
  });

  it.each(CUTS.filter(({ name }) => /at (start|half|boundary|lastByte), by reset/.test(name)))(
    'fault 5: is retried by the schedule after $name, and a truncated file never becomes complete',
    async (wireCase) => {
      world.proxy.break({ ...UPLOAD, break: wireCase.break });
      const journey = await upload();
      expect(journey.row.attempts).toBe(1);
      await world.expectThereOnce(journey);
    },
  );

  it('is repeated after a lost answer only when the library has abandoned the file, if the file can’t be deleted', async () => {
    world.proxy.break({ ...UPLOAD, break: { kind: 'lose-reply', how: 'reset' } });
    await world.service.control('POST', '/faults', {
      method: 'DELETE',
      path: '^/api2/media/[^/]+/files/',
      times: 100,
      action: { kind: 'status', status: 403, body: { message: 'Files can’t be deleted here.' } },
    });
    const waits = whenRow(world.engine, ({ error }) => error?.code === 'upload.may-arrive');
    const uploading = upload();
    expect(await waits).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(await effects('file-created')).toBe(1);
    await world.service.control('PATCH', '/settings', { clock_offset_ms: 40 * 60_000 });
    const journey = await uploading;
    await world.service.control('PATCH', '/settings', { clock_offset_ms: 0 });
    await world.expectThereOnce(journey);
    expect(await effects('file-created')).toBe(2);
  });

  it('fault 10: never sends the access token to the destination, and reports its answer of 401 or a redirect', async () => {
    const heads: RequestHead[] = [];
    const elsewhere = await startRawServer(async (peer) => {
      heads.push(await peer.readHead());
      peer.answer(403, 'Not here either.', { Connection: 'close' });
      await peer.readToEnd();
    });
    try {
      const move = `Location: ${elsewhere.url}\r\n`;
      for (const [status, extra, expected] of [
        ['401 Unauthorized', 'WWW-Authenticate: Basic realm="x"\r\n', ['failed', 'upload.refused', 401]],
        // The redirect may lead to a login page: the upload checks the file in the library, and does not fetch the page.
        ['302 Found', move, ['complete', 'upload.not-received', 302]],
        ['307 Temporary Redirect', move, ['failed', 'upload.refused', 403]],
      ] as const) {
        world.proxy.reset();
        world.proxy.break({ ...UPLOAD, break: answer(status, 'Not here.', 'close', extra) });
        const { row, errors } = await upload();
        expect([row.state, errors[0]?.code, errors[0]?.details?.status]).toEqual(expected);
        const forms = world.proxy.seen.filter(({ path }) => path.startsWith('/upload/'));
        expect(forms.flatMap(({ headers }) => headers.authorization ?? headers.cookie ?? [])).toEqual([]);
      }
      expect(heads.map(({ headers }) => headers.get('authorization') ?? headers.get('cookie'))).toEqual([undefined]);
      expect(await refreshes()).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  it.each(['200 OK', '201 Created', '203 Changed', '204 No Content', '301 Moved', '302 Found', '303 See Other'])(
    'fault 11: is complete when the destination answers %s and the library has the file',
    async (status) => {
      const extra = status.startsWith('3') ? 'Location: https://elsewhere.example/thanks\r\n' : '';
      const length = status.startsWith('204') ? '' : 'Content-Length: 0\r\n';
      world.proxy.break({ ...UPLOAD, break: changed(() => `HTTP/1.1 ${status}\r\n${extra}${length}\r\n`) });
      const journey = await upload();
      expect(journey.errors).toEqual([]);
      await world.expectThereOnce(journey);
    },
  );

  it('fault 11: is not complete when a network’s login page answers 200, and is repeated when the library abandons it', async () => {
    const page = '<html><title>Log in to this network</title></html>';
    world.proxy.break({
      ...UPLOAD,
      break: { ...(answer('200 OK', page, 'close') as object), at: (all: number) => all } as RequestBreak,
    });
    const waits = whenRow(world.engine, ({ error }) => error?.code === 'upload.completion-refused');
    const uploading = upload();
    await waits;
    await world.service.control('PATCH', '/settings', { clock_offset_ms: 40 * 60_000 });
    const journey = await uploading;
    await world.service.control('PATCH', '/settings', { clock_offset_ms: 0 });
    expect(journey.errors.map(({ code }) => code)).toContain('upload.not-received');
    await world.expectThereOnce(journey);
  });

  it('fault 12: gets a new placeholder in the same item when the first was abandoned while it waited', async () => {
    world.proxy.break({ ...UPLOAD, break: { kind: 'cut', at: (all) => all / 2, how: 'reset' } });
    // The upload is retried after one second of real time; the service has to abandon the placeholder before.
    world.clock.setSpeed(10);
    const uploading = upload();
    while (!world.proxy.seen.some(({ path }) => path.startsWith('/upload/'))) await new Promise(setImmediate);
    await world.service.control('PATCH', '/settings', { clock_offset_ms: 40 * 60_000 });
    world.clock.setSpeed(SPEED);
    const journey = await uploading;
    expect(journey.errors[0]?.code).toBe('upload.connection-lost');
    const placeholders = (await effectsOf(world.service, 'file-created')).map(({ file_id }) => file_id);
    expect(placeholders).toEqual([expect.anything(), Number(journey.row.fileId)]);
    expect((await effectsOf(world.service, 'file-aborted')).map(({ file_id }) => file_id)).toContain(placeholders[0]);
    await world.expectThereOnce(journey);
    expect(await effects('media-created')).toBe(1);
    await world.service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  });

  it.each([
    ['stops reading after 1 MiB', { kind: 'stall', at: () => MIB }],
    ['reads one byte per second after 1 MiB', { kind: 'trickle', at: () => MIB, everyMs: 1000 }],
  ] satisfies [string, RequestBreak][])(
    'fault 13: is shown as stalled, and is repeated, when the destination %s',
    async (_, what) => {
      world.proxy.break({ ...UPLOAD, break: what });
      // Larger than the buffers of an unread connection.
      const sizeBytes = 64 * MIB;
      const journey = await upload(sizeBytes);
      expect(journey.errors.map(({ code }) => code)).toEqual(['upload.stalled']);
      expect(journey.errors[0]?.details?.sentBytes).toBeLessThan(sizeBytes);
      await world.expectThereOnce(journey);
    },
  );
});

describe('the library', () => {
  it('fault 8: receives one refresh for eight concurrent calls when it ends the token, and all eight succeed', async () => {
    const { siteId, engine, service } = world;
    await service.control('PATCH', '/settings', { clock_offset_ms: 2 * 3600_000 });
    const calls = Array.from({ length: 8 }, async (_, index) => {
      const query = { siteId, collectionId: null, search: `nothing ${index}`, type: null, status: null } as const;
      const sorted = { ...query, sort: 'created_on', order: 'asc' } as const;
      return engine.call('library.mediaWindow', { query: sorted, offset: 0, limit: 10 });
    });
    expect((await Promise.all(calls)).map(({ rows }) => rows)).toEqual(Array.from({ length: 8 }, () => []));
    expect(await refreshes()).toHaveLength(1);
    await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
  });

  it('fault 14: that can’t process a file makes the upload fail with the reason, and the file is not sent again', async () => {
    await world.service.control('PATCH', '/settings', { processing: { outcome: 'error' } });
    const { row, errors } = await upload();
    await world.service.control('PATCH', '/settings', { processing: { outcome: 'auto' } });
    expect(row.state).toBe('failed');
    expect(errors.map(({ code }) => code)).toEqual(['upload.processing-failed']);
    expect(world.proxy.seen.filter(({ path }) => path.startsWith('/upload/'))).toHaveLength(1);
    // A retry leaves one valid file in the item.
    await world.engine.call('uploads.retry', { kind: 'ids', ids: [row.id] });
    await world.engine.whenUploadsIdle();
    const again = (await allRows(world.engine)).find(({ id }) => id === row.id) ?? row;
    await world.expectThereOnce({ row: again, errors: [] });
    const { siteId } = world;
    const { files } = await world.engine.call('library.media', { siteId, mediaId: again.mediaId ?? '' });
    expect(files.map(({ id, status }) => [id, status])).toEqual([[again.fileId, 'complete']]);
  });

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['HTML in place of JSON', '<html>'],
    ['fields of wrong types', '{"id":{},"status":7}'],
    ['an empty body', ''],
    ['200,000 nested lists', '['.repeat(200_000)],
  ])('fault 15: is polled again when a poll is answered with %s, and the file is stored once', async (_, body) => {
    world.proxy.break({
      method: 'GET',
      path: /\/files(\/\d+)?$/,
      break: changed(
        () => `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      ),
    });
    await world.expectThereOnce(await upload());
  });

  it('fault 17: that is unreachable for days costs no retry, and gets bytes within ten seconds of its return', async () => {
    world.proxy.break({ ...UPLOAD, break: { kind: 'stall', at: () => 1 } });
    const uploading = upload();
    while (!world.proxy.seen.some(({ path }) => path.startsWith('/upload/'))) await new Promise(setImmediate);
    await world.proxy.refuse();
    for (;;) {
      const { blockedBy } = await world.engine.call('uploads.totals', null);
      if (blockedBy?.code === 'network.unreachable') break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    world.clock.setSpeed(100_000);
    await new Promise((resolve) => world.clock.schedule(2 * DAY_MS, () => resolve(null)));
    world.proxy.reset();
    // In real time, so that the ten seconds below also suffice on a busy computer.
    world.clock.setSpeed(1);
    await world.proxy.listen();
    const backAt = world.clock.monotonic();
    while (!world.proxy.seen.some(({ path }) => path.startsWith('/upload/'))) await new Promise(setImmediate);
    expect(world.clock.monotonic() - backAt).toBeLessThan(10_000);
    world.clock.setSpeed(SPEED);
    const journey = await uploading;
    expect(journey.row.attempts).toBe(0);
    await world.expectThereOnce(journey);
  });
});

it('every upload of this test file is complete or has an error', async () => {
  const rows = await allRows(world.engine);
  expect(rows.filter(({ state, error }) => state !== 'complete' && error === null)).toEqual([]);
});
