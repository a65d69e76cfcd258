// Spreadsheets as other programs write them. Most were made by hand after files of Excel; `headerbold` and `f-last-row-height` by
// LibreOffice, `empty-first` by openpyxl and LibreOffice, `openpyxl` by openpyxl, `gnumeric16` by gnumeric.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDelimited } from '../../../../electron/engine/manifest/table/read-delimited.ts';
import { readXlsx } from '../../../../electron/engine/manifest/table/read-xlsx.ts';
import { isKnownHeader } from '../../../../shared/model/manifest/fields.ts';

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/spreadsheets/${name}`, import.meta.url));

describe('a spreadsheet of another program', () => {
  it.each([
    ['a number in a coloured format', 'magenta', '42'],
    ['a time without a day', 'time-only', '10:30:00'],
    ['a duration of more than a day', 'elapsed', '36:00:00'],
    ['a new kind of error', 'error-field', '#FIELD!'],
    ['an error while data is fetched', 'error-new', '#GETTING_DATA'],
    ['an emoji as a reference', 'charref-astral', 'Talk 😀 end 🎬'],
    ['a text with a reading aid', 'inline-phonetic', '課きく'],
    ['elements with a prefix', 'prefix-x', 'Plain2'],
    ['another prefix of relations', 'rel-prefix-other', 'Plain2'],
    ['another name of the main part', 'workbook-other-path', 'Plain2'],
    ['another name of the texts', 'shared-other-path', 'Plain2'],
    ['names with backslashes', 'backslash-names', 'Plain2'],
    ['parts in UTF-16', 'xml-utf16', 'Plain2'],
    ['a height of the last row', 'f-last-row-height', 'Plain2'],
    ['formats up to the last column', 'headerbold', 'Plain2'],
    ['a hidden first sheet', 'hidden-first', 'Plain2'],
    ['a chart as its first sheet', 'chartsheet-first', 'Plain2'],
  ])('is read when it has %s', (_, name, text) => {
    expect(readXlsx(fixture(`${name}.xlsx`), null).rows).toEqual([
      { row: 1, line: null, cells: ['id', 'title'] },
      { row: 2, line: null, cells: ['m:1', text] },
    ]);
  });

  it('gives the name of its first visible sheet with cells, and the number of those with cells', () => {
    expect(readXlsx(fixture('hidden-first.xlsx'), null)).toMatchObject({ name: 'S', sheets: 2 });
    expect(readXlsx(fixture('chartsheet-first.xlsx'), null)).toMatchObject({ name: 'S', sheets: 1 });
  });

  it('gives its first visible sheet with a text when LibreOffice saved a chart as an empty sheet before it', () => {
    const { name, rows } = readXlsx(fixture('empty-first.xlsx'), null);
    expect(name).toBe('Sheet');
    expect(rows.map(({ cells }) => cells[1])).toEqual([
      ...['title', '10:30:00', '36:00:00', '2031-05-06T09:00:00', '42', '2031-05-06'],
    ]);
  });

  it('is read as UTF-16 without a mark when characters have a zero byte on the other side', async () => {
    const options = { encoding: null, separator: null, isKnown: isKnownHeader };
    const { rows, encoding } = await readDelimited([fixture('gnumeric16.csv')], options);
    expect(encoding).toMatchObject({ encoding: 'utf-16le', evidence: 'nul-pattern' });
    expect(rows[1]?.cells.slice(0, 2)).toEqual(['m:43', '😀'.repeat(50)]);
  });
});
