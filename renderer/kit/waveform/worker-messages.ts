import type { Waveform } from '../../../shared/model/waveform/waveform.ts';
import type { ReadPeaks } from './read-peaks.ts';

/** What a worker reports: waveforms while it reads, with the number of bytes that came until then, and one result. */
export type WaveformReport =
  | { kind: 'progress'; waveform: Waveform; receivedBytes: number }
  | ({ kind: 'end' } & ReadPeaks);
