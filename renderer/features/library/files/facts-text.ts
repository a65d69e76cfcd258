import type { Encoding, MediaFile } from '../../../../shared/api/files.ts';
import { formatBytes, formatDuration } from '../../../kit/text/format.ts';
import { typeWord } from '../../../kit/text/states.ts';
import { texts } from './texts.ts';

/** Returns the facts of the library about a file as short texts: type, container, dimensions, length, bitrate, size. */
export function factsOf(file: MediaFile | Encoding): string[] {
  const facts = [typeWord(file.type)];
  if (file.container) facts.push(file.container.toUpperCase());
  if (file.width !== null && file.height !== null) facts.push(`${file.width} × ${file.height}`);
  if (file.duration) facts.push(formatDuration(file.duration));
  if (file.max_bitrate) facts.push(texts.bitrate(formatBits(file.max_bitrate)));
  if (file.size !== null) facts.push(formatBytes(file.size));
  return facts;
}

/** `2.4 Mbit`: bits per second, as the API and players count. */
function formatBits(bits: number): string {
  return formatBytes(bits).replace(/ (k|M|G|T|P)?B$/, ' $1bit');
}

/** Joins the facts to one text that wraps only between facts, after the dot. */
export function factsText(facts: readonly string[]): string {
  return facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join('\u00a0· ');
}
