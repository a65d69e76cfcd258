import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differingWords, MOST_COMPARED, textPiecesOf } from '../../../../shared/model/edits/differing-words.ts';
import { readHtml } from '../../../../shared/model/rich-text/parse-html.ts';
import { visibleText } from '../../../../shared/model/rich-text/visible-text.ts';

const marked = (text: string, others: readonly string[], isHtml = false) =>
  differingWords(text, others, { isHtml }).map(({ from, to }) => text.slice(from, to));

describe('the words in which texts differ', () => {
  it('are absent from another text, and have no blanks around them', () => {
    expect(marked('The red fox  jumps', ['The fox jumps'])).toEqual(['red']);
    expect(marked('The fox jumps', ['The red fox jumps'])).toEqual([]);
    expect(marked('One two', [])).toEqual([]);
    expect(marked('One two', ['One two'])).toEqual([]);
    expect(marked('All new words', ['Nothing alike'])).toEqual(['All new words']);
  });

  it('of a text that is compared with several are absent from at least one of them', () => {
    expect(marked('The quick brown fox', ['The slow brown fox', 'The quick brown dog'])).toEqual(['quick', 'fox']);
  });

  it('of HTML are whole tags and entities', () => {
    expect(marked('<p>a &amp; b</p>', ['<p class="x">a &lt; b</p>'], true)).toEqual(['<p>', '&amp;']);
  });

  it('are not searched in very long texts', () => {
    expect(marked(`${'word '.repeat(MOST_COMPARED / 5)}x`, ['word'])).toEqual([]);
  });

  it('divide each part of a text into pieces that join to the part', () => {
    const word = fc.constantFrom('a', 'b', 'cc', ' ', '\n', '𝄞', '<i>');
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(''));
    fc.assert(
      fc.property(text, text, fc.nat(30), fc.nat(30), (one, other, first, size) => {
        const ranges = differingWords(one, [other], { isHtml: false });
        const part = one.slice(first, first + size);
        const pieces = textPiecesOf(part, first, ranges);
        expect(pieces.map((piece) => piece.text).join('')).toBe(part);
        // The letters of the pieces that are not marked occur in the other text, too, in the same order.
        const kept = textPiecesOf(one, 0, ranges).flatMap((piece) => (piece.isMarked ? [] : [...piece.text.trim()]));
        const rest = [...other];
        for (const letter of kept.filter((each) => each.trim() !== '')) {
          const at = rest.indexOf(letter);
          expect(at).toBeGreaterThanOrEqual(0);
          rest.splice(0, at + 1);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the visible text of formatted text', () => {
  it('has each piece at its stated position, and a line break after each block and line', () => {
    const { content } = readHtml('<h2>A <b>b</b></h2><ul><li>c<br />d</li></ul><blockquote><p>e</p></blockquote>').doc;
    const { text, starts } = visibleText(content);
    expect(text).toBe('A b\nc\nd\ne\n');
    for (const [piece, at] of starts) if (piece.type === 'text') expect(text.startsWith(piece.text, at)).toBe(true);
  });
});
