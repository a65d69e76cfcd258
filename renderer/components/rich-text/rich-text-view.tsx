import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { readHtml } from '../../../shared/model/rich-text/parse-html.ts';
import type { RichBlock, RichInline, RichMark } from '../../../shared/model/rich-text/rich-text.ts';
import { classes } from '../button.tsx';
import styles from './rich-text.module.css';

interface RichTextViewProps {
  html: string;
  /** Shows the source, for HTML that formatted text can’t show or that is compared with such HTML. */
  isSource: boolean;
}

/** Shows HTML as formatted text, like the editor does, or as its source. Links can't be followed. */
export function RichTextView({ html, isSource }: RichTextViewProps) {
  const blocks = useMemo(() => (isSource ? null : readHtml(html).doc.content), [html, isSource]);
  if (blocks === null)
    return (
      <pre className={styles.viewSource} data-description>
        {html}
      </pre>
    );
  return (
    <div className={classes(styles.formatted, styles.view)} dir="auto" data-description>
      {blocks.map(blockOf)}
    </div>
  );
}

/** Whether formatted text can show all of some HTML. */
export function canShowFormatted(html: string): boolean {
  return readHtml(html).lost.length === 0;
}

/** The place in a text that never changes while it is shown is a sufficient key. */
function blockOf(block: RichBlock, key: number): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return <p key={key}>{inlineOf(block.content)}</p>;
    case 'heading':
      return createElement(`h${block.attrs.level}`, { key }, inlineOf(block.content));
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

function itemOf({ content }: { content: readonly RichBlock[] }, key: number): ReactNode {
  return <li key={key}>{content.map(blockOf)}</li>;
}

function inlineOf(inline: readonly RichInline[] = []): ReactNode {
  return inline.map((piece, index) => {
    const shown: ReactNode = piece.type === 'text' ? piece.text : <br />;
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
