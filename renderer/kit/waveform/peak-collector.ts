import { createPeakReducer, type PeakReducer } from '../../../shared/model/waveform/peak-reducer.ts';
import type { Waveform, WaveformResult } from '../../../shared/model/waveform/waveform.ts';

/** What may be used for one recording. What was read until then is shown. */
export interface WaveformLimits {
  bytes: number;
  /** Seconds of the recording. */
  seconds: number;
  /** Milliseconds of work. */
  ms: number;
}

/** What collecting needs of its surroundings. */
export interface CollectorTools {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Called with what was read so far. */
  onProgress(waveform: Waveform): void;
}

/** Decoded sound, by WebCodecs or by the reader of containers. */
interface Sound {
  numberOfFrames: number;
  numberOfChannels: number;
  sampleRate: number;
  copyTo(destination: Float32Array<ArrayBuffer>, options: { format: 'f32-planar'; planeIndex: number }): void;
}

/** Collects the peaks of decoded sound, within the limits. */
export interface PeakCollector {
  /** Takes sound that begins at a time in seconds; null: where the last one ended. Returns false when no more is needed. */
  take(sound: Sound, atSeconds: number | null): boolean;
  /** The sound continues at this time: what is missing counts as silence. */
  continueAt(seconds: number): void;
  /** Why no more was taken. */
  stopped(): 'limit' | 'broken-off' | 'damaged' | null;
  result(end: Waveform['end']): WaveformResult;
}

/** A file with more channels is not read: each needs memory, and no recording has so many. */
export const MAX_CHANNELS = 32;
const PROGRESS_MS = 250;
/** A shorter gap is a rounding of times. */
const GAP_SECONDS = 0.25;
/** When so much of the stated length is missing at the end, the recording was cut off. */
const MISSING_SHARE = 0.02;
const MISSING_SECONDS = 2;

/** `statedSeconds`: the length of the recording, before it is known exactly; 0: unknown. */
export function createPeakCollector(
  limits: WaveformLimits,
  statedSeconds: number,
  { now, onProgress }: CollectorTools,
): PeakCollector {
  const startedAt = now();
  let shownAt = startedAt;
  let reducer: { rate: number; peaks: PeakReducer } | null = null;
  let stop: ReturnType<PeakCollector['stopped']> = null;
  const planes: Float32Array<ArrayBuffer>[] = [];

  function add(sound: Sound, peaks: PeakReducer): void {
    const { numberOfChannels, numberOfFrames } = sound;
    for (let planeIndex = 0; planeIndex < numberOfChannels; planeIndex += 1) {
      let plane = planes[planeIndex];
      if (plane === undefined || plane.length < numberOfFrames) {
        plane = new Float32Array(numberOfFrames);
        planes[planeIndex] = plane;
      }
      sound.copyTo(plane.subarray(0, numberOfFrames), { format: 'f32-planar', planeIndex });
    }
    peaks.add(numberOfChannels === planes.length ? planes : planes.slice(0, numberOfChannels), numberOfFrames);
  }

  function continueAt(seconds: number): void {
    if (reducer === null) return;
    const { rate, peaks } = reducer;
    const missing = seconds - peaks.frames() / rate;
    if (missing > limits.seconds) stop = 'damaged';
    else if (missing > GAP_SECONDS) peaks.addSilence(Math.round(missing * rate));
  }

  function result(end: Waveform['end']): WaveformResult {
    const peaks = reducer?.peaks.peaks();
    if (peaks === undefined || peaks.lowest.length === 0) {
      return { kind: 'none', reason: end === 'damaged' || end === 'complete' ? 'damaged' : 'unreachable' };
    }
    const { readSeconds } = peaks;
    const isCut = statedSeconds - readSeconds > Math.max(MISSING_SECONDS, statedSeconds * MISSING_SHARE);
    const isWhole = end === 'complete' && !isCut;
    const totalSeconds = isWhole ? readSeconds : Math.max(statedSeconds, readSeconds);
    return { kind: 'peaks', ...peaks, totalSeconds, end: isWhole || end !== 'complete' ? end : 'damaged' };
  }

  function reportProgress(): void {
    const soFar = result('limit');
    if (soFar.kind === 'peaks') onProgress(soFar);
  }

  return {
    take(sound, atSeconds) {
      reducer ??= { rate: sound.sampleRate, peaks: createPeakReducer(sound.sampleRate) };
      const { rate, peaks } = reducer;
      // A file may change its rate in the middle: its times no longer fit the pieces.
      if (sound.sampleRate !== rate || sound.numberOfChannels > MAX_CHANNELS) stop = 'damaged';
      else if (atSeconds !== null) continueAt(atSeconds);
      if (stop !== null) return false;
      add(sound, peaks);
      const time = now();
      if (peaks.frames() >= limits.seconds * rate) stop = 'limit';
      else if (time - startedAt > limits.ms) stop = 'broken-off';
      if (stop === null && time - shownAt >= PROGRESS_MS) {
        shownAt = time;
        reportProgress();
      }
      return stop === null;
    },
    continueAt,
    stopped: () => stop,
    result,
  };
}
