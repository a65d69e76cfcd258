// CSV files that are damaged or unusual.
import type { Separator } from '../../../shared/model/table/delimited-reader.ts';
import type { TextEncoding } from '../../../shared/model/table/encodings.ts';
import { TABLE_LIMITS, type TableProblem } from '../../../shared/model/table/table-error.ts';

export interface Chosen {
  encoding?: TextEncoding;
  separator?: Separator;
}

export const utf8 = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'));
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const utf16le = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const utf16be = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16());
const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const bytes = (...parts: readonly (string | Uint8Array)[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? utf8(part) : part))));

type Damaged = readonly [
  name: string,
  file: Uint8Array,
  problem: TableProblem,
  row?: number | null,
  column?: number | null,
];

/** Kinds of damage in the second cell of the second row. */
const IN_A_CELL: readonly (readonly [name: string, cell: Uint8Array, problem: TableProblem])[] = [
  ['a lone continuation byte', bytes('a', hex('80'), 'b'), 'encoding'],
  ['an overlong character', bytes('a', hex('c0 af')), 'encoding'],
  ['a surrogate', bytes(hex('ed a0 80'), 'b'), 'encoding'],
  ['a byte that UTF-8 never contains', bytes('a', hex('fe'), 'b'), 'encoding'],
  ['a truncated character', bytes('a', hex('e2 82')), 'encoding'],
  ['a NUL', bytes('a', hex('00')), 'nul'],
  ['an open quote', utf8('"a'), 'quote-open'],
  ['text after a quote', utf8('"a"b'), 'quote-stray'],
];

/** Each kind of damage with each separator and each line end. */
const IN_EVERY_FORMAT: readonly Damaged[] = [',', ';', '\t'].flatMap((separator) =>
  ['\n', '\r\n'].flatMap((end) =>
    IN_A_CELL.map(([name, cell, problem]): Damaged => {
      const row = (cells: readonly (string | Uint8Array)[]) =>
        bytes(...cells.flatMap((each, at) => (at === 0 ? [each] : [separator, each])), end);
      const file = bytes(row(['id', 'title', 'tags']), row(['m:1', cell, 'x']), row(['m:2', 'b', 'y']));
      return [`${name}, ${JSON.stringify(separator)}, ${JSON.stringify(end)}`, file, problem, 2, 2];
    }),
  ),
);

/** Files that can't be read: each has one clear error with its place. */
export const DAMAGED: readonly Damaged[] = [
  ...IN_EVERY_FORMAT,
  // Encodings.
  ['Latin-1 in the header', latin1('id,title,Größe\r\n1,a,b'), 'encoding', 1, 3],
  ['Latin-1 in a cell', latin1('id,title\r\nm:1,Größe'), 'encoding', 2, 2],
  ['Latin-1 in a late row', latin1(`id,title\r\n${'m:1,x\r\n'.repeat(2000)}m:2,é`), 'encoding', 2002, 2],
  ['Windows-1252 quotes', bytes('id,title\nm:1,', hex('93'), 'a', hex('94')), 'encoding', 2, 2],
  ['a lone continuation byte', bytes('id,title\nm:1,a', hex('80'), 'b'), 'encoding', 2, 2],
  ['a truncated character at the end', bytes('id,title\nm:1,a', hex('e2 82')), 'encoding', 2, 2],
  ['a truncated character before a separator', bytes('id,title\nm:1,', hex('e2 82'), ',x'), 'encoding', 2, 2],
  ['an overlong character', bytes('id,title\nm:1,', hex('c0 af')), 'encoding', 2, 2],
  ['a surrogate in the last cell', bytes('id,title\nm:1,', hex('ed a0 80')), 'encoding', 2, 2],
  ['a character beyond Unicode', bytes('id,title\nm:1,', hex('f5 80 80 80')), 'encoding', 2, 2],
  ['Shift-JIS', bytes('id,title\nm:1,', hex('8d 75 8b 60')), 'encoding', 2, 2],
  [
    'a lone surrogate in the middle of UTF-16',
    bytes(hex('ff fe'), utf16le('id,title\nm:1,'), hex('00 d8'), utf16le('x')),
    'encoding',
    2,
    2,
  ],
  ['UTF-16 with an odd length', bytes(hex('ff fe'), utf16le('id,title\nm:1,a'), hex('62')), 'encoding', 2, 2],
  [
    'UTF-16 that ends with half a surrogate pair',
    bytes(hex('ff fe'), utf16le('id,title\nm:1,a'), hex('3d d8')),
    'encoding',
    2,
    2,
  ],
  [
    'UTF-16BE with a lone surrogate',
    bytes(hex('fe ff'), utf16be('id,title\nm:1,a'), hex('dc 00'), utf16be('b')),
    'encoding',
    2,
    2,
  ],
  [
    'UTF-8 with the byte order mark of UTF-16',
    bytes(hex('ff fe'), 'id,title\nm:1,ab\n', hex('d8 d8 d8 d8')),
    'encoding',
  ],
  // NUL characters.
  ['a NUL in the header', bytes('id,ti', hex('00'), 'tle\nm:1,a'), 'nul', 1, 2],
  ['a NUL in a cell', bytes('id,title\nm:1,a', hex('00'), 'b'), 'nul', 2, 2],
  ['a NUL in quotes', bytes('id,title\nm:1,"a', hex('00'), '"'), 'nul', 2, 2],
  ['NULs at the end, as after a crash', bytes('id,title\nm:1,a\n', hex('00 00 00 00')), 'nul', 3, 1],
  ['only NULs', new Uint8Array(5000), 'nul', 1, 1],
  ['a NUL in a late row', bytes(`id,title\n${'m:1,x\n'.repeat(2000)}m:2,`, hex('00')), 'nul', 2002, 2],
  // Quotes.
  ['an open quote in the header', utf8('id,"title\nm:1,a'), 'quote-open', 1, 2],
  ['an open quote in the last cell', utf8('id,title\nm:1,"a'), 'quote-open', 2, 2],
  ['an open quote before many rows', utf8(`id,title\nm:1,"a\n${'m:2,b\n'.repeat(300)}`), 'quote-open', 2, 2],
  ['an odd number of quotes', utf8('id,title\nm:1,"a""'), 'quote-open', 2, 2],
  ['a quote only', utf8('"'), 'quote-open', 1, 1],
  ['text after a quote', utf8('id,title\nm:1,"a"b'), 'quote-stray', 2, 2],
  ['a blank after a quote', utf8('id,title\nm:1,"a" ,b'), 'quote-stray', 2, 2],
  ['quotes that are not doubled', utf8('id,title\nm:1,"say "hi" to"'), 'quote-stray', 2, 2],
  ['quotes with a backslash', utf8('id,title\nm:1,"say \\"hi\\""'), 'quote-stray', 2, 2],
  ['a comma after a quote in a table with semicolons', utf8('id;title;tags\n"m:1","a","b"'), 'quote-stray', 2, 1],
  // Separators.
  ['two possible separators', utf8('a,b;c\n1,2;3'), 'separator-unclear', 1],
  ['three possible separators', utf8('a,b;c\td\n'), 'separator-unclear', 1],
  ['two possible separators, both with known column names', utf8('id,x;title\n'), 'separator-unclear', 1],
  // Limits.
  ['300 columns in the header', utf8(`${'x,'.repeat(300)}x`), 'too-many-columns', 1, 257],
  ['300 columns in a row', utf8(`id,title\n${'x,'.repeat(300)}x`), 'too-many-columns', 2, 257],
  ['a huge cell', utf8(`id,title\nm:1,${'x'.repeat(TABLE_LIMITS.cellChars + 1)}`), 'cell-too-long', 2, 2],
  ['a huge cell in quotes', utf8(`id,title\nm:1,"${'x\n'.repeat(TABLE_LIMITS.cellChars)}`), 'cell-too-long', 2, 2],
  ['a huge header', utf8('x'.repeat(TABLE_LIMITS.cellChars + 1)), 'cell-too-long', 1, 1],
  ['too many rows', utf8(`id,title\n${'1,\n'.repeat(100_001)}`), 'too-many-rows', 100_002],
  // No table at all.
  ['an empty file', new Uint8Array(), 'empty', null],
  ['a byte order mark only', hex('ef bb bf'), 'empty', null],
  ['the byte order mark of UTF-16 only', hex('ff fe'), 'empty', null],
  ['line ends only', utf8('\r\n\r\n\n\r'), 'empty', null],
  ['separators only', utf8(',,,\n,,,'), 'empty', null],
  ['empty quotes only', utf8('""'), 'empty', null],
  ['a declared separator only', utf8('sep=;\r\n'), 'empty', null],
  ['an XLSX file with the wrong name', bytes(hex('50 4b 03 04'), new Uint8Array(100)), 'not-a-table', null],
  ['an old XLS file', hex('d0 cf 11 e0 a1 b1 1a e1 00 00'), 'not-a-table', null],
  ['a PDF', utf8('%PDF-1.7\n%âãÏÓ'), 'not-a-table', null],
  ['a PNG', hex('89 50 4e 47 0d 0a 1a 0a 00'), 'not-a-table', null],
  ['a JPEG', hex('ff d8 ff e0 00 10'), 'not-a-table', null],
  ['a gzip file', hex('1f 8b 08 00 00 00'), 'not-a-table', null],
];

type Readable = readonly [name: string, file: Uint8Array, chosen: Chosen, rows: string[][], how: string];

const TABLE = [
  ['id', 'title'],
  ['m:1', 'Größe'],
];

/** Unusual files that are read completely. `how`: encoding, its evidence, separator, its evidence. */
export const READABLE: readonly Readable[] = [
  ['UTF-8', utf8('id,title\nm:1,Größe'), {}, TABLE, 'utf-8 default , header'],
  ['UTF-8 with a byte order mark', bytes(hex('ef bb bf'), 'id,title\nm:1,Größe'), {}, TABLE, 'utf-8 bom , header'],
  [
    'UTF-16LE with a byte order mark',
    bytes(hex('ff fe'), utf16le('id,title\nm:1,Größe')),
    {},
    TABLE,
    'utf-16le bom , header',
  ],
  [
    'UTF-16BE with a byte order mark',
    bytes(hex('fe ff'), utf16be('id,title\nm:1,Größe')),
    {},
    TABLE,
    'utf-16be bom , header',
  ],
  ['UTF-16LE without a byte order mark', utf16le('id,title\nm:1,Größe'), {}, TABLE, 'utf-16le nul-pattern , header'],
  ['UTF-16BE without a byte order mark', utf16be('id,title\nm:1,Größe'), {}, TABLE, 'utf-16be nul-pattern , header'],
  [
    '“Unicode text” of a spreadsheet',
    bytes(hex('ff fe'), utf16le('id\ttitle\r\nm:1\tGröße\r\n')),
    {},
    TABLE,
    'utf-16le bom \t header',
  ],
  [
    'Windows-1252 when chosen',
    latin1('id,title\nm:1,Größe'),
    { encoding: 'windows-1252' },
    TABLE,
    'windows-1252 chosen , header',
  ],
  [
    'the euro sign of Windows-1252',
    bytes('id\n', hex('80')),
    { encoding: 'windows-1252' },
    [['id'], ['€']],
    'windows-1252 chosen , single',
  ],
  [
    'UTF-8 when chosen, with a byte order mark',
    bytes(hex('ef bb bf'), 'id\nx'),
    { encoding: 'utf-8' },
    [['id'], ['x']],
    'utf-8 chosen , single',
  ],
  ['UTF-16BE when chosen', utf16be('id,title\nm:1,Größe'), { encoding: 'utf-16be' }, TABLE, 'utf-16be chosen , header'],
  ['semicolons', utf8('id;title\nm:1;Größe'), {}, TABLE, 'utf-8 default ; header'],
  ['tabs', utf8('id\ttitle\nm:1\tGröße'), {}, TABLE, 'utf-8 default \t header'],
  [
    'semicolons, and commas in quoted names',
    utf8('id;"last, first";x\n1;2;3'),
    {},
    [
      ['id', 'last, first', 'x'],
      ['1', '2', '3'],
    ],
    'utf-8 default ; header',
  ],
  [
    'semicolons, and commas in unquoted names',
    utf8('id;a, b\n1;2'),
    {},
    [
      ['id', 'a, b'],
      ['1', '2'],
    ],
    'utf-8 default ; header',
  ],
  ['a declared separator', utf8('sep=;\r\nid;title\r\nm:1;Größe'), {}, TABLE, 'utf-8 default ; declared'],
  [
    'a declared separator after a byte order mark',
    bytes(hex('ef bb bf'), 'sep=,\nid,title\nm:1,Größe'),
    {},
    TABLE,
    'utf-8 bom , declared',
  ],
  [
    'a chosen separator',
    utf8('a,b;c\n1,2;3'),
    { separator: ';' },
    [
      ['a,b', 'c'],
      ['1,2', '3'],
    ],
    'utf-8 default ; chosen',
  ],
  ['one column only', utf8('id\nm:1'), {}, [['id'], ['m:1']], 'utf-8 default , single'],
  [
    'unknown column names',
    utf8('a,b\n1,2'),
    {},
    [
      ['a', 'b'],
      ['1', '2'],
    ],
    'utf-8 default , header',
  ],
  ['old Mac line ends', utf8('id,title\rm:1,Größe\r'), {}, TABLE, 'utf-8 default , header'],
  ['mixed line ends', utf8('id,title\r\nm:1,Größe\n\r\n'), {}, TABLE, 'utf-8 default , header'],
  ['no line end', utf8('id,title'), {}, [['id', 'title']], 'utf-8 default , header'],
  ['everything in quotes', utf8('"id","title"\r\n"m:1","Größe"\r\n'), {}, TABLE, 'utf-8 default , header'],
  [
    'line breaks in cells',
    utf8('id,title\nm:1,"a\r\nb"'),
    {},
    [
      ['id', 'title'],
      ['m:1', 'a\r\nb'],
    ],
    'utf-8 default , header',
  ],
  [
    'a line break in the header',
    utf8('id,"ti\ntle"\nm:1,b'),
    {},
    [
      ['id', 'ti\ntle'],
      ['m:1', 'b'],
    ],
    'utf-8 default , header',
  ],
  [
    'a quote in the middle of a cell',
    utf8('id,title\nm:1,6" pipe'),
    {},
    [
      ['id', 'title'],
      ['m:1', '6" pipe'],
    ],
    'utf-8 default , header',
  ],
  [
    'rows with fewer cells than the header',
    utf8('id,title,tags\nm:1'),
    {},
    [['id', 'title', 'tags'], ['m:1']],
    'utf-8 default , header',
  ],
  [
    'rows with more cells than the header',
    utf8('id,title\nm:1,a,b'),
    {},
    [
      ['id', 'title'],
      ['m:1', 'a', 'b'],
    ],
    'utf-8 default , header',
  ],
  ['empty rows at the beginning', utf8('\n\nid,title\nm:1,Größe'), {}, TABLE, 'utf-8 default , header'],
  ['empty rows at the end', utf8('id,title\nm:1,Größe\n,\n,\n'), {}, TABLE, 'utf-8 default , header'],
  [
    'blanks around cells',
    utf8(' id , title\nm:1 ,a'),
    {},
    [
      [' id ', ' title'],
      ['m:1 ', 'a'],
    ],
    'utf-8 default , header',
  ],
  [
    'emoji in UTF-8',
    utf8('id,title\nm:1,🎧🎧🎧'),
    {},
    [
      ['id', 'title'],
      ['m:1', '🎧🎧🎧'],
    ],
    'utf-8 default , header',
  ],
  [
    'emoji in UTF-16LE',
    bytes(hex('ff fe'), utf16le('id,title\nm:1,🎧🎧')),
    {},
    [
      ['id', 'title'],
      ['m:1', '🎧🎧'],
    ],
    'utf-16le bom , header',
  ],
  [
    'an emoji in UTF-16BE',
    bytes(hex('fe ff'), utf16be('id,title\nm:1,🎧🎧')),
    {},
    [
      ['id', 'title'],
      ['m:1', '🎧🎧'],
    ],
    'utf-16be bom , header',
  ],
  [
    'a replacement character in the text',
    utf8('id,title\nm:1,\ufffd'),
    {},
    [
      ['id', 'title'],
      ['m:1', '\ufffd'],
    ],
    'utf-8 default , header',
  ],
  [
    'a byte order mark inside the text',
    utf8('id,title\nm:1,a\ufeffb'),
    {},
    [
      ['id', 'title'],
      ['m:1', 'a\ufeffb'],
    ],
    'utf-8 default , header',
  ],
  [
    'line separators of Unicode',
    utf8('id,title\nm:1,a\u2028b'),
    {},
    [
      ['id', 'title'],
      ['m:1', 'a\u2028b'],
    ],
    'utf-8 default , header',
  ],
  [
    'control characters',
    utf8('id,title\nm:1,a\u0007b'),
    {},
    [
      ['id', 'title'],
      ['m:1', 'a\u0007b'],
    ],
    'utf-8 default , header',
  ],
  [
    'the longest cell',
    utf8(`id,title\nm:1,${'x'.repeat(TABLE_LIMITS.cellChars)}`),
    {},
    [
      ['id', 'title'],
      ['m:1', 'x'.repeat(TABLE_LIMITS.cellChars)],
    ],
    'utf-8 default , header',
  ],
  [
    'formulas',
    utf8('id,title\nm:1,=1+1\nm:2,@x'),
    {},
    [
      ['id', 'title'],
      ['m:1', '=1+1'],
      ['m:2', '@x'],
    ],
    'utf-8 default , header',
  ],
  [
    'HTML',
    utf8('id,description\nm:1,"<p class=""x"">a, b</p>"'),
    {},
    [
      ['id', 'description'],
      ['m:1', '<p class="x">a, b</p>'],
    ],
    'utf-8 default , header',
  ],
  [
    'Arabic',
    utf8('id,title\nm:1,مرحبا'),
    {},
    [
      ['id', 'title'],
      ['m:1', 'مرحبا'],
    ],
    'utf-8 default , header',
  ],
  [
    'Japanese',
    utf8('id,title\nm:1,講義'),
    {},
    [
      ['id', 'title'],
      ['m:1', '講義'],
    ],
    'utf-8 default , header',
  ],
  [
    'Japanese in UTF-16',
    bytes(hex('ff fe'), utf16le('id,title\nm:1,講義')),
    {},
    [
      ['id', 'title'],
      ['m:1', '講義'],
    ],
    'utf-16le bom , header',
  ],
  [
    'column names with capitals',
    utf8('ID;Title\nm:1;Größe'),
    {},
    [
      ['ID', 'Title'],
      ['m:1', 'Größe'],
    ],
    'utf-8 default ; header',
  ],
];
