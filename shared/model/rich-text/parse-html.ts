import { decodeEntities } from '../../api/html-entities.ts';
import { canonicalHtml } from '../edits/canonical-html.ts';
import { type HtmlToken, htmlTokens } from './html-tokens.ts';
import {
  isSafeLink,
  type LinkAttributes,
  type RichBlock,
  type RichInline,
  type RichListItem,
  type RichMark,
  type RichText,
} from './rich-text.ts';
import { serializeHtml } from './serialize-html.ts';
import { withWordLists } from './word-lists.ts';

/** HTML as formatted text. */
export interface ParsedHtml {
  doc: RichText;
  /** The markup that formatted text can't have, such as `<table>` or `style="…"`: it is not in `doc`. At most ten. */
  lost: string[];
}

/** Returns whether HTML can be edited as formatted text without loss, and if not, the markup that would be lost. */
export function readHtml(html: string): ParsedHtml {
  const parsed = parseHtml(html);
  if (parsed.lost.length > 0) return parsed;
  const isSame = canonicalHtml(serializeHtml(parsed.doc)) === canonicalHtml(html);
  return isSame ? parsed : { ...parsed, lost: [STRUCTURE] };
}

/** In `lost`: the tags are nested in a way that formatted text can't have. */
export const STRUCTURE = '';

/**
 * Reads HTML as formatted text and drops markup that formatted text can't have: unknown tags leave their text, hidden elements
 * leave nothing. For a description whose user accepted the loss.
 */
export function parseHtml(html: string): ParsedHtml {
  const reader = new Reader();
  for (const token of htmlTokens(html)) reader.take(token);
  return reader.end();
}

/** Reads HTML that was pasted or dropped, also from Word. */
export function parsePastedHtml(html: string): ParsedHtml {
  const reader = new Reader();
  for (const token of withWordLists(htmlTokens(html))) reader.take(token);
  return reader.end();
}

const MOST_LOST = 10;
/** Deeper lists and quotations are flattened. */
const MOST_DEPTH = 12;

/** Elements whose contents are not shown. */
const HIDDEN: ReadonlySet<string> = new Set(
  'script style template noscript iframe object head title textarea select svg math video audio canvas'.split(' '),
);
/** Unknown elements that begin a new block of text. */
const OTHER_BLOCKS: ReadonlySet<string> = new Set(
  'div section article header footer main aside address pre table tr td th dl dt dd figure figcaption hr form'.split(
    ' ',
  ),
);
const MARKS: Readonly<Record<string, Exclude<RichMark['type'], 'link'>>> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  u: 'underline',
  s: 'strike',
  strike: 'strike',
  del: 'strike',
  code: 'code',
};
/** Tags that would be written back as `<s>`, which `canonicalHtml` does not count as equal: they are reported as lost. */
const RENAMED: ReadonlySet<string> = new Set(['strike', 'del']);
const ORDER: readonly RichMark['type'][] = ['link', 'strong', 'em', 'underline', 'strike', 'code'];

type Container =
  | { kind: 'doc' | 'blockquote' | 'list_item'; blocks: RichBlock[] }
  | { kind: 'bullet_list' | 'ordered_list'; start: number; items: RichListItem[] };

/** The paragraph or heading that receives text. `level` 0: a paragraph. */
interface OpenBlock {
  level: number;
  bare: boolean;
  inline: RichInline[];
  /** Whether the last text ends in a blank. Reading the text itself for each token would take quadratic time. */
  endsInBlank: boolean;
}

class Reader {
  readonly #lost = new Set<string>();
  readonly #containers: Container[] = [{ kind: 'doc', blocks: [] }];
  #block: OpenBlock | null = null;
  #marks: RichMark[] = [];
  /** The hidden element that is being skipped, and how often it is open. */
  #hidden: { name: string; depth: number } | null = null;

  take(token: HtmlToken): void {
    if (this.#hidden !== null) this.#skip(token, this.#hidden);
    else if (token.kind === 'text') this.#text(token.text);
    else if (token.kind === 'open') this.#open(token.name, token.attributes);
    else if (token.kind === 'close') this.#close(token.name);
    else this.#lose('<!-- -->');
  }

  end(): ParsedHtml {
    this.#endBlock();
    while (this.#containers.length > 1) this.#leave();
    const [root] = this.#containers;
    // When block tags are dropped, their texts become paragraphs.
    const blocks = (root?.kind === 'doc' ? root.blocks : []).map((block) =>
      this.#lost.size > 0 && block.type === 'paragraph' ? { ...block, attrs: { bare: false } } : block,
    );
    const content: RichBlock[] = blocks.length > 0 ? blocks : [{ type: 'paragraph', attrs: { bare: false } }];
    return { doc: { type: 'doc', content }, lost: [...this.#lost].slice(0, MOST_LOST) };
  }

  #skip(token: HtmlToken, hidden: { name: string; depth: number }): void {
    if (token.kind === 'open' && token.name === hidden.name) hidden.depth += 1;
    if (token.kind === 'close' && token.name === hidden.name) hidden.depth -= 1;
    if (hidden.depth === 0) this.#hidden = null;
  }

  #lose(what: string): void {
    this.#lost.add(what);
  }

  #text(source: string): void {
    const text = decodeEntities(source, (entity) => this.#lose(entity)).replace(/[ \t\r\n\f]+/g, ' ');
    if (text === '') return;
    if (this.#block === null) {
      if (text === ' ') return;
      this.#block = { level: 0, bare: true, inline: [], endsInBlank: false };
    }
    const { inline } = this.#block;
    const last = inline.at(-1);
    const isAfterBlank = last === undefined || last.type === 'hard_break' || this.#block.endsInBlank;
    const added = isAfterBlank ? text.replace(/^ /, '') : text;
    if (added === '') return;
    this.#block.endsInBlank = added.endsWith(' ');
    const marks = this.#marksHere();
    const isJoined = last?.type === 'text' && JSON.stringify(last.marks ?? []) === JSON.stringify(marks);
    if (isJoined) last.text += added;
    else inline.push({ type: 'text', text: added, ...(marks.length > 0 ? { marks } : {}) });
  }

  #open(name: string, attributes: readonly (readonly [string, string])[]): void {
    const values = new Map(attributes.map(([key, value]) => [key, value] as const));
    const kept = name === 'a' ? LINK_ATTRIBUTES : name === 'ol' ? ['start'] : [];
    for (const [key, value] of attributes) if (!kept.includes(key)) this.#lose(value === '' ? key : `${key}="…"`);
    const mark = MARKS[name];
    if (RENAMED.has(name)) this.#lose(`<${name}>`);
    if (mark !== undefined) this.#marks.push({ type: mark });
    else if (name === 'a') this.#openLink(values);
    else if (name === 'br') this.#break();
    else this.#openBlock(name, values);
  }

  #openBlock(name: string, values: ReadonlyMap<string, string>): void {
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (name === 'p' || level !== undefined) this.#beginBlock(Number(level ?? 0));
    else if (name === 'ul') this.#enter({ kind: 'bullet_list', start: 1, items: [] });
    else if (name === 'ol') this.#enter({ kind: 'ordered_list', start: startOf(values), items: [] });
    else if (name === 'li') this.#enterItem();
    else if (name === 'blockquote') this.#enter({ kind: 'blockquote', blocks: [] });
    else this.#openOther(name);
  }

  #openOther(name: string): void {
    this.#lose(`<${name}>`);
    if (HIDDEN.has(name)) this.#hidden = { name, depth: 1 };
    else if (OTHER_BLOCKS.has(name)) this.#endBlock();
  }

  #openLink(values: ReadonlyMap<string, string>): void {
    const decoded = (name: string) => {
      const value = values.get(name);
      return value === undefined ? null : decodeEntities(value, (entity) => this.#lose(entity));
    };
    const href = decoded('href')?.trim() ?? '';
    const attrs: LinkAttributes = { href, title: decoded('title'), target: decoded('target'), rel: decoded('rel') };
    if (href !== '' && isSafeLink(href)) this.#marks.push({ type: 'link', attrs });
    else this.#lose(`<a href="${href.slice(0, 40)}">`);
  }

  #break(): void {
    this.#block ??= { level: 0, bare: true, inline: [], endsInBlank: false };
    trimEnd(this.#block.inline);
    const marks = this.#marksHere();
    this.#block.inline.push({ type: 'hard_break', ...(marks.length > 0 ? { marks } : {}) });
  }

  /** The open marks, each once, in the order in which they are nested. */
  #marksHere(): RichMark[] {
    return ORDER.flatMap((type) => this.#marks.find((mark) => mark.type === type) ?? []);
  }

  #beginBlock(level: number): void {
    this.#endBlock();
    this.#block = { level, bare: false, inline: [], endsInBlank: false };
  }

  #endBlock(): void {
    const block = this.#block;
    this.#block = null;
    if (block === null) return;
    trimEnd(block.inline);
    const content = block.inline.length > 0 ? { content: block.inline } : {};
    if (block.level > 0) this.#add({ type: 'heading', attrs: { level: block.level }, ...content });
    else if (!block.bare || block.inline.length > 0) {
      this.#add({ type: 'paragraph', attrs: { bare: block.bare }, ...content });
    }
  }

  #close(name: string): void {
    const mark = MARKS[name] ?? (name === 'a' ? 'link' : undefined);
    if (mark !== undefined) {
      const index = this.#marks.findLastIndex(({ type }) => type === mark);
      if (index >= 0) this.#marks.splice(index, 1);
    } else if (name === 'p' || /^h[1-6]$/.test(name)) this.#endBlock();
    else if (name === 'ul' || name === 'ol') this.#leaveTo(name === 'ul' ? 'bullet_list' : 'ordered_list');
    else if (name === 'li') this.#leaveTo('list_item');
    else if (name === 'blockquote') this.#leaveTo('blockquote');
    else if (OTHER_BLOCKS.has(name)) this.#endBlock();
  }

  #top(): Container {
    return this.#containers.at(-1) as Container;
  }

  /** Adds a block at the position of the text. Inside a list and outside of its items, it gets a new item. */
  #add(block: RichBlock): void {
    const top = this.#top();
    if ('blocks' in top) top.blocks.push(block);
    else {
      this.#lose(STRUCTURE);
      top.items.push({ type: 'list_item', content: [block] });
    }
  }

  #enter(container: Container): void {
    this.#endBlock();
    if (this.#containers.length > MOST_DEPTH) this.#lose(STRUCTURE);
    else this.#containers.push(container);
  }

  #enterItem(): void {
    this.#endBlock();
    if (this.#top().kind === 'list_item') this.#leave();
    if (!('items' in this.#top())) {
      this.#lose('<li>');
      this.#enter({ kind: 'bullet_list', start: 1, items: [] });
    }
    this.#enter({ kind: 'list_item', blocks: [] });
  }

  /** Closes containers up to the innermost one of a kind; does nothing when there is none. */
  #leaveTo(kind: Container['kind']): void {
    this.#endBlock();
    const isOpen = this.#containers.some((container) => container.kind === kind);
    while (isOpen && this.#top().kind !== kind) this.#leave();
    if (isOpen) this.#leave();
  }

  /** Closes the innermost container and puts it into the one around it. */
  #leave(): void {
    this.#endBlock();
    if (this.#containers.length === 1) return;
    const left = this.#containers.pop() as Container;
    if (left.kind === 'list_item') {
      const list = this.#top();
      if ('items' in list) list.items.push({ type: 'list_item', content: withParagraph(left.blocks) });
    } else if ('items' in left) {
      if (left.items.length === 0) this.#lose(STRUCTURE);
      else if (left.kind === 'ordered_list')
        this.#add({ type: left.kind, attrs: { start: left.start }, content: left.items });
      else this.#add({ type: 'bullet_list', content: left.items });
    } else {
      this.#add({ type: 'blockquote', content: left.blocks.length > 0 ? left.blocks : [EMPTY] });
    }
  }
}

const LINK_ATTRIBUTES = ['href', 'title', 'target', 'rel'];
const EMPTY: RichBlock = { type: 'paragraph', attrs: { bare: true } };

/** A list item begins with a paragraph. */
function withParagraph(blocks: readonly RichBlock[]): RichBlock[] {
  return blocks[0]?.type === 'paragraph' ? [...blocks] : [EMPTY, ...blocks];
}

function startOf(values: ReadonlyMap<string, string>): number {
  const start = Number.parseInt(values.get('start') ?? '1', 10);
  return Number.isSafeInteger(start) && start >= 0 && start < 1_000_000 ? start : 1;
}

/** Removes a blank at the end of a line, which HTML does not show. */
function trimEnd(inline: RichInline[]): void {
  const last = inline.at(-1);
  if (last?.type !== 'text' || !last.text.endsWith(' ')) return;
  last.text = last.text.slice(0, -1);
  if (last.text === '') inline.pop();
}
