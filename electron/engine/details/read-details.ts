import { extname } from 'node:path';
import { type DetailsResult, jsonDetails, textDetails } from '../../../shared/model/details/details-fields.ts';
import type { Files, OpenFile } from '../ports/files.ts';
import { filledFrom } from '../ports/filled-from.ts';
import { xmlDetails } from './xml-details.ts';

/** The largest file of each type, in bytes. */
const LARGEST: Readonly<Record<string, number>> = { '.json': 4 * 1024 * 1024, '.xml': 1024 * 1024, '.txt': 64 * 1024 };
// biome-ignore lint/suspicious/noControlCharactersInRegex: a file with them is no text
const NO_TEXT = /[\u0000-\u0008\u000e-\u001f]/;

/**
 * Reads the fields that a file has for its recording. Never throws for its contents. `name`: its extension selects the reader.
 */
export function readDetails(name: string, bytes: Uint8Array): DetailsResult {
  const type = extname(name).toLowerCase();
  if (bytes.length > (LARGEST[type] ?? 0)) return { kind: 'problem', code: 'details.too-large' };
  const text = textOf(bytes);
  if (text === null) return { kind: 'problem', code: 'details.encoding' };
  if (type === '.json') return jsonDetails(text);
  return type === '.xml' ? xmlDetails(text) : textDetails(text);
}

/** Returns the text without its byte order mark; null when it is not UTF-8 or has control characters. */
function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return NO_TEXT.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Reads a file on disk. Throws the errors of `Files`. */
export async function readDetailsFile(files: Files, path: string): Promise<DetailsResult> {
  const file = await files.open(path);
  try {
    return await readOpenDetails(file, path);
  } finally {
    await file.close();
  }
}

/**
 * Reads an open file, never more than the largest size of its type. `path`: its extension selects the reader. Throws the errors
 * of `OpenFile`.
 */
export async function readOpenDetails(file: OpenFile, path: string): Promise<DetailsResult> {
  const most = (LARGEST[extname(path).toLowerCase()] ?? 0) + 1;
  const { sizeBytes } = await file.facts();
  if (sizeBytes >= most) return { kind: 'problem', code: 'details.too-large' };
  // One byte more than the limit, to detect a file that grew.
  return readDetails(path, await filledFrom(file, new Uint8Array(sizeBytes + 1), 0));
}
