import { describe, expect, it } from 'vitest';
import { createPeakCollector } from '../../../../../renderer/kit/waveform/peak-collector.ts';

const LIMITS = { bytes: 1, seconds: 100, ms: 1000 };
const RATE = 8000;

/** A second of sound whose channels all have this sample. */
const second = (sample: number, numberOfChannels = 1) => ({
  numberOfFrames: RATE,
  sampleRate: RATE,
  numberOfChannels,
  copyTo: (destination: Float32Array<ArrayBuffer>) => void destination.fill(sample),
});
const collector = (statedSeconds = 0, now = () => 0, limits = LIMITS) =>
  createPeakCollector(limits, statedSeconds, { now, onProgress: () => {} });

describe('the collected peaks', () => {
  it('are of all channels, up to 32', () => {
    const found = collector();
    expect(found.take(second(0.5, 32), 0)).toBe(true);
    expect(found.result('complete')).toMatchObject({ kind: 'peaks', end: 'complete', readSeconds: 1 });
  });

  it('are none for more channels, without memory for them', () => {
    const found = collector();
    const sound = {
      ...second(0.5, 65_535),
      copyTo: () => {
        throw new Error('was read');
      },
    };
    expect(found.take(sound, 0)).toBe(false);
    expect(found.result(found.stopped() ?? 'complete')).toEqual({ kind: 'none', reason: 'damaged' });
  });

  it('have silence where a part is missing', () => {
    const found = collector();
    found.take(second(0.5), 0);
    found.take(second(0.5), 3);
    expect(found.result('complete')).toMatchObject({ readSeconds: 4 });
  });

  it('end as damaged when more is missing than is read at all', () => {
    const found = collector();
    found.take(second(0.5), 0);
    expect(found.take(second(0.5), 5000)).toBe(false);
    expect(found.stopped()).toBe('damaged');
  });

  it('end at the limits of seconds and of time, and say which', () => {
    const short = collector(0, () => 0, { ...LIMITS, seconds: 2 });
    expect([short.take(second(0.5), 0), short.take(second(0.5), 1), short.stopped()]).toEqual([true, false, 'limit']);
    let time = 0;
    const slow = collector(0, () => time);
    time = 1001;
    expect([slow.take(second(0.5), 0), slow.stopped()]).toEqual([false, 'broken-off']);
  });

  it('are damaged when the recording is much shorter than its stated length', () => {
    for (const [stated, end] of [
      [2.9, 'complete'],
      [3.1, 'damaged'],
    ] as const) {
      const found = collector(stated);
      found.take(second(0.5), 0);
      expect(found.result('complete')).toMatchObject({ end });
    }
  });

  it('are none without sound: for now when it could not be read, otherwise finally', () => {
    expect(collector().result('broken-off')).toEqual({ kind: 'none', reason: 'unreachable' });
    expect(collector().result('size-limit')).toEqual({ kind: 'none', reason: 'unreachable' });
    expect(collector().result('complete')).toEqual({ kind: 'none', reason: 'damaged' });
  });
});
