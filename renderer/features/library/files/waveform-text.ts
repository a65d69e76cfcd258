import { clippedPieces, isSilent, longSilences } from '../../../../shared/model/waveform/waveform-marks.ts';
import { formatDuration } from '../../../kit/text/format.ts';
import type { KnownWaveform } from '../state/waveforms/waveform-store.ts';
import { texts } from './texts.ts';

/** Returns what a waveform shows, in words: silences, clipped sound, and why a part or all of it is missing. */
export function waveformFacts({ result, isReading }: KnownWaveform): string[] {
  const words = texts.player.waveform;
  if (isReading) return [words.reading];
  if (result.kind === 'none') return [words.none[result.reason]];
  const silences = longSilences(result).length;
  return [
    ...(isSilent(result) ? [words.silent] : silences > 0 ? [words.silences(silences)] : []),
    ...(clippedPieces(result) > 0 ? [words.clipped] : []),
    ...(result.end === 'complete' ? [] : [words.ends[result.end](formatDuration(result.readSeconds))]),
  ];
}
