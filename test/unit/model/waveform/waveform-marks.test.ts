import { describe, expect, it } from 'vitest';
import type { Waveform } from '../../../../shared/model/waveform/waveform.ts';
import { clippedPieces, columnsOf, isSilent, longSilences } from '../../../../shared/model/waveform/waveform-marks.ts';

/** A waveform with a piece for each second. */
function waveform(levels: readonly number[], change: Partial<Waveform> = {}): Waveform {
  return {
    kind: 'peaks',
    pieceSeconds: 1,
    readSeconds: levels.length,
    totalSeconds: levels.length,
    end: 'complete',
    lowest: Int16Array.from(levels, (level) => -level),
    highest: Int16Array.from(levels),
    clipped: new Uint8Array(levels.length),
    ...change,
  };
}
const seconds = (count: number, level: number) => Array.from({ length: count }, () => level);

describe('the marks of a waveform', () => {
  it('contain silences of at least 5 seconds, with noise below -60 dB, also at both ends', () => {
    const levels = [...seconds(5, 20), 9000, ...seconds(4, 0), 9000, ...seconds(6, 32), 9000, ...seconds(7, 34)];
    expect(longSilences(waveform(levels))).toEqual([
      { from: 0, to: 5 },
      { from: 11, to: 17 },
    ]);
    expect(longSilences(waveform(seconds(8, 0)))).toEqual([{ from: 0, to: 8 }]);
  });

  it('say that a recording is silent only when no piece of it can be heard', () => {
    expect(isSilent(waveform(seconds(3, 10)))).toBe(true);
    expect(isSilent(waveform([0, 0, 40]))).toBe(false);
    expect(isSilent(waveform([]))).toBe(false);
  });

  it('count clipped pieces', () => {
    expect(clippedPieces(waveform(seconds(3, 1), { clipped: Uint8Array.of(1, 0, 1) }))).toBe(2);
  });
});

describe('the columns of a waveform', () => {
  it('show the highest peak of their pieces when there are fewer columns than pieces', () => {
    const columns = columnsOf(waveform([100, 32_767, 5, 7], { clipped: Uint8Array.of(0, 1, 0, 0) }), 2);
    expect(columns.map((column) => column?.high)).toEqual([1, 7 / 32_767]);
    expect(columns.map((column) => column?.isClipped)).toEqual([true, false]);
  });

  it('repeat pieces when there are more columns than pieces', () => {
    expect(columnsOf(waveform([10, 20]), 4).map((column) => Math.round(32_767 * (column?.high ?? 0)))).toEqual([
      10, 10, 20, 20,
    ]);
  });

  it('are empty after the part that was read, when the recording is longer', () => {
    const part = waveform([10, 20], { totalSeconds: 8, end: 'limit' });
    expect(columnsOf(part, 8).map((column) => column !== null)).toEqual([true, true, ...Array(6).fill(false)]);
    expect(columnsOf(waveform([10, 20]), 4, 4).map((column) => column !== null)).toEqual([true, true, false, false]);
  });
});
