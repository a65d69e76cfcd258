/** Maximum length of the name of an element with its prefix. */
const MOST_NAME_CHARS = 200;
const NAME = /^<(?:[\p{L}_][\p{L}\p{N}._-]*:)?(\p{L}+)(?=[\s/>])/u;

/** Returns whether the root element is `tt`, after everything that XML allows before it. Takes linear time. */
export function isDfxp(text: string): boolean {
  let at = 0;
  for (let end = behindMisc(text, at); end > at; end = behindMisc(text, at)) at = behindBlanks(text, end);
  return nameAt(text, at) === 'tt';
}

/** Returns whether a TTML document shows something: a paragraph with a text, or a picture in a `div`. Takes linear time. */
export function hasDfxpCue(text: string): boolean {
  let isParagraph = false;
  for (let at = text.indexOf('<'); at >= 0; ) {
    const end = text.startsWith('<!--', at) ? behind(text, '-->', at + 4) : behind(text, '>', at + 1);
    const tag = text.slice(at, Math.min(end, at + 4096));
    if (tag.startsWith('</')) {
      if (/^<\/(?:[^\s>:]{0,200}:)?p\s*>$/u.test(tag)) isParagraph = false;
    } else if (nameAt(text, at) === 'p') isParagraph = !tag.endsWith('/>');
    if (/:backgroundImage\s*=/.test(tag)) return true;
    const next = text.indexOf('<', end);
    if (isParagraph && text.slice(end, next < 0 ? text.length : next).trim() !== '') return true;
    at = next;
  }
  return false;
}

/** Returns the name of the element that begins at a position, without its prefix; null without one. */
function nameAt(text: string, at: number): string | null {
  return NAME.exec(text.slice(at, at + MOST_NAME_CHARS))?.[1] ?? null;
}

/**
 * Returns the position after the declaration, processing instruction, comment or document type that begins at `at`; `at` itself
 * when there is none. A document type that defines entities is not accepted.
 */
function behindMisc(text: string, at: number): number {
  if (text.startsWith('<?', at)) return behind(text, '?>', at + 2);
  if (text.startsWith('<!--', at)) return behind(text, '-->', at + 4);
  if (!text.startsWith('<!DOCTYPE', at)) return at;
  const end = behind(text, '>', at + 9);
  return text.slice(at, end).includes('[') ? at : end;
}

/** Returns the position after the next occurrence of `wanted`, or the end of the text. */
function behind(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found + wanted.length;
}

function behindBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}
