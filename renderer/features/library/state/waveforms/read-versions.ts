import type { NoWaveform, WaveformResult } from '../../../../../shared/model/waveform/waveform.ts';

/** After so many versions that this computer can't decode, the item has no waveform. */
const MAX_VERSIONS = 2;

/**
 * Reads the versions of a recording in their order, until one has a waveform or a reason that another version shares. Returns the
 * last one that was read with its result; null without versions, and when a reading was ended (`read` returned null): an earlier
 * version alone does not say that there is no waveform.
 */
export async function readVersions<V>(
  versions: readonly V[],
  read: (version: V) => Promise<WaveformResult | null>,
): Promise<{ version: V; result: WaveformResult } | null> {
  let last: { version: V; result: WaveformResult } | null = null;
  for (const version of versions.slice(0, MAX_VERSIONS)) {
    const result = await read(version);
    if (result === null) return null;
    last = { version, result };
    if (result.kind === 'peaks' || !isOtherVersionBetter(result.reason)) break;
  }
  return last;
}

const isOtherVersionBetter = (reason: NoWaveform) => reason === 'undecodable' || reason === 'unknown-format';
