import { FULL_SCALE, shownSeconds, type Waveform } from './waveform.ts';

/** Sound below this part of full scale (-60 dB) counts as silence. */
const SILENCE = Math.round(FULL_SCALE / 1000);
/** A silence is marked from this length on. */
const LONG_SILENCE_SECONDS = 5;

/** A part of a recording, in seconds. */
export interface Span {
  from: number;
  to: number;
}

/** Returns whether a piece is silent. */
function isQuiet({ lowest, highest }: Waveform, piece: number): boolean {
  return (highest[piece] as number) <= SILENCE && (lowest[piece] as number) >= -SILENCE;
}

/** Returns the long silences, in their order. */
export function longSilences(waveform: Waveform): Span[] {
  const { lowest, pieceSeconds, readSeconds } = waveform;
  const found: Span[] = [];
  let start: number | null = null;
  for (let piece = 0; piece <= lowest.length; piece += 1) {
    if (piece < lowest.length && isQuiet(waveform, piece)) {
      start ??= piece;
      continue;
    }
    if (start === null) continue;
    const span = { from: start * pieceSeconds, to: Math.min(piece * pieceSeconds, readSeconds) };
    if (span.to - span.from >= LONG_SILENCE_SECONDS) found.push(span);
    start = null;
  }
  return found;
}

/** Returns whether nothing can be heard in the whole part that was read. */
export function isSilent(waveform: Waveform): boolean {
  for (let piece = 0; piece < waveform.lowest.length; piece += 1) if (!isQuiet(waveform, piece)) return false;
  return waveform.lowest.length > 0;
}

/** Returns the number of pieces with clipped samples. */
export function clippedPieces({ clipped }: Waveform): number {
  return clipped.reduce((sum, each) => sum + each, 0);
}

/** One column of a drawn waveform; -1 to 1. null: the recording was not read there. */
export type Column = { low: number; high: number; isClipped: boolean } | null;

/** Returns the columns of a waveform from left to right, over `total` seconds: the length of the recording unless given. */
export function columnsOf(waveform: Waveform, count: number, total = shownSeconds(waveform)): Column[] {
  const { lowest, highest, clipped, pieceSeconds, readSeconds } = waveform;
  return Array.from({ length: count }, (_, column) => {
    const [begin, end] = [(column / count) * total, ((column + 1) / count) * total];
    if (begin >= readSeconds) return null;
    const first = Math.min(lowest.length - 1, Math.floor(begin / pieceSeconds));
    const last = Math.max(first, Math.min(lowest.length, Math.ceil(end / pieceSeconds)) - 1);
    if (first < 0) return null;
    let [low, high, isClipped] = [0, 0, false];
    for (let piece = first; piece <= last; piece += 1) {
      low = Math.min(low, lowest[piece] as number);
      high = Math.max(high, highest[piece] as number);
      isClipped ||= clipped[piece] === 1;
    }
    return { low: low / FULL_SCALE, high: high / FULL_SCALE, isClipped };
  });
}
