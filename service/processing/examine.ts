import { readFile } from 'node:fs/promises';
import {
  CaptionsError,
  type CaptionsProblem,
  MAX_CAPTIONS_BYTES,
  readCaptions,
} from '../../shared/formats/captions/read-captions.ts';
import { BrokenFile, type Facts } from './headers/facts.ts';
import { readHeader } from './headers/read-header.ts';
import type { Original } from './order.ts';
import type { Tools } from './tools/find-tools.ts';
import { probe } from './tools/media-tools.ts';
import { PlaceFailed } from './tools/place-failed.ts';

/**
 * Determines the format of an original from its bytes. Throws `BrokenFile` when they do not match its type. Our own header
 * parsers decide the format first, because the tools would also follow playlists and scripts. If ffprobe is available, it then
 * reads audio and video as exactly that format.
 */
export async function examine(row: Original, path: string, tools: Tools, signal: AbortSignal): Promise<Facts | null> {
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
    if (signal.aborted || error instanceof PlaceFailed) throw error;
    throw new BrokenFile(error instanceof Error ? error.message : 'The content can not be read.');
  }
}

const CAPTIONS_PROBLEMS: Readonly<Record<CaptionsProblem, string>> = {
  unknown: 'The captions are neither SRT, WebVTT nor DFXP.',
  empty: 'The captions have no text.',
  'vtt-encoding': 'WebVTT must be in UTF-8.',
  'vtt-first-line': 'WebVTT must begin with WEBVTT.',
  'vtt-times': 'The WebVTT has times that players can not read.',
  'vtt-lines': 'The WebVTT has texts that players leave out: there are blank lines behind times.',
};

/** Throws `BrokenFile` for captions that players would show in part or not at all. */
async function checkCaptions(row: Original, path: string): Promise<void> {
  if (row.size > MAX_CAPTIONS_BYTES) throw new BrokenFile('The captions are too large.');
  try {
    readCaptions(await readFile(path));
  } catch (error) {
    if (!(error instanceof CaptionsError)) throw error;
    const other = error.format === null ? '' : ` Their format is ${error.format}.`;
    throw new BrokenFile(`${CAPTIONS_PROBLEMS[error.problem]}${other}`);
  }
}
