import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PIECES } from '../../../../shared/model/waveform/peak-reducer.ts';
import { NO_WAVEFORM, WAVEFORM_ENDS, type Waveform } from '../../../../shared/model/waveform/waveform.ts';
import {
  decodeWaveform,
  encodeWaveform,
  MAX_WAVEFORM_BYTES,
  type StoredWaveform,
} from '../../../../shared/model/waveform/waveform-file.ts';

const peaks = (count: number, end: Waveform['end'] = 'complete'): Waveform => ({
  kind: 'peaks',
  pieceSeconds: 0.32,
  readSeconds: count * 0.32,
  totalSeconds: 100_000,
  end,
  lowest: Int16Array.from({ length: count }, (_, piece) => -(piece % 32_768)),
  highest: Int16Array.from({ length: count }, (_, piece) => piece % 32_768),
  clipped: Uint8Array.from({ length: count }, (_, piece) => piece % 2),
});
const stored = (result: StoredWaveform['result']): StoredWaveform => ({ fileId: 'é7/..', itemVersion: '2026', result });

describe('the file of a waveform', () => {
  it('returns what was stored, for each end and each reason', () => {
    for (const end of WAVEFORM_ENDS) {
      const waveform = stored(peaks(MAX_PIECES, end));
      const bytes = encodeWaveform(waveform);
      expect(decodeWaveform(bytes)).toEqual(waveform);
      expect(bytes.length).toBeLessThanOrEqual(MAX_WAVEFORM_BYTES);
    }
    for (const reason of NO_WAVEFORM) {
      const none = stored({ kind: 'none', reason });
      expect(decodeWaveform(encodeWaveform(none))).toEqual(none);
    }
  });

  it('is refused when it is cut off, longer, or of another version', () => {
    const bytes = encodeWaveform(stored(peaks(50)));
    for (let length = 0; length < bytes.length; length += 1) {
      expect(decodeWaveform(bytes.subarray(0, length)), `${length} bytes`).toBeNull();
    }
    expect(decodeWaveform(Uint8Array.of(...bytes, 0))).toBeNull();
    const other = bytes.slice();
    other[4] = 2;
    expect(decodeWaveform(other)).toBeNull();
  });

  it('never causes an error or a waveform out of range when bytes are damaged', () => {
    const bytes = encodeWaveform(stored(peaks(20)));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 6 }), (changes) => {
        const damaged = bytes.slice();
        for (const [at, byte] of changes) damaged[at] = byte;
        const result = decodeWaveform(damaged)?.result;
        if (result?.kind !== 'peaks') return;
        expect(result.lowest).toHaveLength(20);
        expect(result.pieceSeconds).toBeGreaterThan(0);
        expect(Number.isFinite(result.totalSeconds) && result.totalSeconds >= 0).toBe(true);
        expect([...result.clipped].every((mark) => mark <= 1)).toBe(true);
      }),
    );
  });
});
