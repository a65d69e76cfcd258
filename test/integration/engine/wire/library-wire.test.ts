import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RequestBreak } from '../../../helpers/wire/wire-breaks.ts';
import { FILE_BYTES } from './wire-cases.ts';
import { type Journey, openWireWorld, type WireWorld } from './wire-world.ts';

let world: WireWorld;
let count = 0;
beforeAll(async () => {
  world = await openWireWorld();
});
afterAll(() => world.close());
beforeEach(() => world.proxy.reset());

const upload = (sizeBytes = FILE_BYTES): Promise<Journey> => {
  count += 1;
  return world.upload(world.put(`Library case ${count}.bin`, sizeBytes));
};

const lost = (how: 'reset' | 'close'): RequestBreak => ({ kind: 'lose-reply', how });
const changed = (change: (reply: Buffer) => Buffer | string): RequestBreak => ({
  kind: 'reply',
  change: (reply) => Buffer.from(change(reply)),
  ending: 'close',
});
const afterHead = (reply: Buffer) => reply.indexOf('\r\n\r\n') + 4;

const ITEM = { method: 'POST', path: /^\/api2\/media$/ };
const PLACEHOLDER = { method: 'POST', path: /\/files$/ };
const COMPLETION = { method: 'POST', path: /^\/postprocess\// };
const POLL = { method: 'GET', path: /\/files\/\d+$/ };

describe('the library has one item with one file in every case of a damaged or lost reply:', () => {
  it.each([
    ['the item’s reply is lost by a reset', { ...ITEM, break: lost('reset') }],
    ['the item’s reply is lost by a close', { ...ITEM, break: lost('close') }],
    ['the item’s reply is cut in its headers', { ...ITEM, break: changed((reply) => reply.subarray(0, 40)) }],
    [
      'the item’s reply is cut in its body',
      { ...ITEM, break: changed((reply) => reply.subarray(0, afterHead(reply) + 9)) },
    ],
    ['the item’s reply has no body', { ...ITEM, break: changed((reply) => reply.subarray(0, afterHead(reply))) }],
    ['the item’s reply is garbage', { ...ITEM, break: changed(() => '\u0000\u0001 what\r\n\r\n') }],
    ['the item’s reply is sent twice', { ...ITEM, break: changed((reply) => Buffer.concat([reply, reply])) }],
    [
      'the item’s reply has no Location',
      { ...ITEM, break: changed((reply) => `${reply}`.replace(/^location:.*\r\n/im, '')) },
    ],
    ['the item’s request is cut', { ...ITEM, break: { kind: 'cut', at: () => 5, how: 'reset' } }],
    ['the placeholder’s reply is lost', { ...PLACEHOLDER, break: lost('reset') }],
    [
      'the placeholder’s reply is cut in its body',
      { ...PLACEHOLDER, break: changed((reply) => reply.subarray(0, afterHead(reply) + 50)) },
    ],
    ['the placeholder’s request is cut', { ...PLACEHOLDER, break: { kind: 'cut', at: () => 5, how: 'close' } }],
    ['the completion’s reply is lost by a reset', { ...COMPLETION, break: lost('reset') }],
    ['the completion’s reply is lost by a close', { ...COMPLETION, break: lost('close') }],
    ['the completion’s request is cut', { ...COMPLETION, break: { kind: 'cut', at: () => 0, how: 'reset' } }],
    ['the reply to a poll of the processing is lost', { ...POLL, break: lost('reset') }],
    [
      'the reply to a poll of the processing is damaged',
      { ...POLL, break: changed((reply) => reply.subarray(0, afterHead(reply) + 9)) },
    ],
  ] satisfies [string, Parameters<WireWorld['proxy']['break']>[0]][])('%s', async (_, rule) => {
    world.proxy.break(rule);
    const journey = await upload();
    await world.expectThereOnce(journey);
    expect(journey.row.attempts).toBeLessThanOrEqual(2);
  });
});

describe('broken connections', () => {
  it.each(['reset', 'close'] as const)(
    'use at most one retry each when they break before a byte is sent (%s)',
    async (kind) => {
      void whenSeen(/^\/api2\/media$/).then(() => world.proxy.breakConnections(kind, 3));
      const journey = await upload();
      await world.expectThereOnce(journey);
      expect(world.proxy.connectionsToBreak).toBe(0);
      expect(journey.row.attempts).toBeLessThanOrEqual(3);
    },
  );

  it('use no retry when they are refused from the start, and the upload starts when they are accepted', async () => {
    await world.proxy.refuse();
    const uploading = upload();
    await waitingForNetwork();
    await world.proxy.listen();
    const journey = await uploading;
    await world.expectThereOnce(journey);
    expect(journey.row.attempts).toBe(0);
  });

  it('use no retry when they are refused during the upload', async () => {
    world.proxy.break({ method: 'POST', path: /^\/upload\//, break: { kind: 'stall', at: () => 1 } });
    const uploading = upload();
    await whenSeen(/^\/upload\//);
    await world.proxy.refuse();
    await waitingForNetwork();
    await world.proxy.listen();
    const journey = await uploading;
    await world.expectThereOnce(journey);
    expect(journey.row.attempts).toBe(0);
  });
});

async function whenSeen(path: RegExp): Promise<void> {
  while (!world.proxy.seen.some((exchange) => path.test(exchange.path))) await new Promise(setImmediate);
}

async function waitingForNetwork(): Promise<void> {
  for (;;) {
    const { blockedBy } = await world.engine.call('uploads.totals', null);
    if (blockedBy?.code === 'network.unreachable') return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('a file of 5 GiB that is refused', () => {
  const FIVE_GIB = 5 * 1024 ** 3;
  it.each([
    [413, 'close'],
    [413, 'reset'],
    [403, 'close'],
    [403, 'keep'],
  ] as const)('with %i immediately (%s) is reported after less than 1 MiB was sent', async (status, ending) => {
    const text = 'The file is too large for this library.';
    const bytes = `HTTP/1.1 ${status} No\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    world.proxy.break({ path: /^\/upload\//, break: { kind: 'answer', at: () => 0, bytes, ending } });
    count += 1;
    const { row, errors } = await world.upload(world.putSparse(`Huge ${count}.mp4`, FIVE_GIB));
    expect({ state: row.state, attempts: row.attempts }).toEqual({ state: 'failed', attempts: 0 });
    expect(errors).toMatchObject([{ code: 'upload.refused', details: { status, answer: text } }]);
    expect(Number(errors[0]?.details?.sentBytes)).toBeLessThanOrEqual(1024 * 1024);
    const sent = world.proxy.seen.find(({ path }) => path.startsWith('/upload/'));
    expect(sent?.bodyBytes).toBeLessThanOrEqual(1024 * 1024);
  });

  it('by the library’s own limit is reported before anything is sent', async () => {
    await world.service.control('PATCH', '/settings', { max_upload_bytes: 1_000_000 });
    const { row, errors } = await world.upload(world.putSparse('Over the limit.mp4', FIVE_GIB));
    await world.service.control('PATCH', '/settings', { max_upload_bytes: 1024 ** 4 });
    expect(row.state).toBe('failed');
    expect(errors).toHaveLength(1);
    expect(world.proxy.seen.filter(({ path }) => path.startsWith('/upload/'))).toEqual([]);
  });
});
