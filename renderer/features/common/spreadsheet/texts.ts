import type { Separator } from '../../../../shared/model/table/delimited-reader.ts';
import type { Encoding } from '../../../../shared/model/table/encodings.ts';
import { defineTexts, plural } from '../../../kit/text/define-texts.ts';

/** The texts about a spreadsheet that is read: its format, its columns, and its rows with errors. */
export const texts = defineTexts({
  en: {
    encoding: 'Encoding',
    encodings: {
      'utf-8': 'UTF-8',
      'utf-16le': 'UTF-16 (little endian)',
      'utf-16be': 'UTF-16 (big endian)',
      'windows-1252': 'Windows-1252 (Western European)',
    } satisfies Record<Encoding, string>,
    separator: 'Separator',
    sheet: (name: string, count: number) => `Sheet “${name}” of ${count}`,
    separators: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab' } satisfies Record<Separator, string>,
    detect: 'Detect',
    detected: 'Detected',
    columns: 'Columns',
    column: 'Column in the file',
    example: 'Example',
    unnamed: (column: number) => `Column ${column}`,
    noExample: 'Empty',
    badRows: (count: number) => plural(count, { one: '# row has errors', other: '# rows have errors' }),
    row: 'Row',
    place: 'Column',
    value: 'Value',
    error: 'Error',
    wholeRow: 'Whole row',
    saveErrors: 'Save a copy with an error column…',
    again: 'Read the file again',
  },
});
