import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToText, PARAGRAPHS } from '../../../shared/api/html-text.ts';
import { hasFormatting, plainToHtml } from '../../../shared/model/description.ts';
import { escapeHtml } from '../../../shared/model/escape-html.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '<!--><img src=x onerror=alert(1)>-->',
  '<p onclick=alert(1)>x</p>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '&#60;script&#62;alert(1)&#x3c;/script&#x3e;',
  '<<b>script>alert(1)</b>',
  '</p><script>alert(1)</script><p>',
  '<br onload=alert(1)>',
  'a<b>c',
  '<img src="x" title="a>b" onerror=alert(1)',
];

/** Returns HTML without the tags that the conversion of plain text may add. */
const withoutOurTags = (html: string) => html.replaceAll(/<\/?p>|<br \/>/g, '');

describe('plain text as HTML', () => {
  it.each(HOSTILE)('contains no markup of the text %s', (text) => {
    expect(withoutOurTags(plainToHtml(text))).not.toMatch(/[<>"']/);
  });

  it('contains no markup of any generated text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => !/[<>"']/.test(withoutOurTags(plainToHtml(text)))),
      { numRuns: 200 },
    );
  });

  it('contains no markup when the text comes from a hostile description', () => {
    for (const html of HOSTILE) {
      expect(withoutOurTags(plainToHtml(htmlToText(html, PARAGRAPHS)))).not.toMatch(/[<>"']/);
    }
  });

  it('separates paragraphs at blank lines and keeps single line breaks', () => {
    expect(plainToHtml('One\ntwo\r\n\r\n\nThree ')).toBe('<p>One<br />two</p>\n<p>Three</p>');
    expect(plainToHtml('  \n ')).toBe('');
  });

  it('escapes the five special characters of HTML', () => {
    expect(escapeHtml(`<a href="x">'&'</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;');
  });

  it('is converted back to the typed text', () => {
    for (const text of ['Plain', 'A & B < C', 'One\ntwo\n\nThree', 'Ünïcode “quotes” 🎬', '&amp; as typed']) {
      expect(htmlToText(plainToHtml(text), PARAGRAPHS)).toBe(text);
    }
  });
});

describe('a description', () => {
  it('has formatting when it contains other markup than paragraphs and line breaks', () => {
    expect(hasFormatting('<p>a<br />b</p>')).toBe(false);
    expect(hasFormatting('<p>a <strong>b</strong></p>')).toBe(true);
    expect(hasFormatting(null)).toBe(false);
  });
});
