// Files that describe a recording: the values that are read from them, and the refusal of damaged and hostile files.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readDetails } from '../../../../electron/engine/details/read-details.ts';
import { ITEM_FIELD } from '../../../../shared/item/fields.ts';
import type { DetailsResult } from '../../../../shared/model/details/details-fields.ts';
import { computingTime } from '../../../helpers/time/computing-time.ts';

const read = (name: string, text: string | Uint8Array): DetailsResult =>
  readDetails(name, typeof text === 'string' ? new TextEncoder().encode(text) : text);
const json = (value: unknown) => read('talk.json', JSON.stringify(value));
const fieldsOf = (result: DetailsResult) => (result.kind === 'details' ? result.fields : result);

it('a JSON object is read with the field names of this app and those of download programs', () => {
  expect(
    fieldsOf(json({ title: ' Talk\n', byline: 'Ada', description: 'One & two\n\nThree', tags: ['a, b', 'c'] })),
  ).toEqual({ title: 'Talk', byline: 'Ada', description: '<p>One &amp; two</p>\n<p>Three</p>', tags: ['a, b', 'c'] });
  const downloaded = { id: 'x', fulltitle: 'Full', title: 'Short', uploader: 'Channel', upload_date: '20260101' };
  expect(fieldsOf(json({ ...downloaded, description: '', tags: [], formats: [{ url: 'x' }] }))).toEqual({
    title: 'Short',
    byline: 'Channel',
  });
  expect(fieldsOf(json({ Title: 'A', title: 'B', creators: ['Ada', 'Grace'], keywords: 'x; y;' }))).toEqual({
    title: 'A',
    byline: 'Ada, Grace',
    tags: ['x', 'y'],
  });
  expect(fieldsOf(json({ description: '<p>Kept <b>bold</b></p>' }))).toEqual({
    description: '<p>Kept <b>bold</b></p>',
  });
});

it('a flat XML document, such as Dublin Core, is read', () => {
  const dublin = `<?xml version="1.0" encoding="UTF-8"?><oai_dc:dc xmlns:oai_dc="a" xmlns:dc="b">
    <dc:title>Light &amp; shadow</dc:title><dc:creator>Ada</dc:creator><dc:creator>Grace</dc:creator>
    <dc:subject>optics</dc:subject><dc:subject>week 7</dc:subject><dc:date>2026-01-01</dc:date>
    <dc:description><![CDATA[<p>First</p>]]></dc:description></oai_dc:dc>`;
  expect(fieldsOf(read('talk.xml', dublin))).toEqual({
    title: 'Light & shadow',
    byline: 'Ada, Grace',
    tags: ['optics', 'week 7'],
    description: '<p>First</p>',
  });
  expect(fieldsOf(read('talk.XML', '<item><title>T</title><keywords>a|b</keywords></item>'))).toEqual({
    title: 'T',
    tags: ['a', 'b'],
  });
});

it('a character that XML refers to by its number is read', () => {
  const file = readFileSync(new URL('../../../fixtures/details/emoji-ref.xml', import.meta.url));
  expect(fieldsOf(read('talk.xml', file))).toEqual({ title: 'Talk 🎙 live', byline: 'Ada' });
});

it('a text is read with its first line as the title and the rest as the description, never as markup', () => {
  expect(fieldsOf(read('talk.txt', '\ufeff\r\n Talk \r\n\r\nFirst <b>\r\nline\r\n\r\nSecond'))).toEqual({
    title: 'Talk',
    description: '<p>First &lt;b&gt;<br />line</p>\n<p>Second</p>',
  });
  expect(fieldsOf(read('talk.txt', 'Only'))).toEqual({ title: 'Only' });
});

it('a file without a known field name has no details', () => {
  for (const result of [json([1]), json('text'), json({}), json({ version: 1, nested: { title: 'x' } })]) {
    expect(result).toEqual({ kind: 'none' });
  }
  expect(read('a.xml', '<a><b><title>deep</title></b></a>')).toEqual({ kind: 'none' });
  expect(read('a.txt', ' \n\t\n')).toEqual({ kind: 'none' });
});

const problem = (code: string, field?: string) => ({
  kind: 'problem',
  code,
  ...(field === undefined ? {} : { field }),
});
const bytes = (...values: number[]) => Uint8Array.from(values);

it.each<[string, string, string | Uint8Array, object]>([
  ['JSON that is cut off', 'a.json', '{"title": "x', problem('details.damaged')],
  ['JSON with a comma at its end', 'a.json', '{"title":"x",}', problem('details.damaged')],
  ['JSON with comments', 'a.json', '// x\n{"title":"x"}', problem('details.damaged')],
  ['an empty file', 'a.json', '', problem('details.damaged')],
  ['a number as the title', 'a.json', '{"title":7}', problem('details.field', 'title')],
  ['two titles', 'a.json', '{"title":["a","b"]}', problem('details.field', 'title')],
  ['an object among the tags', 'a.json', '{"tags":["a",{}]}', problem('details.field', 'tags')],
  [
    'a title that is too long',
    'a.json',
    JSON.stringify({ title: 'x'.repeat(1001) }),
    problem('details.field', 'title'),
  ],
  [
    'too many tags',
    'a.json',
    JSON.stringify({ tags: Array.from({ length: ITEM_FIELD.tags.most + 1 }, (_, at) => `t${at}`) }),
    problem('details.field', 'tags'),
  ],
  ['UTF-16', 'a.json', bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0), problem('details.encoding')],
  ['Latin-1', 'a.txt', bytes(0x4d, 0xfc, 0x6c, 0x6c), problem('details.encoding')],
  ['NUL characters', 'a.txt', 'a\u0000b', problem('details.encoding')],
  ['a long first line', 'a.txt', `${'x'.repeat(1001)}\nrest`, problem('details.field', 'title')],
  ['a text that is too large', 'a.txt', 'x\n'.repeat(40_000), problem('details.too-large')],
  ['JSON that is too large', 'a.json', new Uint8Array(4 * 1024 * 1024 + 1), problem('details.too-large')],
  ['XML with an element that is not closed', 'a.xml', '<a><title>x</a>', problem('details.damaged')],
  ['XML that is cut off', 'a.xml', '<a><title>x</title>', problem('details.damaged')],
  ['XML without an element', 'a.xml', 'title', problem('details.damaged')],
  [
    'XML that defines an entity',
    'a.xml',
    '<!DOCTYPE a [<!ENTITY e "x">]><a><title>&e;</title></a>',
    problem('details.damaged'),
  ],
  ['XML that refers to half a character', 'a.xml', '<a><title>x&#xD83D;</title></a>', problem('details.damaged')],
  ['XML that refers to a file', 'a.xml', '<!doctype a SYSTEM "file:///etc/passwd"><a/>', problem('details.damaged')],
  [
    'XML that declares another encoding',
    'a.xml',
    '<?xml version="1.0" encoding="latin1"?><a/>',
    problem('details.encoding'),
  ],
  ['XML with elements in the title', 'a.xml', '<a><title>x<b>y</b></title></a>', problem('details.field', 'title')],
  ['two titles in XML', 'a.xml', '<a><title>x</title><title>y</title></a>', problem('details.field', 'title')],
  [
    'XML elements that are nested too deep',
    'a.xml',
    '<a>'.repeat(40) + '</a>'.repeat(40),
    problem('details.too-large'),
  ],
  ['too many XML elements', 'a.xml', `<a>${'<b/>'.repeat(10_001)}</a>`, problem('details.too-large')],
])('a details file is refused: %s', (_, name, text, expected) => {
  expect(read(name, text)).toEqual(expected);
});

it('hostile contents are read quickly and never throw', () => {
  const isWithin = computingTime(2000);
  expect(read('a.json', '['.repeat(2_000_000))).toEqual(problem('details.damaged'));
  expect(read('a.json', `{"title":"x","__proto__":{"byline":"y"}}`)).toEqual({
    kind: 'details',
    fields: { title: 'x' },
  });
  expect(read('a.xml', `<a><subject>${'x '.repeat(400_000)}</subject></a>`).kind).toBe('problem');
  expect(read('a.xml', `<a>${'<subject>x</subject>'.repeat(9_000)}</a>`).kind).toBe('problem');
  expect(read('a.xml', `<?xml ${'a'.repeat(900_000)}`).kind).toBe('problem');
  expect(read('a.xml', '<'.repeat(900_000)).kind).toBe('problem');
  expect(isWithin()).toBe(true);
  // Every beginning of a valid file is read without an exception, and the file with any of its bytes replaced.
  for (const [name, text] of [
    ['a.json', '{"title":"ä","tags":["a","b"],"description":"<p>x</p>"}'],
    ['a.xml', '<?xml version="1.0"?><m:r xmlns:m="u" a="1"><m:title>ä &amp; b</m:title><!-- c --><tag>x</tag></m:r>'],
    ['a.txt', 'Ä\nb\n'],
  ] as const) {
    const good = new TextEncoder().encode(text);
    for (let at = 0; at < good.length; at += 1) {
      expect(read(name, good.subarray(0, at)).kind).toMatch(/details|none|problem/);
      for (const value of [0, 0x22, 0x3c, 0x26, 0x5d, 0xff]) {
        const damaged = good.slice();
        damaged[at] = value;
        expect(read(name, damaged).kind).toMatch(/details|none|problem/);
      }
    }
  }
});
