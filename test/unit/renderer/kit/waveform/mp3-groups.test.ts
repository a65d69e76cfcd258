import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMp3Groups, type Mp3Group } from '../../../../../renderer/kit/waveform/mp3-groups.ts';

/** A frame of MPEG 1 layer III: 128 kbit/s, 44.1 kHz, stereo, filled with a number. */
function frame(fill: number): Uint8Array {
  const bytes = new Uint8Array(417).fill(fill);
  bytes.set([0xff, 0xfb, 0x90, 0x00]);
  return bytes;
}

const joined = (parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const frames = (count: number) => Array.from({ length: count }, (_, index) => frame(1 + (index % 200)));

function cut(bytes: Uint8Array, lengths: readonly number[] = [bytes.length]): Mp3Group[] {
  const groups = createMp3Groups();
  const found: Mp3Group[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    found.push(...groups.add(bytes.subarray(at, at + length)));
    at += length;
  }
  return [...found, ...groups.end()];
}
const soundOf = (groups: readonly Mp3Group[]) => joined(groups.map(({ data }) => data));

describe('the groups of MP3 frames', () => {
  it('contain all frames in their order, with the time of each group', () => {
    const groups = cut(joined(frames(150)));
    expect(soundOf(groups)).toEqual(joined(frames(150)));
    expect(groups.map(({ startSample }) => startSample)).toEqual([0, 64 * 1152, 128 * 1152]);
  });

  it('do not depend on the pieces in which the bytes arrive', () => {
    const tag = Uint8Array.of(0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 2, 0, ...Array(256).fill(0xff));
    const bytes = joined([tag, ...frames(70), Uint8Array.of(0x54, 0x41, 0x47, ...Array(125).fill(32))]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 6 }), (lengths) => {
        expect(cut(bytes, lengths)).toEqual(cut(bytes));
      }),
      { numRuns: 40 },
    );
    expect(soundOf(cut(bytes))).toEqual(joined(frames(70)));
  });

  it('leave out bytes between frames that are none, and go on after them', () => {
    const noise = Uint8Array.from({ length: 700 }, (_, index) => (index % 5 === 0 ? 0xff : 0xfb));
    const found = soundOf(cut(joined([...frames(5), noise, ...frames(5)])));
    expect(found.length).toBeGreaterThanOrEqual(9 * 417);
    expect(found.length).toBeLessThanOrEqual(10 * 417);
  });

  it('are none for a text, and for a tag that is longer than the file', () => {
    expect(cut(new TextEncoder().encode('no sound '.repeat(500)))).toEqual([]);
    expect(cut(Uint8Array.of(0x49, 0x44, 0x33, 3, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f, ...frame(1)))).toEqual([]);
  });

  it('are found in files of real programs', () => {
    for (const name of ['ff23.mp3', 'v23_unsync.mp3', 'itunes_v24_badsize.mp3']) {
      const bytes = readFileSync(join(import.meta.dirname, '../../../../fixtures/media', name));
      const groups = cut(bytes, [1000]);
      expect(groups, name).toEqual(cut(bytes));
      expect(groups.length, name).toBeGreaterThan(0);
    }
  });
});
