import type { RichBlock, RichInline, RichListItem } from './rich-text.ts';

/** The text of formatted text as a reader sees it, and the start of each piece. */
export interface VisibleText {
  text: string;
  starts: ReadonlyMap<RichInline, number>;
}

/** Returns the text of blocks; each block and each line ends with a line end. */
export function visibleText(blocks: readonly RichBlock[]): VisibleText {
  const starts = new Map<RichInline, number>();
  const parts: string[] = [];
  let length = 0;
  const add = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  const walk = (block: RichBlock | RichListItem) => {
    if (block.type === 'paragraph' || block.type === 'heading') {
      for (const piece of block.content ?? []) {
        starts.set(piece, length);
        add(piece.type === 'text' ? piece.text : '\n');
      }
      add('\n');
    } else for (const each of block.content) walk(each);
  };
  for (const block of blocks) walk(block);
  return { text: parts.join(''), starts };
}
