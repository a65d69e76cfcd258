import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHtml, parsePastedHtml } from '../../../../shared/model/rich-text/parse-html.ts';
import { serializeHtml } from '../../../../shared/model/rich-text/serialize-html.ts';

/** A paragraph of a list, as Word for Windows copies it. */
const item = (text: string, marker: string, level = 1, font = 'Symbol') => `
<p class=MsoListParagraphCxSpMiddle style='text-indent:-18.0pt;mso-list:l${level} level${level} lfo1'><![if !supportLists]><span
style='font-family:${font};mso-fareast-font-family:${font}'><span style='mso-list:Ignore'>${marker}<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>
`;
const page = (body: string) =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm;} --></style></head>
<body lang=DE><!--StartFragment-->${body}<!--EndFragment--></body></html>`;
const pasted = (body: string) => serializeHtml(parsePastedHtml(page(body)).doc);

describe('a list that is pasted from Word', () => {
  it.each([
    ['bullets', item('One', '·') + item('<b>Two</b>', '·'), '<ul><li>One</li><li><strong>Two</strong></li></ul>'],
    ['numbers', item('One', '1.') + item('Two', '2.'), '<ol><li>One</li><li>Two</li></ol>'],
    ['letters', item('One', 'a)') + item('Two', 'b)'), '<ol><li>One</li><li>Two</li></ol>'],
    [
      'levels',
      item('One', '·') + item('Below', 'o', 2) + item('Deep', '§', 3) + item('Two', '·'),
      '<ul><li>One<ul><li>Below<ul><li>Deep</li></ul></li></ul></li><li>Two</li></ul>',
    ],
    ['bullets and numbers', item('One', '·') + item('Two', '1.'), '<ul><li>One</li></ul><ol><li>Two</li></ol>'],
    [
      'paragraphs around it',
      `<p class=MsoNormal>Before</p>${item('One', '·')}<p class=MsoNormal>After</p>${item('Two', '·')}`,
      '<p>Before</p><ul><li>One</li></ul><p>After</p><ul><li>Two</li></ul>',
    ],
    ['an empty element in a marker', item('One', '1.<o:p/><br>'), '<ol><li>One</li></ol>'],
    [
      'no heading with a number',
      "<h1 style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>1.</span>Intro</h1><p>Body</p>",
      '<h1>1.Intro</h1><p>Body</p>',
    ],
    ['no marker', "<p style='mso-list:l0 level1 lfo1'>One</p>", '<ul><li>One</li></ul>'],
  ])('is a list: %s', (_, body, expected) => {
    expect(pasted(body).replaceAll(/\n|<(\/?)p>(?=<\/li>|<ul>)|(?<=<li>)<p>/g, '')).toBe(expected);
  });
});

describe('pasted HTML without lists of Word', () => {
  it('is read as any HTML', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<ul>',
      '<li>',
      '</li>',
      '</ul>',
      '<ol>',
      '<b>',
      'a',
      ' ',
      '<br>',
      '<h2>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(parsePastedHtml(pieces.join(''))).toEqual(parseHtml(pieces.join('')));
      }),
    );
  });

  it.each([
    "<p style='mso-list:l0 level9 lfo1'>",
    "<p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>",
    "<span style='mso-list:Ignore'>",
  ])('takes linear time for 100,000 characters of %j, and loses no text', (piece) => {
    const html = `${piece.repeat(100_000 / piece.length)}</p><p>end`;
    expect(serializeHtml(parsePastedHtml(html).doc)).toContain('end');
  });
});
