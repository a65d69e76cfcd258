import type { WaveformLimits } from '../../../../kit/waveform/peak-collector.ts';
import { type ItemSound, isOf, readItem } from './read-item.ts';
import { dropWaveform, MOST_RECORDING_BYTES, readWaveform } from './waveform-store.ts';

/** The limits for a recording that the user opened. */
const OPENED: WaveformLimits = { bytes: MOST_RECORDING_BYTES, seconds: 4 * 3600, ms: 90_000 };

/**
 * Shows the waveform of a recording that the user opened: the stored one, or one that is read from the library now. Returns the
 * function that ends the reading, for when the user goes to another item. Nothing is repeated before the item is opened again.
 */
export function openWaveform(item: ItemSound): () => void {
  const ended = new AbortController();
  void readWaveform(item).then((known) => {
    const isReady = known?.isFinal === true && isOf(known, item);
    if (isReady || ended.signal.aborted) return;
    if (known && !isOf(known, item)) dropWaveform(item);
    return readItem(item, { limits: OPENED, signal: ended.signal });
  });
  return () => ended.abort();
}
