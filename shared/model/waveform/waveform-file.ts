// The file of a waveform in the cache: a fixed head, two texts and the peaks, little-endian.
//
//  0  4  `MDWF`
//  4  1  version
//  5  1  0: peaks; from 1: the reason why there are none, by its position in `NO_WAVEFORM`
//  6  1  the end, by its position in `WAVEFORM_ENDS`
//  7  1  unused
//  8  8  seconds of a piece
// 16  8  seconds that were read
// 24  8  seconds of the recording
// 32  4  number of pieces
// 36  2  bytes of the identifier of the file, 38  2  bytes of the version of the item
// 40     both texts in UTF-8, then all lowest samples, all highest samples (2 bytes each), and the clipped marks (1 byte each)
import { decoded, encoded } from '../../formats/text/decode.ts';
import { MAX_PIECES } from './peak-reducer.ts';
import { FULL_SCALE, NO_WAVEFORM, WAVEFORM_ENDS, type WaveformResult } from './waveform.ts';

/** A file of another version is computed again. */
export const WAVEFORM_FILE_VERSION = 1;
const MARK = 0x4657444d;
const HEAD = 40;
const MAX_TEXT = 2000;
/** The most bytes of such a file. */
export const MAX_WAVEFORM_BYTES = HEAD + 2 * MAX_TEXT + 5 * MAX_PIECES;

/** A waveform with the file that it was computed from. */
export interface StoredWaveform {
  /** The file of the library. Its bytes never change. */
  fileId: string;
  /** `modified_on` of the item when the waveform was last compared with its files; empty when unknown. */
  itemVersion: string;
  result: WaveformResult;
}

/** Returns the bytes of a file. A text that is too long is shortened, so that the waveform counts as one of another file. */
export function encodeWaveform({ fileId, itemVersion, result }: StoredWaveform): Uint8Array<ArrayBuffer> {
  const texts = [fileId, itemVersion].map((text) => encoded(text).subarray(0, MAX_TEXT));
  const [file, version] = texts as [Uint8Array, Uint8Array];
  const count = result.kind === 'peaks' ? result.lowest.length : 0;
  const bytes = new Uint8Array(HEAD + file.length + version.length + 5 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MARK, true);
  view.setUint8(4, WAVEFORM_FILE_VERSION);
  view.setUint8(5, result.kind === 'peaks' ? 0 : 1 + NO_WAVEFORM.indexOf(result.reason));
  view.setUint32(32, count, true);
  view.setUint16(36, file.length, true);
  view.setUint16(38, version.length, true);
  bytes.set(file, HEAD);
  bytes.set(version, HEAD + file.length);
  if (result.kind === 'none') return bytes;
  view.setUint8(6, WAVEFORM_ENDS.indexOf(result.end));
  view.setFloat64(8, result.pieceSeconds, true);
  view.setFloat64(16, result.readSeconds, true);
  view.setFloat64(24, result.totalSeconds, true);
  const at = HEAD + file.length + version.length;
  for (let piece = 0; piece < count; piece += 1) {
    view.setInt16(at + 2 * piece, result.lowest[piece] as number, true);
    view.setInt16(at + 2 * (count + piece), result.highest[piece] as number, true);
  }
  bytes.set(result.clipped, at + 4 * count);
  return bytes;
}

/** Returns the waveform in the bytes of a file; null for a file of another version, and for bytes that are no such file. */
export function decodeWaveform(bytes: Uint8Array): StoredWaveform | null {
  if (bytes.length < HEAD || bytes.length > MAX_WAVEFORM_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MARK || view.getUint8(4) !== WAVEFORM_FILE_VERSION) return null;
  const [kind, count] = [view.getUint8(5), view.getUint32(32, true)];
  const [fileLength, versionLength] = [view.getUint16(36, true), view.getUint16(38, true)];
  const at = HEAD + fileLength + versionLength;
  if (count > MAX_PIECES || bytes.length !== at + 5 * count) return null;
  const text = (from: number, to: number) => decoded(bytes.subarray(from, to), 'utf-8');
  const texts = { fileId: text(HEAD, HEAD + fileLength), itemVersion: text(HEAD + fileLength, at) };
  if (kind > 0) {
    const reason = NO_WAVEFORM[kind - 1];
    return reason === undefined || count > 0 ? null : { ...texts, result: { kind: 'none', reason } };
  }
  const end = WAVEFORM_ENDS[view.getUint8(6)];
  const [pieceSeconds, readSeconds, totalSeconds] = [8, 16, 24].map((from) => view.getFloat64(from, true)) as [
    number,
    number,
    number,
  ];
  const isLength = (seconds: number) => Number.isFinite(seconds) && seconds >= 0;
  if (end === undefined || count === 0 || !(pieceSeconds > 0)) return null;
  if (![pieceSeconds, readSeconds, totalSeconds].every(isLength)) return null;
  const sample = (from: number) => Math.max(-FULL_SCALE, view.getInt16(from, true));
  return {
    ...texts,
    result: {
      kind: 'peaks',
      pieceSeconds,
      readSeconds,
      totalSeconds,
      end,
      lowest: Int16Array.from({ length: count }, (_, piece) => sample(at + 2 * piece)),
      highest: Int16Array.from({ length: count }, (_, piece) => sample(at + 2 * (count + piece))),
      clipped: Uint8Array.from({ length: count }, (_, piece) => (bytes[at + 4 * count + piece] === 0 ? 0 : 1)),
    },
  };
}
