import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drain } from '../../../service/app/drain.ts';
import { createTraffic } from '../../../service/site/traffic.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

/** A stop during which an upload arrives. */
async function stopWithUpload() {
  const traffic = createTraffic();
  const requestEnds = traffic.requestBegins();
  const ended = drain(traffic, 60_000, never);
  traffic.uploadArrived(7);
  requestEnds();
  await vi.advanceTimersByTimeAsync(4000);
  return { traffic, ended };
}

test('an upload that arrives during a stop can be completed, and the stop goes on at once', async () => {
  const { traffic, ended } = await stopWithUpload();
  expect(traffic.phase).toBe('draining');
  traffic.uploadCompleted(7);
  expect(await ended).toBe('ended');
  expect(traffic.phase).toBe('closing');
});

test('a client that never completes its upload delays a stop for five seconds', async () => {
  const { traffic, ended } = await stopWithUpload();
  await vi.advanceTimersByTimeAsync(1250);
  expect([traffic.phase, await ended]).toEqual(['closing', 'ended']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a stop without uploads waits for no completion', async () => {
  const traffic = createTraffic();
  traffic.uploadArrived(7);
  const ended = drain(traffic, 60_000, never);
  await vi.advanceTimersByTimeAsync(250);
  expect(await ended).toBe('ended');
});
