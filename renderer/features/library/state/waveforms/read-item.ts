import type { MediaFile } from '../../../../../shared/api/files.ts';
import { contentAddress } from '../../../../../shared/contract/content-address.ts';
import { computeWaveform } from '../../../../kit/waveform/compute-waveform.ts';
import type { WaveformLimits } from '../../../../kit/waveform/peak-collector.ts';
import { bestVersions, type Playable } from '../files/playable.ts';
import { readVersions } from './read-versions.ts';
import { isFinal, type KnownWaveform, type SoundRef, storeWaveform, takeWaveform } from './waveform-store.ts';

/** The versions of one recording of an item. */
export interface ItemSound extends SoundRef {
  /** `modified_on`; empty when unknown. */
  itemVersion: string;
  versions: readonly Playable[];
}

interface Reading {
  limits: WaveformLimits;
  /** Ends the transfer: what was read until then is dropped. */
  signal: AbortSignal;
  /** Called with the number of bytes that came since the last call. */
  onReceived?: (bytes: number) => void;
}

/** Returns the versions of a recording in the order in which they are tried: the smallest first, because all sound alike. */
export function bySize(versions: readonly Playable[]): Playable[] {
  const sizeOf = ({ file }: Playable) => file.size ?? Number.MAX_SAFE_INTEGER;
  return versions.filter(({ showing }) => showing === 'audio').sort((one, other) => sizeOf(one) - sizeOf(other));
}

/** Returns the versions of the recording that “Play” plays, if it is one without a picture. */
export function soundOf(files: readonly MediaFile[]): Playable[] {
  const versions = bestVersions(files);
  return versions[0]?.showing === 'audio' ? versions : [];
}

/** Returns whether a waveform belongs to the recording of an item: to any version of it. */
export function isOf({ fileId }: KnownWaveform, { versions }: Pick<ItemSound, 'versions'>): boolean {
  return versions.some(({ file }) => file.id === fileId);
}

/**
 * Reads the waveform of an item from the library, shows it while it is read, and stores it when it is final. Throws when the worker
 * fails.
 */
export async function readItem(item: ItemSound, { limits, signal, onReceived }: Reading): Promise<void> {
  const { siteId, mediaId, itemVersion } = item;
  let isPartShown = false;
  let read: Awaited<ReturnType<typeof readVersions<Playable>>> = null;
  try {
    read = await readVersions(bySize(item.versions), ({ file }) => {
      let received = 0;
      return computeWaveform({
        source: { address: contentAddress({ kind: 'media', siteId, mediaId, fileId: file.id }) },
        knownSeconds: file.duration ?? 0,
        limits,
        signal,
        onProgress: (result) => {
          isPartShown = true;
          takeWaveform(item, { fileId: file.id, itemVersion, result, isReading: true, isFinal: false });
        },
        onReceived: (bytes) => {
          onReceived?.(bytes - received);
          received = bytes;
        },
      });
    });
  } finally {
    // The reading was ended or failed: the part that is shown would stay as the waveform of the item.
    if (read === null && isPartShown) takeWaveform(item, null);
  }
  if (read === null) return;
  const { version, result } = read;
  const known = { fileId: version.file.id, itemVersion, result, isReading: false };
  const whole = { ...known, isFinal: isFinal(result, limits.bytes) };
  takeWaveform(item, whole);
  storeWaveform(item, whole);
}
