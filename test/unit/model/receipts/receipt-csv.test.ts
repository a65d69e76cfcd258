import { describe, expect, it } from 'vitest';
import type { ReceiptLine } from '../../../../shared/contract/uploads.ts';
import { receiptToCsv } from '../../../../shared/model/receipts/receipt-csv.ts';
import { aReceipt } from '../../../helpers/data/receipts.ts';

const LINE: ReceiptLine = {
  uploadId: 'u1',
  path: '/rec/a.wav',
  fileName: 'a.wav',
  sizeBytes: 5,
  sha256: 'ab',
  title: 'a',
  outcome: 'complete',
  mediaId: 'm1',
  fileId: 'f1',
  attempts: 1,
  addedAt: '2027-03-01T09:00:00Z',
  endedAt: null,
  errorCode: null,
  errorMessage: null,
  link: null,
  followUps: [],
};

const receiptOf = (lines: Partial<ReceiptLine>[]) => aReceipt(lines.map((line) => ({ ...LINE, ...line })));

interface Field {
  value: string;
  /** The position after the field. */
  end: number;
}

/** Reads the field that begins with the quote at this position. */
function readQuoted(text: string, from: number): Field {
  let value = '';
  for (let at = from + 1; ; at += 1) {
    if (text[at] === '"' && text[at + 1] === '"') at += 1;
    else if (text[at] === '"') return { value, end: at + 1 };
    value += text[at];
  }
}

function readPlain(text: string, from: number): Field {
  let at = from;
  for (; at < text.length && text[at] !== ',' && text[at] !== '\r'; at += 1) {
    if (text[at] === '"' || text[at] === '\n') throw new Error(`bare ${JSON.stringify(text[at])}`);
  }
  return { value: text.slice(from, at), end: at };
}

/** An RFC 4180 parser that is independent of the writer. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const field = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
    at = field.end;
    row.push(field.value);
    if (text[at] === ',') at += 1;
    else if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else throw new Error(`unexpected text at ${at}`);
  }
  return rows;
}

describe('a receipt as CSV', () => {
  it('names what was done after the upload, with failures and guesses', () => {
    const error = { code: 'upload.tags-missing', message: 'Some tags are missing.', nextStep: null, details: null };
    const followUps: ReceiptLine['followUps'] = [
      { kind: 'captions', state: 'done', fileName: 'a.srt', error: null, guessed: 'windows-1251' },
      { kind: 'tags', state: 'failed', fileName: '', error },
      { kind: 'source', state: 'done', fileName: '/sent/a.wav', error: null },
    ];
    const [header, row] = readCsv(receiptToCsv(receiptOf([{ followUps }])));
    expect([header?.at(-1), row?.at(-1)]).toEqual([
      'follow_ups',
      'Captions: a.srt, read as windows-1251: a guess; Tags failed. Some tags are missing.; Local file: /sent/a.wav',
    ]);
  });

  it('has a header and one line for each file, all with the same number of fields', () => {
    const rows = readCsv(receiptToCsv(receiptOf([{}, { outcome: 'failed', errorCode: 'file.missing' }])));
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    const column = (name: string) => rows[0]?.indexOf(name) ?? -1;
    expect(rows.slice(1).map((row) => row[column('outcome')])).toEqual(['complete', 'failed']);
    expect(rows[2]?.[column('error_code')]).toBe('file.missing');
    expect(rows[1]?.[column('size_bytes')]).toBe('5');
  });

  it('keeps quotes, commas, line breaks and umlauts', () => {
    const names = ['Interview “Müller” 🎙.wav', 'a,b.wav', 'say "hi".wav', 'two\r\nlines.wav', 'semi;colon'];
    const rows = readCsv(receiptToCsv(receiptOf(names.map((fileName) => ({ fileName })))));
    const column = rows[0]?.indexOf('file_name') ?? -1;
    expect(rows.slice(1).map((row) => row[column])).toEqual(names);
  });

  it.each(['=1+1', '+49', '-2', '@cmd', '\tx', '\rx', '＝1', '=HYPERLINK("http://x","y")'])(
    'can’t make a spreadsheet run %j',
    (title) => {
      const rows = readCsv(receiptToCsv(receiptOf([{ title }])));
      expect(rows[1]?.[rows[0]?.indexOf('title') ?? -1]).toBe(`'${title}`);
    },
  );
});
