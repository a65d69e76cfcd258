import { FULL_SCALE, type Waveform } from './waveform.ts';

/** The most pieces of a waveform: more than a screen has columns. */
export const MAX_PIECES = 4096;
/** The first length of a piece; it doubles whenever there are too many pieces. */
const FIRST_PIECES_PER_SECOND = 100;
/** A decoder returns full scale as this or more. */
const CLIP_LEVEL = 0.9995;
/** So many samples in a row at full scale are a clipped peak; a single one can be a peak that just fits. */
const CLIP_RUN = 3;

type Peaks = Pick<Waveform, 'pieceSeconds' | 'lowest' | 'highest' | 'clipped' | 'readSeconds'>;

/** Reduces samples to peaks, in one pass and in memory that does not depend on the length. */
export interface PeakReducer {
  /** Adds samples of all channels, each of the same length: -1 to 1. NaN counts as silence. */
  add(channels: readonly Float32Array[], frames: number): void;
  /** Adds silence: a gap in the recording. */
  addSilence(frames: number): void;
  frames(): number;
  peaks(): Peaks;
}

/** Creates a reducer of samples at `sampleRate` per second. */
export function createPeakReducer(sampleRate: number): PeakReducer {
  const lowest = new Float32Array(MAX_PIECES);
  const highest = new Float32Array(MAX_PIECES);
  const clipped = new Uint8Array(MAX_PIECES);
  const runs: number[] = [];
  let framesPerPiece = Math.max(1, Math.round(sampleRate / FIRST_PIECES_PER_SECOND));
  /** The piece that is being filled, and the number of frames in it. */
  let at = 0;
  let filled = 0;
  let total = 0;

  /** Begins the next piece, and joins all pieces in pairs when there is no more room. */
  function nextPiece(): void {
    filled = 0;
    at += 1;
    if (at === MAX_PIECES) joinPairs();
  }

  function joinPairs(): void {
    for (let piece = 0; piece < MAX_PIECES / 2; piece += 1) {
      const [one, other] = [2 * piece, 2 * piece + 1];
      lowest[piece] = Math.min(lowest[one] as number, lowest[other] as number);
      highest[piece] = Math.max(highest[one] as number, highest[other] as number);
      clipped[piece] = (clipped[one] as number) | (clipped[other] as number);
    }
    at = MAX_PIECES / 2;
    for (const array of [lowest, highest, clipped]) array.fill(0, at);
    framesPerPiece *= 2;
  }

  /** Adds the samples `from` to `to` of a channel to the present piece. */
  function addPart(samples: Float32Array, from: number, to: number, channel: number): void {
    let low = lowest[at] as number;
    let high = highest[at] as number;
    let run = runs[channel] ?? 0;
    for (let index = from; index < to; index += 1) {
      const sample = samples[index] as number;
      if (sample < low) low = sample;
      if (sample > high) high = sample;
      if (sample >= CLIP_LEVEL || sample <= -CLIP_LEVEL) {
        run += 1;
        if (run >= CLIP_RUN) clipped[at] = 1;
      } else run = 0;
    }
    lowest[at] = low;
    highest[at] = high;
    runs[channel] = run;
  }

  return {
    add(channels, frames) {
      let from = 0;
      while (from < frames) {
        const to = Math.min(frames, from + framesPerPiece - filled);
        for (let channel = 0; channel < channels.length; channel += 1) {
          addPart(channels[channel] as Float32Array, from, to, channel);
        }
        filled += to - from;
        from = to;
        if (filled === framesPerPiece) nextPiece();
      }
      total += frames;
    },

    addSilence(frames) {
      runs.fill(0);
      let left = frames;
      while (left > 0) {
        const part = Math.min(left, framesPerPiece - filled);
        filled += part;
        left -= part;
        if (filled === framesPerPiece) nextPiece();
      }
      total += frames;
    },

    frames: () => total,

    peaks() {
      const count = filled > 0 ? at + 1 : at;
      const scaled = (values: Float32Array) =>
        Int16Array.from(values.subarray(0, count), (value) =>
          Math.round(FULL_SCALE * Math.min(1, Math.max(-1, value))),
        );
      return {
        pieceSeconds: framesPerPiece / sampleRate,
        lowest: scaled(lowest),
        highest: scaled(highest),
        clipped: clipped.slice(0, count),
        readSeconds: total / sampleRate,
      };
    },
  };
}
