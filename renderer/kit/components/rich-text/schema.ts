import { type DOMOutputSpec, Schema } from 'prosemirror-model';

/** Reads an attribute of an element that the browser changed while the user typed. */
const attribute = (element: HTMLElement, name: string) => element.getAttribute(name);

const linkTag = (attrs: Record<string, unknown>): DOMOutputSpec => {
  // The editor shows the address in a tooltip. A link in it is never followed.
  return ['a', { href: String(attrs.href), title: String(attrs.href) }, 0];
};

/** The formatted text of `shared/model/rich-text`: its JSON is the JSON of this schema. */
export const SCHEMA = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: {
      group: 'block',
      content: 'inline*',
      attrs: { bare: { default: false } },
      parseDOM: [{ tag: 'p' }],
      toDOM: () => ['p', 0],
    },
    heading: {
      group: 'block',
      content: 'inline*',
      defining: true,
      attrs: { level: { default: 3 } },
      parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: ({ attrs }) => [`h${attrs.level}`, 0],
    },
    blockquote: {
      group: 'block',
      content: 'block+',
      defining: true,
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', 0],
    },
    bullet_list: {
      group: 'block',
      content: 'list_item+',
      parseDOM: [{ tag: 'ul' }],
      toDOM: () => ['ul', 0],
    },
    ordered_list: {
      group: 'block',
      content: 'list_item+',
      attrs: { start: { default: 1 } },
      parseDOM: [{ tag: 'ol' }],
      toDOM: ({ attrs }) => (attrs.start === 1 ? ['ol', 0] : ['ol', { start: attrs.start }, 0]),
    },
    list_item: {
      content: 'paragraph block*',
      defining: true,
      parseDOM: [{ tag: 'li' }],
      toDOM: () => ['li', 0],
    },
    text: { group: 'inline' },
    hard_break: {
      group: 'inline',
      inline: true,
      selectable: false,
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br'],
    },
  },
  // In the order in which they are nested in HTML: the first one is outermost.
  marks: {
    link: {
      inclusive: false,
      attrs: { href: {}, title: { default: null }, target: { default: null }, rel: { default: null } },
      parseDOM: [{ tag: 'a[href]', getAttrs: (element) => ({ href: attribute(element, 'href') }) }],
      toDOM: ({ attrs }) => linkTag(attrs),
    },
    strong: { parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: () => ['strong', 0] },
    em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: () => ['em', 0] },
    underline: { parseDOM: [{ tag: 'u' }], toDOM: () => ['u', 0] },
    strike: { parseDOM: [{ tag: 's' }], toDOM: () => ['s', 0] },
    code: { parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
  },
});
