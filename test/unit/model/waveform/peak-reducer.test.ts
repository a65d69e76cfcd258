import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPeakReducer, MAX_PIECES } from '../../../../shared/model/waveform/peak-reducer.ts';
import { FULL_SCALE } from '../../../../shared/model/waveform/waveform.ts';

const sampleArbitrary = fc.oneof(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.constantFrom(0, 1, -1, 1.4, -1.4, Number.NaN, Number.POSITIVE_INFINITY),
);

/** Returns the peaks of one channel set, sample by sample: the slow way. */
function slowPeaks(channels: readonly (readonly number[])[], framesPerPiece: number) {
  const frames = channels[0]?.length ?? 0;
  return Array.from({ length: Math.ceil(frames / framesPerPiece) }, (_, piece) => {
    let [lowest, highest, clipped] = [0, 0, 0];
    for (const channel of channels) {
      for (let frame = piece * framesPerPiece; frame < Math.min(frames, (piece + 1) * framesPerPiece); frame += 1) {
        const sample = Math.fround(channel[frame] ?? 0);
        if (sample < lowest) lowest = sample;
        if (sample > highest) highest = sample;
        const isFull = (at: number) => at >= 0 && Math.abs(Math.fround(channel[at] ?? 0)) >= 0.9995;
        if (isFull(frame) && isFull(frame - 1) && isFull(frame - 2)) clipped = 1;
      }
    }
    const scaled = (sample: number) => Math.round(FULL_SCALE * Math.min(1, Math.max(-1, sample))) + 0;
    return { lowest: scaled(lowest), highest: scaled(highest), clipped };
  });
}

function reduced(channels: readonly (readonly number[])[], chunks: readonly number[], sampleRate: number) {
  const reducer = createPeakReducer(sampleRate);
  const frames = channels[0]?.length ?? 0;
  let at = 0;
  for (let turn = 0; at < frames; turn += 1) {
    const end = Math.min(frames, at + (chunks[turn % chunks.length] ?? 1));
    reducer.add(
      channels.map((channel) => Float32Array.from(channel.slice(at, end))),
      end - at,
    );
    at = end;
  }
  return reducer.peaks();
}

const piecesOf = ({ lowest, highest, clipped }: ReturnType<typeof reduced>) =>
  Array.from(lowest, (low, piece) => ({ lowest: low + 0, highest: highest[piece], clipped: clipped[piece] }));

describe('the reduction of samples to peaks', () => {
  it('equals the peaks computed sample by sample, whatever the pieces in which the samples come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(sampleArbitrary, { minLength: 300, maxLength: 300 }), { minLength: 1, maxLength: 3 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(100, 250, 1000),
        (channels, chunks, sampleRate) => {
          const peaks = reduced(channels, chunks, sampleRate);
          const framesPerPiece = Math.round(peaks.pieceSeconds * sampleRate);
          expect(piecesOf(peaks)).toEqual(slowPeaks(channels, framesPerPiece));
          expect(peaks.readSeconds).toBeCloseTo(300 / sampleRate);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('stays within its limit for a long recording, and joins pieces without losing a peak', () => {
    const samples = Array.from({ length: 5 * MAX_PIECES + 17 }, (_, frame) => Math.sin(frame) * ((frame % 97) / 97));
    samples.fill(1, 9000, 9004);
    const peaks = reduced([samples], [333], 100);
    expect(peaks.lowest.length).toBeLessThanOrEqual(MAX_PIECES);
    expect(peaks.lowest.length).toBeGreaterThan(MAX_PIECES / 2);
    const framesPerPiece = Math.round(peaks.pieceSeconds * 100);
    expect(piecesOf(peaks)).toEqual(slowPeaks([samples], framesPerPiece));
    expect(peaks.clipped.reduce((sum, each) => sum + each, 0)).toBe(1);
  });

  it('shows a gap as silence, even one of many hours', () => {
    const reducer = createPeakReducer(8000);
    reducer.add([Float32Array.from({ length: 8000 }, () => 0.5)], 8000);
    reducer.addSilence(8000 * 3600 * 12);
    reducer.add([Float32Array.from({ length: 8000 }, () => -0.5)], 8000);
    const { lowest, highest, readSeconds } = reducer.peaks();
    expect(readSeconds).toBe(12 * 3600 + 2);
    expect(highest[0]).toBe(Math.round(FULL_SCALE / 2));
    expect(lowest.at(-1)).toBe(Math.round(-FULL_SCALE / 2));
    expect([...highest.slice(1)].every((sample) => sample === 0)).toBe(true);
  });

  it('has no pieces without samples', () => {
    expect(createPeakReducer(44_100).peaks().lowest).toHaveLength(0);
  });
});
