import { type ReactNode, useMemo } from 'react';
import { differingWords, type TextRange, textPiecesOf } from '../../../../shared/model/edits/differing-words.ts';
import styles from './rich-text.module.css';

/** Returns a part of a text with its ranges marked. `start`: the position of the part in the text. */
export function withMarks(part: string, start: number, ranges: readonly TextRange[]): ReactNode {
  if (ranges.length === 0) return part;
  return textPiecesOf(part, start, ranges).map(({ text, isMarked }, index) =>
    isMarked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text that changes is drawn anew
      <mark key={index} className={styles.differs}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

interface MarkedTextProps {
  text: string;
  /** The texts with which it is compared. */
  others: readonly string[];
}

/** A text in which the words are marked that the others don't have. */
export function MarkedText({ text, others }: MarkedTextProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal texts come in a new array each time
  const ranges = useMemo(() => differingWords(text, others, { isHtml: false }), [text, others.join('\0')]);
  return <>{withMarks(text, 0, ranges)}</>;
}
