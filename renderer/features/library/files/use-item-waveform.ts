import { useEffect } from 'react';
import type { Played } from '../state/files/player-store.ts';
import { openWaveform } from '../state/waveforms/open-waveform.ts';
import { isOf } from '../state/waveforms/read-item.ts';
import { type KnownWaveform, knownWaveform, useWaveforms } from '../state/waveforms/waveform-store.ts';

/** Returns the waveform of the recording that the player shows, which is read meanwhile; null without one, and for a video. */
export function useItemWaveform(
  { siteId, mediaId, versions, playing, otherOriginalId }: Played,
  itemVersion: string,
): KnownWaveform | null {
  const known = useWaveforms((state) => knownWaveform({ siteId, mediaId, otherOriginalId }, state));
  const isSound = playing.showing === 'audio';
  // Another version of the same recording sounds alike.
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads once for each recording that is opened
  useEffect(
    () => (isSound ? openWaveform({ siteId, mediaId, otherOriginalId, itemVersion, versions }) : undefined),
    [siteId, mediaId, otherOriginalId, isSound],
  );
  return isSound && known && isOf(known, { versions }) ? known : null;
}
