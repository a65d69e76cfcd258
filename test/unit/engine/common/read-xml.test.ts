// References to characters in XML: spreadsheets and details files of other programs write them for all that is not ASCII.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXml, XmlError } from '../../../../electron/engine/common/read-xml.ts';

/** Returns the text of the document and the attribute `a` of its elements. */
function contentsOf(xml: string): { text: string; attributes: string[] } {
  let all = '';
  const attributes: string[] = [];
  readXml(xml, {
    open: (_, { a }) => void (a === undefined || attributes.push(a)),
    text: (piece) => {
      all += piece;
    },
  });
  return { text: all, attributes };
}

describe('a reference to a character', () => {
  it.each([
    ['decimal', '&#128512;', '😀'],
    ['hexadecimal', '&#x1F600;&#x1f600;', '😀😀'],
    ['the last one', '&#1114111;', '\u{10ffff}'],
    ['leading zeros', '&#x0000001F399;', '🎙'],
    ['a tab, and a line end', 'a&#9;b&#xA;c&#13;', 'a\tb\nc\r'],
    ['names', '&lt;&gt;&amp;&quot;&apos;', '<>&"\''],
    ['a reference that an escape made', '&amp;#128512;', '&#128512;'],
    ['no reference', 'Q&A & more &; &#; &#x; &nbsp; &#12', 'Q&A & more &; &#; &#x; &nbsp; &#12'],
  ])('is read in texts and attributes: %s', (_, written, read) => {
    const attribute = written.replaceAll('"', '&quot;');
    expect(contentsOf(`<r a="${attribute}">${written}</r>`)).toEqual({ text: read, attributes: [read] });
    expect(contentsOf(`<r a='${attribute}'/>`).attributes).toEqual([read]);
  });

  it.each([
    '&#0;',
    '&#x0;',
    '&#8;',
    '&#xB;',
    '&#x1F;',
    '&#xD83D;&#xDE00;',
    '&#57343;',
    '&#xFFFE;',
    '&#65535;',
    '&#1114112;',
    `&#${'9'.repeat(40)};`,
  ])('makes a document damaged when XML does not allow the character: %s', (reference) => {
    expect(() => contentsOf(`<r>a${reference}b</r>`)).toThrow(XmlError);
    expect(() => contentsOf(`<r a="a${reference}b"/>`)).toThrow(XmlError);
  });

  it('stays as it is in a CDATA section', () => {
    expect(contentsOf('<r><![CDATA[&#128512;]]></r>').text).toBe('&#128512;');
  });

  it('gives back every text in which each character is a reference', () => {
    const character = fc
      .oneof(
        fc.integer({ min: 0x20, max: 0xd7ff }),
        fc.integer({ min: 0xe000, max: 0xfffd }),
        fc.integer({ min: 0x1_0000, max: 0x10_ffff }),
      )
      .map((code) => String.fromCodePoint(code));
    const texts = fc.array(character, { minLength: 1 }).map((all) => all.join(''));
    fc.assert(
      fc.property(texts, fc.constantFrom(10, 16), (text, base) => {
        const references = [...text].map(
          (sign) => `&#${base === 16 ? 'x' : ''}${sign.codePointAt(0)?.toString(base)};`,
        );
        expect(contentsOf(`<r a="${references.join('')}">${references.join('')}</r>`)).toEqual({
          text,
          attributes: [text],
        });
      }),
    );
  });
});
