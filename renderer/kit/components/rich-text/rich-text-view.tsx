import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { differingWords, type TextRange } from '../../../../shared/model/edits/differing-words.ts';
import { readHtml } from '../../../../shared/model/rich-text/parse-html.ts';
import type { RichBlock, RichInline, RichMark } from '../../../../shared/model/rich-text/rich-text.ts';
import { visibleText } from '../../../../shared/model/rich-text/visible-text.ts';
import { classes } from '../button.tsx';
import { withMarks } from './marked-text.tsx';
import styles from './rich-text.module.css';

interface RichTextViewProps {
  html: string;
  /** Shows the source, for HTML that formatted text can’t show or that is compared with such HTML. */
  isSource: boolean;
  /** Other HTML: the words that it does not have are marked. */
  others: readonly string[];
}

/** Shows HTML as formatted text, like the editor, or as its source. Links can't be followed. */
export function RichTextView({ html, isSource, others }: RichTextViewProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal texts come in a new array each time
  const shown = useMemo(
    () => (isSource ? withMarks(html, 0, differingWords(html, others, { isHtml: true })) : formatted(html, others)),
    [html, isSource, others.join('\0')],
  );
  if (isSource)
    return (
      <pre className={styles.viewSource} data-description>
        {shown}
      </pre>
    );
  return (
    <div className={classes(styles.formatted, styles.view)} dir="auto" data-description>
      {shown}
    </div>
  );
}

function formatted(html: string, others: readonly string[]): ReactNode {
  const blocks = readHtml(html).doc.content;
  const { text, starts } = visibleText(blocks);
  const otherTexts = others.map((other) => visibleText(readHtml(other).doc.content).text);
  const ranges = differingWords(text, otherTexts, { isHtml: false });
  return blocks.map(blocksWith({ ranges, starts }));
}

interface Marks {
  ranges: readonly TextRange[];
  starts: ReadonlyMap<RichInline, number>;
}

/** Whether formatted text can show all of some HTML. */
export function canShowFormatted(html: string): boolean {
  return readHtml(html).lost.length === 0;
}

/** The index is a sufficient React key, because a text never changes while it is shown. */
function blocksWith(marks: Marks) {
  const itemOf = ({ content }: { content: readonly RichBlock[] }, key: number) => (
    <li key={key}>{content.map(blockOf)}</li>
  );
  function blockOf(block: RichBlock, key: number): ReactNode {
    switch (block.type) {
      case 'paragraph':
        return <p key={key}>{inlineOf(block.content, marks)}</p>;
      case 'heading':
        return createElement(`h${block.attrs.level}`, { key }, inlineOf(block.content, marks));
      case 'blockquote':
        return <blockquote key={key}>{block.content.map(blockOf)}</blockquote>;
      case 'bullet_list':
        return <ul key={key}>{block.content.map(itemOf)}</ul>;
      case 'ordered_list':
        return (
          <ol key={key} start={block.attrs.start}>
            {block.content.map(itemOf)}
          </ol>
        );
    }
  }
  return blockOf;
}

function inlineOf(inline: readonly RichInline[] = [], { ranges, starts }: Marks): ReactNode {
  return inline.map((piece, index) => {
    const shown = piece.type === 'text' ? withMarks(piece.text, starts.get(piece) ?? 0, ranges) : <br />;
    // The first mark is the outermost one.
    const marked = (piece.marks ?? []).reduceRight(withMark, shown);
    // biome-ignore lint/suspicious/noArrayIndexKey: see blockOf
    return <Fragment key={index}>{marked}</Fragment>;
  });
}

const TAGS = { strong: 'strong', em: 'em', underline: 'u', strike: 's', code: 'code' } as const;

function withMark(shown: ReactNode, mark: RichMark): ReactNode {
  if (mark.type !== 'link') return createElement(TAGS[mark.type], null, shown);
  return (
    <span className={styles.viewLink} title={mark.attrs.href}>
      {shown}
    </span>
  );
}
