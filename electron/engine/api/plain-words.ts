import { htmlPieces } from '../../../shared/model/html-pieces.ts';

/** What is read of a page at most: a message is cut much earlier. */
const MAX_CHARS = 100_000;
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style']);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * The words of a text that may be an HTML page, in one line. Not for showing as HTML: it stays text. Takes linear time,
 * whatever a server sends.
 */
export function plainWords(text: string): string {
  const kept: string[] = [];
  for (const piece of htmlPieces(text.slice(0, MAX_CHARS), HIDDEN)) {
    kept.push(piece.kind === 'text' || piece.kind === 'unclosed' ? piece.text : ' ');
  }
  return kept
    .join('')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
