import { splitFileName } from './title-template.ts';

/** MIME types by file extension, for the header of the form part and for screens. */
export const MIME_TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  m4v: 'video/x-m4v',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  ts: 'video/mp2t',
  mts: 'video/mp2t',
  mxf: 'application/mxf',
  wmv: 'video/x-ms-wmv',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/opus',
  aif: 'audio/aiff',
  aiff: 'audio/aiff',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
  dfxp: 'application/ttml+xml',
  zip: 'application/zip',
};

/** Returns the MIME type for a file name; `application/octet-stream` for an unknown extension. */
export function mimeTypeOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return MIME_TYPES[fileName.slice(dot + 1).toLowerCase()] ?? 'application/octet-stream';
}

/** Extensions of caption files: SubRip, WebVTT and the two names of timed text. */
export const CAPTION_ENDINGS: ReadonlySet<string> = new Set(['srt', 'vtt', 'dfxp', 'ttml']);

/**
 * Returns the file type to request for a file that becomes an item of its own; undefined: the library detects it.
 *
 * By its extension, the library would detect `captions` for a caption file, and the API accepts captions only in the item of
 * their video. A captions file as an item needs the type of a download.
 */
export function standaloneFileType(fileName: string): 'blob' | undefined {
  return CAPTION_ENDINGS.has(splitFileName(fileName).extension.toLowerCase()) ? 'blob' : undefined;
}
