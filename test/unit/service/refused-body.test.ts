import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { awaitContinue } from '../../../service/wire/expect-continue.ts';
import { discardBody } from '../../../service/wire/refused-body.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** The part of a request that is read. */
function body() {
  const stream = Object.assign(new PassThrough(), { complete: false });
  return { stream, request: stream as unknown as IncomingMessage };
}

test('a refused body within the limits is read to its end, and its connection stays', async () => {
  const { stream, request } = body();
  const read = discardBody(request, { maxBytes: 10 });
  stream.end(Buffer.alloc(10));
  await read;
  expect([stream.readableEnded, vi.getTimerCount()]).toEqual([true, 0]);
});

test('a client that keeps sending a refused body loses its connection, by bytes and by time', async () => {
  const [large, slow] = [body(), body()];
  const readings = [discardBody(large.request, { maxBytes: 10 }), discardBody(slow.request, { maxMs: 1000 })];
  large.stream.write(Buffer.alloc(11));
  slow.stream.write('x');
  vi.advanceTimersByTime(1000);
  await Promise.all(readings);
  expect([large.stream.destroyed, slow.stream.destroyed, vi.getTimerCount()]).toEqual([true, true, 0]);
});

test('a client that waits for permission to send is answered at once, and what it sends is read', async () => {
  const { stream, request } = body();
  awaitContinue(request);
  await discardBody(request);
  stream.end('x');
  await new Promise((resolve) => stream.once('close', resolve));
  expect(stream.readableEnded).toBe(true);
});
