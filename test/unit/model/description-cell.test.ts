import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToText, PARAGRAPHS } from '../../../shared/api/html-text.ts';
import { descriptionCell, descriptionOfCell } from '../../../shared/model/description.ts';

describe('a description in a cell', () => {
  it.each([
    ['', ''],
    ['One', '<p>One</p>'],
    ['One & <two>?', '<p>One &amp; &lt;two&gt;?</p>'],
    ['One\ntwo\n\nThree', '<p>One<br />two</p>\n<p>Three</p>'],
    ['1 < 2 and 3 > 2', '<p>1 &lt; 2 and 3 &gt; 2</p>'],
  ])('without formatting is plain text, which is converted to HTML and back: %j', (text, html) => {
    expect(descriptionOfCell(text)).toBe(html);
    expect(descriptionCell(html)).toBe(text);
  });

  it('with formatting is its HTML, which is kept', () => {
    const html = '<p>One <strong>two</strong></p>\n<ul><li>three</li></ul>';
    expect(descriptionCell(html)).toBe(html);
    expect(descriptionOfCell(html)).toBe(html);
  });

  it('shows the characters of named and numbered references', () => {
    expect(descriptionCell('<p>A &ndash; B &#8211; &eacute;</p>')).toBe('A – B – é');
  });

  it.each(['<p>Use &lt;b&gt; here</p>', '<p>&#60;img src=x&#62;</p>', '<p>A &alpha; B</p>', 'A &alpha; B'])(
    'with text that would become markup, or change, stays HTML: %s',
    (html) => {
      const text = htmlToText(html, PARAGRAPHS);
      expect(htmlToText(descriptionOfCell(`${descriptionCell(html)} more`), PARAGRAPHS)).toContain(text);
      expect(descriptionOfCell(descriptionCell(html))).toMatch(/^<p>/);
    },
  );

  const words = (html: string) => htmlToText(html, PARAGRAPHS).replace(/\s+/g, ' ').trim();
  const pieces = ['&lt;', '&gt;', '&ndash;', '&alpha;', '&amp;', '&#60;', 'b', 'img src=x', '/', 'x', ' ', '\n'];
  const inline = fc
    .array(fc.constantFrom(...pieces, '<br />', '<b>y</b>'), { maxLength: 8 })
    .map((all) => all.join(''));
  const html = fc
    .array(inline, { minLength: 1, maxLength: 3 })
    .map((all) => all.map((one) => `<p>${one}</p>`).join('\n'));

  it('is converted to HTML with the same text, whatever the HTML was', () => {
    fc.assert(
      fc.property(html, (each) => {
        expect(words(descriptionOfCell(descriptionCell(each)))).toBe(words(each));
      }),
      { numRuns: 2000 },
    );
  });

  it('of plain text has the same text after a conversion to HTML and back', () => {
    const lines = (value: string) => value.replace(/\s+/g, ' ').trim();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/<\/?[a-z]/i.test(text));
        expect(lines(descriptionCell(descriptionOfCell(text)))).toBe(lines(text));
      }),
    );
  });
});
