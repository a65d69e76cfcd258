/** A mark of a text, in the order in which marks are nested: the first mark is outermost. */
export type RichMark =
  | { type: 'link'; attrs: LinkAttributes }
  | { type: 'strong' }
  | { type: 'em' }
  | { type: 'underline' }
  | { type: 'strike' }
  | { type: 'code' };

/** The attributes of a link that are kept; null: absent. */
export interface LinkAttributes {
  href: string;
  title: string | null;
  target: string | null;
  rel: string | null;
}

export type RichInline =
  | { type: 'text'; text: string; marks?: RichMark[] }
  | { type: 'hard_break'; marks?: RichMark[] };

interface RichParagraph {
  type: 'paragraph';
  /** `bare`: the source has the text without `<p>`, as in a list item. */
  attrs: { bare: boolean };
  content?: RichInline[];
}

export interface RichListItem {
  type: 'list_item';
  content: RichBlock[];
}

export type RichBlock =
  | RichParagraph
  | { type: 'heading'; attrs: { level: number }; content?: RichInline[] }
  | { type: 'blockquote'; content: RichBlock[] }
  | { type: 'bullet_list'; content: RichListItem[] }
  | { type: 'ordered_list'; attrs: { start: number }; content: RichListItem[] };

/** A formatted text as JSON, in the form that the editor reads. It always has at least one block. */
export interface RichText {
  type: 'doc';
  content: RichBlock[];
}

const SAFE_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);

/** Whether an address can be a link: a web page, an e-mail address, a phone number, or a relative address. */
export function isSafeLink(href: string): boolean {
  // Browsers ignore control characters and blanks inside a scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be ignored
  const compact = href.replace(/[\u0000-\u0020\u007f-\u00a0]/g, '');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(compact)?.[1]?.toLowerCase();
  return scheme === undefined ? !compact.includes(':') || /^[/?#.]/.test(compact) : SAFE_SCHEMES.has(scheme);
}
