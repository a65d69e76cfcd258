import { describe, expect, it } from 'vitest';
import { readVersions } from '../../../../../../../renderer/features/library/state/waveforms/read-versions.ts';
import type { NoWaveform, WaveformResult } from '../../../../../../../shared/model/waveform/waveform.ts';

const none = (reason: NoWaveform): WaveformResult => ({ kind: 'none', reason });
const peaks = { kind: 'peaks' } as WaveformResult;

/** Reads versions with these results, by their places. */
async function outcome(...results: (WaveformResult | null)[]) {
  const read: number[] = [];
  const found = await readVersions(
    results.map((_, place) => place),
    async (place) => {
      read.push(place);
      return results[place] ?? null;
    },
  );
  return { found, read };
}

describe('the versions of a recording', () => {
  it('have the result of the second one when this computer can’t decode the first', async () => {
    expect(await outcome(none('undecodable'), peaks)).toEqual({ found: { version: 1, result: peaks }, read: [0, 1] });
    expect((await outcome(none('unknown-format'), none('damaged'))).found?.result).toEqual(none('damaged'));
  });

  it('have no result when the second one was ended, although the first one has a final reason', async () => {
    expect(await outcome(none('undecodable'), null)).toEqual({ found: null, read: [0, 1] });
  });

  it('have the reason of the second one when it could not be read now', async () => {
    expect((await outcome(none('undecodable'), none('unreachable'))).found?.result).toEqual(none('unreachable'));
  });

  it('are not read after one with a waveform, or with a reason that all share', async () => {
    for (const result of [peaks, none('no-sound'), none('damaged'), none('unreachable')]) {
      expect((await outcome(result, peaks)).read).toEqual([0]);
    }
  });

  it('are at most two', async () => {
    const { found, read } = await outcome(none('undecodable'), none('undecodable'), peaks);
    expect(found).toEqual({ version: 1, result: none('undecodable') });
    expect(read).toEqual([0, 1]);
    expect((await outcome()).found).toBeNull();
  });
});
