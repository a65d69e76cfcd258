import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { descriptionCell, descriptionOfCell } from '../../../shared/model/description.ts';

describe('a description in a cell', () => {
  it.each([
    ['', ''],
    ['One', '<p>One</p>'],
    ['One & <two>?', '<p>One &amp; &lt;two&gt;?</p>'],
    ['One\ntwo\n\nThree', '<p>One<br />two</p>\n<p>Three</p>'],
    ['1 < 2 and 3 > 2', '<p>1 &lt; 2 and 3 &gt; 2</p>'],
  ])('is typed as text: %j', (text, html) => {
    expect(descriptionOfCell(text)).toBe(html);
    expect(descriptionCell(html)).toBe(text);
  });

  it('with formatting is its HTML, which is kept', () => {
    const html = '<p>One <strong>two</strong></p>\n<ul><li>three</li></ul>';
    expect(descriptionCell(html)).toBe(html);
    expect(descriptionOfCell(html)).toBe(html);
  });

  it('of plain text has the same text again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const cell = descriptionCell(descriptionOfCell(text));
        const lines = (value: string) => value.replace(/\s+/g, ' ').trim();
        if (!/<\/?[a-z]/i.test(text)) expect(lines(cell)).toBe(lines(text));
      }),
    );
  });
});
