import type { RichBlock, RichInline, RichMark, RichText } from './rich-text.ts';

const TAGS: Readonly<Record<Exclude<RichMark['type'], 'link'>, string>> = {
  strong: 'strong',
  em: 'em',
  underline: 'u',
  strike: 's',
  code: 'code',
};

/** Returns formatted text as HTML, without attributes except on links. An empty text is an empty string. */
export function serializeHtml({ content }: RichText): string {
  const [only] = content;
  if (content.length === 1 && only?.type === 'paragraph' && only.content === undefined) return '';
  return blocksHtml(content, '\n');
}

function blocksHtml(blocks: readonly RichBlock[], between: string): string {
  return blocks
    .map((block, index) => {
      if (block.type !== 'paragraph' || !block.attrs.bare) return blockHtml(block);
      // Two bare paragraphs would be joined to one text.
      const isAlone = !isBare(blocks[index - 1]) && !isBare(blocks[index + 1]);
      return isAlone ? inlineHtml(block.content ?? []) : blockHtml(block);
    })
    .join(between);
}

function isBare(block: RichBlock | undefined): boolean {
  return block?.type === 'paragraph' && block.attrs.bare;
}

function blockHtml(block: RichBlock): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${inlineHtml(block.content ?? [])}</p>`;
    case 'heading':
      return `<h${block.attrs.level}>${inlineHtml(block.content ?? [])}</h${block.attrs.level}>`;
    case 'blockquote':
      return `<blockquote>${blocksHtml(block.content, '')}</blockquote>`;
    case 'bullet_list':
      return `<ul>${itemsHtml(block.content)}</ul>`;
    case 'ordered_list': {
      const start = block.attrs.start === 1 ? '' : ` start="${block.attrs.start}"`;
      return `<ol${start}>${itemsHtml(block.content)}</ol>`;
    }
  }
}

function itemsHtml(items: readonly { content: readonly RichBlock[] }[]): string {
  return items.map(({ content }) => `<li>${blocksHtml(content, '')}</li>`).join('');
}

/** Returns the HTML of inline texts. Neighbouring texts share their common outer marks. */
function inlineHtml(inline: readonly RichInline[]): string {
  let html = '';
  let open: readonly RichMark[] = [];
  const change = (marks: readonly RichMark[]) => {
    let common = 0;
    while (common < open.length && common < marks.length && isSameMark(open[common], marks[common])) common += 1;
    html += open
      .slice(common)
      .map((mark) => `</${mark.type === 'link' ? 'a' : TAGS[mark.type]}>`)
      .reverse()
      .join('');
    html += marks.slice(common).map(opening).join('');
    open = marks;
  };
  for (const piece of inline) {
    change(piece.marks ?? []);
    html += piece.type === 'text' ? textHtml(piece.text) : '<br />';
  }
  change([]);
  return html;
}

function isSameMark(one: RichMark | undefined, other: RichMark | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function opening(mark: RichMark): string {
  if (mark.type !== 'link') return `<${TAGS[mark.type]}>`;
  const { href, title, target, rel } = mark.attrs;
  const attributes = Object.entries({ href, title, target, rel }).flatMap(([name, value]) =>
    value === null ? [] : [` ${name}="${escapeAttribute(value)}"`],
  );
  return `<a${attributes.join('')}>`;
}

/** Returns a text as HTML, which shows several blanks as one, so every second blank becomes a no-break space. */
function textHtml(text: string): string {
  return escapeText(text).replace(/ {2,}/g, (blanks) => ' \u00a0'.repeat(blanks.length).slice(0, blanks.length));
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}
