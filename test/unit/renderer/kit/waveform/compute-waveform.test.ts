import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { computeWaveform } from '../../../../../renderer/kit/waveform/compute-waveform.ts';
import type { Waveform } from '../../../../../shared/model/waveform/waveform.ts';
import { HeldBridge } from '../../../../helpers/desktop/held-bridge.ts';
import { HeldWorker } from '../../../../helpers/desktop/held-workers.ts';

const PART: Waveform = {
  kind: 'peaks',
  pieceSeconds: 1,
  readSeconds: 1,
  totalSeconds: 9,
  end: 'limit',
  lowest: Int16Array.of(-1),
  highest: Int16Array.of(1),
  clipped: Uint8Array.of(0),
};
const LIMIT_MS = 60_000;

let workers: readonly HeldWorker[];
let ended: AbortController;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  new HeldBridge();
  workers = HeldWorker.install();
  ended = new AbortController();
});
afterEach(() => {
  vi.useRealTimers();
});

const compute = (onReceived?: (bytes: number) => void) =>
  computeWaveform({
    source: { address: '/x' },
    knownSeconds: 0,
    signal: ended.signal,
    limits: { bytes: 1, seconds: 1, ms: LIMIT_MS },
    ...(onReceived === undefined ? {} : { onReceived }),
  });

describe('a worker for a waveform', () => {
  it('that reports nothing after its time limit is ended, and says nothing about the file', async () => {
    const result = compute();
    vi.advanceTimersByTime(LIMIT_MS + 5000);
    expect(await result).toEqual({ kind: 'none', reason: 'unreachable' });
    expect(workers[0]?.isEnded).toBe(true);
  });

  it('that stops in the middle leaves what it has read', async () => {
    const result = compute();
    await workers[0]?.report({ kind: 'progress', waveform: PART, receivedBytes: 5 });
    vi.advanceTimersByTime(LIMIT_MS + 5000);
    expect(await result).toEqual({ ...PART, end: 'broken-off' });
  });

  it('that can’t be started is an error', async () => {
    const refused = expect(compute()).rejects.toThrow('could not be started');
    await workers[0]?.fail();
    await refused;
    expect(workers[0]?.isEnded).toBe(true);
  });

  it('is ended by the signal, without a result', async () => {
    const result = compute();
    ended.abort();
    expect(await result).toBeNull();
    expect(workers[0]?.isEnded).toBe(true);
    expect(await compute()).toBeNull();
    expect(workers).toHaveLength(1);
  });

  it('reports the bytes that came', async () => {
    const received: number[] = [];
    const result = compute((bytes) => received.push(bytes));
    await workers[0]?.report({ kind: 'progress', waveform: PART, receivedBytes: 5 });
    await workers[0]?.report({ kind: 'end', result: PART, receivedBytes: 9 });
    expect(await result).toEqual(PART);
    expect(received).toEqual([5, 9]);
  });
});
