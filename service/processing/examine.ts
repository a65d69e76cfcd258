import { readFile } from 'node:fs/promises';
import type { FileRow } from '../resources/files/file-row.ts';
import { captionsFormat, captionsText, isUtf16, MAX_CAPTIONS_BYTES } from './headers/captions.ts';
import { BrokenFile, type Facts } from './headers/facts.ts';
import { readHeader } from './headers/read-header.ts';
import type { Tools } from './tools/find-tools.ts';
import { probe } from './tools/media-tools.ts';

/**
 * Determines the format of an original from its bytes. Throws `BrokenFile` when they do not match its type. Our own header
 * parsers decide the format first, because the tools would also follow playlists and scripts. If ffprobe is available, it then
 * reads audio and video as exactly that format.
 */
export async function examine(row: FileRow, path: string, tools: Tools, signal: AbortSignal): Promise<Facts | null> {
  if (row.type === 'blob' || row.type === 'winnov_asset') return null;
  if (row.size === 0) throw new BrokenFile('The file is empty.');
  if (row.type === 'captions') {
    await checkCaptions(row, path);
    return null;
  }
  const read = await readHeader(path);
  if (!read) throw new BrokenFile(`The content is of no format that is known for the type ${row.type}.`);
  const plays = read.kind === 'video' || read.kind === 'audio';
  const facts = plays && tools.ffprobe ? await probed(tools.ffprobe, path, read, signal) : read;
  const fits = facts.kind === row.type || (row.type === 'audio' && facts.kind === 'video');
  if (!fits) throw new BrokenFile(`The content is ${facts.format} and not of type ${row.type}.`);
  return facts;
}

async function probed(ffprobe: string, path: string, read: Facts, signal: AbortSignal): Promise<Facts> {
  try {
    const found = await probe(ffprobe, { path, format: read.format }, signal);
    return { ...found, durationS: found.durationS ?? read.durationS };
  } catch (error) {
    if (signal.aborted) throw error;
    throw new BrokenFile(error instanceof Error ? error.message : 'The content can not be read.');
  }
}

async function checkCaptions(row: FileRow, path: string): Promise<void> {
  if (row.size > MAX_CAPTIONS_BYTES) throw new BrokenFile('The captions are too large.');
  const bytes = await readFile(path);
  const format = captionsFormat(captionsText(bytes));
  if (!format) throw new BrokenFile('The captions are neither SRT, WebVTT nor DFXP.');
  // Players get WebVTT unchanged and read it as UTF-8 only.
  if (format === 'vtt' && isUtf16(bytes)) throw new BrokenFile('WebVTT must be in UTF-8.');
}
