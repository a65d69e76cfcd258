import { splitFileName } from './title-template.ts';

/** Names that Windows reserves for devices, with any extension, also after blanks; the digits of ports can be superscripts. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/i;
/** Control characters of both blocks, line separators, marks of direction and byte order, and characters without a width. */
const INVISIBLE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu;
/** File systems allow 255 bytes; the rest is for the number of a second copy and for the temporary name. */
const MAX_BYTES = 200;

/**
 * Returns a name that every file system accepts, for a file with the name `displayName` in the library: no folder, no control,
 * direction or invisible characters, nothing that Windows refuses. The extension is that of the name, or the container.
 */
export function downloadName(displayName: string, container: string | null): string {
  const clean = withoutOuterDots(
    displayName
      .normalize('NFC')
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .replace(INVISIBLE, '')
      .replace(/[<>:"/\\|?*]/g, '_'),
  );
  const { stem, extension } = splitFileName(clean);
  const hasEnding = /^[a-z0-9]{1,8}$/i.test(extension);
  const isContainer = container !== null && /^[a-z0-9]{1,8}$/i.test(container);
  const ending = hasEnding ? `.${extension}` : isContainer ? `.${container.toLowerCase()}` : '';
  const name = shortened((hasEnding ? stem : clean) || 'file', MAX_BYTES - ending.length);
  return `${RESERVED.test(name) ? '_' : ''}${name}${ending}`;
}

/** The `number`th choice for a name: `name.mp4`, `name (2).mp4`. */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const { stem, extension } = splitFileName(name);
  return `${stem} (${number})${extension === '' ? '' : `.${extension}`}`;
}

/** Removes blanks and dots at both ends; Windows drops those at the end, and names that begin with a dot are hidden. */
function withoutOuterDots(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && /[\s.]/.test(text.charAt(start))) start += 1;
  while (end > start && /[\s.]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Cuts at a whole character. */
function shortened(text: string, maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += utf8Bytes(character.codePointAt(0) ?? 0);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept.trimEnd();
}

function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
