import { htmlToText, WORDS } from '../../../shared/api/html-text.ts';

/** Only the beginning of a page is read, because messages are truncated to less. */
const MAX_CHARS = 100_000;

/** Converts an answer that may be an HTML page to its text in one line. Takes linear time for any text. */
export function plainWords(text: string): string {
  return htmlToText(text.slice(0, MAX_CHARS), WORDS).replaceAll('\n', ' ');
}
