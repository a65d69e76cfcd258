import type { Bytes } from './bytes/bounded-bytes.ts';
import { frameAt } from './containers/mpeg-audio.ts';

/** How files of a format begin, each byte as one character. */
const STARTS = {
  png: ['\x89PNG\r\n\x1a\n'],
  jpeg: ['\xff\xd8\xff'],
  gif: ['GIF87a', 'GIF89a'],
  bmp: ['BM'],
  /** Also the camera formats that are built like TIFF. BigTIFF is another format. */
  tiff: ['II*\0', 'MM\0*'],
  /** WAV, AVI and WebP; above 4 GB; with numbers in the other order, such as AIFF. */
  riff: ['RIFF', 'RF64', 'BW64', 'RIFX', 'FORM'],
  matroska: ['\x1a\x45\xdf\xa3'],
  flac: ['fLaC'],
  ogg: ['OggS'],
  /** The key of a header partition; its status follows after two more bytes. */
  mxf: ['\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02'],
  flv: ['FLV'],
  asf: ['\x30\x26\xb2\x75'],
  mpeg: ['\0\0\x01\xba'],
  mpegvideo: ['\0\0\x01\xb3'],
  caf: ['caff'],
  pdf: ['%PDF-'],
  zip: ['PK\x03\x04'],
  gzip: ['\x1f\x8b'],
  /** Old Office files, and new ones with a password. */
  compound: ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
} as const satisfies Record<string, readonly string[]>;

/** Types of boxes that MP4, MOV, M4A, 3GP and HEIF begin with, after a size; QuickTime files may have no `ftyp`. */
const ISO_MEDIA_STARTS: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot']);

/** A format that its first bytes show. */
export type Signature = keyof typeof STARTS | 'iso-media' | 'mp3';

/** The number of first bytes that show every format. */
export const START_BYTES = 64;

/** Returns whether the first bytes of a file (`START_BYTES`) are those of a format. */
export function begins(start: Bytes, format: Signature): boolean {
  if (format === 'iso-media') return ISO_MEDIA_STARTS.has(start.text(4, 4));
  if (format === 'mp3') return start.text(0, 3) === 'ID3' || frameAt(start, 0) !== null;
  return STARTS[format].some((begin) => start.text(0, begin.length) === begin);
}

/** Readers accept a PDF whose mark is within so many bytes, after something else. */
export const PDF_MARK_WITHIN = 1024;

/** Returns whether the mark of a PDF is within the first bytes (`PDF_MARK_WITHIN`). */
export function hasPdfMark(start: Bytes): boolean {
  return start.text(0, PDF_MARK_WITHIN).includes(STARTS.pdf[0]);
}
