import type { HtmlToken } from './html-tokens.ts';

/** A paragraph that Word shows as an item of a list; its level from 1. */
const LIST_PARAGRAPH = /mso-list:\s*l\d{1,9}\s+level(\d)/;
/** The element with the bullet or the number of such a paragraph. */
const MARKER = /mso-list:\s*ignore/i;
const NUMBER = /^[(\s]*[0-9a-z]{1,5}[.)]/i;
const MARKER_CHARS = 20;
/** Elements that end a list. */
const BLOCKS: ReadonlySet<string> = new Set('p h1 h2 h3 h4 h5 h6 div table ul ol blockquote'.split(' '));

/**
 * Yields the tokens of HTML with the lists of Word as lists: in what Word copies, they are paragraphs, each with its bullet or number
 * as text. Other HTML is unchanged.
 */
export function* withWordLists(tokens: Iterable<HtmlToken>): Generator<HtmlToken> {
  const reading = new Reading();
  for (const token of tokens) yield* reading.take(token);
  yield* reading.endLists(0);
}

interface Marker {
  /** The name of its element. */
  name: string;
  text: string;
  depth: number;
}

class Reading {
  /** The open lists, the outer first. */
  readonly #lists: ('ul' | 'ol')[] = [];
  /** The level of a list paragraph whose marker was not read yet; null: none. */
  #awaited: number | null = null;
  #isInItem = false;
  /** The marker that is being read, and how many elements of its name are open. */
  #marker: Marker | null = null;

  *take(token: HtmlToken): Generator<HtmlToken> {
    if (this.#marker !== null) yield* this.#readMarker(token, this.#marker);
    else if (token.kind === 'open') yield* this.#open(token);
    else if (token.kind === 'close' && token.name === 'p' && this.#isInItem) {
      yield* this.#beginItem('ul');
      this.#isInItem = false;
    } else {
      if (token.kind === 'text' && token.text.trim() !== '') yield* this.#beginItem('ul');
      yield token;
    }
  }

  /** Closes the lists below a level. */
  *endLists(level: number): Generator<HtmlToken> {
    while (this.#lists.length > level) yield { kind: 'close', name: this.#lists.pop() as string };
  }

  *#open(token: Extract<HtmlToken, { kind: 'open' }>): Generator<HtmlToken> {
    const style = token.attributes.find(([name]) => name === 'style')?.[1].slice(0, 2000) ?? '';
    const level = LIST_PARAGRAPH.exec(style)?.[1];
    if (level !== undefined && token.name === 'p') {
      yield* this.#beginItem('ul');
      this.#awaited = Math.max(1, Number(level));
      this.#isInItem = true;
    } else if (this.#awaited !== null && MARKER.test(style)) this.#marker = { name: token.name, text: '', depth: 1 };
    else {
      if (BLOCKS.has(token.name)) {
        this.#isInItem = false;
        yield* this.endLists(0);
      }
      yield token;
    }
  }

  *#readMarker(token: HtmlToken, marker: Marker): Generator<HtmlToken> {
    if (token.kind === 'text' && marker.text.length < MARKER_CHARS) marker.text += token.text.slice(0, MARKER_CHARS);
    else if (token.kind === 'open' && token.name === marker.name) marker.depth += 1;
    else if (token.kind === 'close' && token.name === marker.name) marker.depth -= 1;
    else if (token.kind === 'close' && token.name === 'p') marker.depth = 0;
    if (marker.depth > 0) return;
    this.#marker = null;
    yield* this.#beginItem(NUMBER.test(marker.text) ? 'ol' : 'ul');
  }

  /** Begins the item of the awaited paragraph, in a list of this kind at its level. */
  *#beginItem(kind: 'ul' | 'ol'): Generator<HtmlToken> {
    const level = this.#awaited;
    if (level === null) return;
    this.#awaited = null;
    yield* this.endLists(level);
    if (this.#lists.length === level && this.#lists.at(-1) !== kind) yield* this.endLists(level - 1);
    while (this.#lists.length < level) {
      this.#lists.push(kind);
      yield { kind: 'open', name: kind, attributes: [] };
      // A list inside of a list stands in an item.
      if (this.#lists.length < level) yield { kind: 'open', name: 'li', attributes: [] };
    }
    yield { kind: 'open', name: 'li', attributes: [] };
  }
}
