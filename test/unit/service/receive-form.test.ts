// Forms cut anywhere, at the limits, malformed and cut short. Uploads to files over HTTP: see upload.test.ts.
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FileSink, SinkEvents } from '../../../service/storage/file-sink.ts';
import { type FormRequest, receiveForm } from '../../../service/uploads/receive-form.ts';
import { Problem } from '../../../service/wire/problem.ts';

const BOUNDARY = 'bnd-X';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part of a form; a file when it has a file name. Contents are in latin1. */
interface Part {
  name: string;
  fileName?: string;
  content: string;
}

/** The received data: the name of the file and its bytes in latin1. */
interface Received {
  fileName: string;
  content: string;
}

/** A sink in memory that asks the sender to pause after every `fullEvery`th write. */
function memorySink(store: Buffer[], fullEvery: number): (events: SinkEvents) => FileSink {
  return ({ onRoom }) => {
    let writes = 0;
    return {
      begin: () => {},
      write(chunk) {
        store.push(Buffer.from(chunk));
        writes += 1;
        if (writes % fullEvery !== 0) return true;
        setImmediate(onRoom);
        return false;
      },
      finish: async () => {},
      abandon: async () => {},
    };
  };
}

async function receive(
  chunks: readonly Buffer[],
  sizeBytes: number,
  {
    fields = {},
    type = TYPE,
    fullEvery = 2,
    store = [],
  }: { fields?: Record<string, string>; type?: string; fullEvery?: number; store?: Buffer[] } = {},
): Promise<Received> {
  const body = Readable.from(
    chunks.filter(({ length }) => length > 0),
    { objectMode: false },
  );
  const request: FormRequest = Object.assign(body, { headers: { 'content-type': type }, complete: true });
  const expected = { fileParam: 'file', fields, sizeBytes, openSink: memorySink(store, fullEvery) };
  const { fileName } = await receiveForm(request, { ...expected, onBytes: () => {}, log: () => {} });
  return { fileName, content: Buffer.concat(store).toString('latin1') };
}

/** Writes a form as browsers do. */
function form(parts: readonly Part[]): Buffer {
  const pieces = parts.map(({ name, fileName, content }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    const type = fileName === undefined ? '' : 'Content-Type: application/x-thing\r\n';
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`;
    return Buffer.concat([Buffer.from(head), Buffer.from(content, 'latin1'), Buffer.from('\r\n')]);
  });
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function cut(bytes: Buffer, positions: readonly number[]): Buffer[] {
  const edges = [0, ...positions.map((at) => Math.min(at, bytes.length)).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

/** A file whose bytes almost equal the delimiter in every way. */
const TRICKY = `\r\n--bnd-\r\n--bnd-Y\r\r\n--bnd\r\n\r\n--bnd-x--\r\n-\r\n--\r\n\r\n--bnd-\r\n--bnd-\r\r\r\n\r\n--bnd`;

describe('the file of a form is received unchanged when the form arrives', () => {
  const fields = { key: 'files/1', empty: '' };
  const file = { name: 'file', fileName: 'ünï %22cödé%22.bin', content: TRICKY };
  const bytes = form([{ name: 'key', content: 'files/1' }, { name: 'empty', content: '' }, file]);
  const expected = { fileName: 'ünï "cödé".bin', content: TRICKY };

  test('in two pieces, split at every position', async () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await receive(cut(bytes, [at]), TRICKY.length, { fields })).toEqual(expected);
    }
  });

  test('in three pieces, split at every pair of positions of a short form', async () => {
    const content = '\r\n--bnd-\r\n';
    const short = form([{ name: 'file', fileName: 'a', content }]);
    for (let first = 0; first <= short.length; first += 1) {
      for (let second = first; second <= short.length; second += 1)
        expect(await receive(cut(short, [first, second]), content.length)).toEqual({ fileName: 'a', content });
    }
  });

  test('in chunks of 1 to 40 bytes', async () => {
    for (let size = 1; size <= 40; size += 1) {
      const positions = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => (index + 1) * size);
      expect(await receive(cut(bytes, positions), TRICKY.length, { fields })).toEqual(expected);
    }
  });
});

/** Contents made of pieces of the delimiter, but never the complete delimiter. */
const contents = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r',
        '\n',
        '-',
        '\r\n',
        '\r\n--',
        '\r\n--bnd',
        '\r\n--bnd-',
        `--${BOUNDARY}`,
        '--',
        '\0',
        '\xff',
      ),
      fc.string({ unit: fc.constantFrom(...'\r\n-bdnX'), maxLength: 12 }),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))
  .filter((text) => !`\r\n${text}\r\n--${BOUNDARY}`.slice(0, -1).includes(`\r\n--${BOUNDARY}`));
const names = fc.string({ unit: fc.constantFrom(...'abcäß漢 .;=:-_'), minLength: 1, maxLength: 20 });
const values = fc
  .string({ unit: fc.constantFrom(...'\r\n-bdnX:;é"'), maxLength: 40 })
  .filter((text) => !`\r\n${text}\r\n`.includes(`\r\n--${BOUNDARY}`));
const forms = fc.record({
  fields: fc.dictionary(names, values, { maxKeys: 5, noNullPrototype: true }),
  fileName: names,
  content: contents,
});
type RandomForm = typeof forms extends fc.Arbitrary<infer T> ? T : never;
const bytesOf = ({ fields, fileName, content }: RandomForm) =>
  form([
    ...Object.entries(fields).map(([name, text]) => ({ name, content: Buffer.from(text).toString('latin1') })),
    { name: 'file', fileName, content },
  ]);

describe('random forms', () => {
  test('are received as they were sent, with random splits and pauses', async () => {
    await fc.assert(
      fc.asyncProperty(
        forms,
        fc.array(fc.nat(2000), { maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        async (...all) => {
          const [sent, positions, fullEvery] = all;
          const { fields, fileName, content } = sent;
          const received = await receive(cut(bytesOf(sent), positions), content.length, { fields, fullEvery });
          expect(received).toEqual({ fileName, content });
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('are refused when they are truncated', async () => {
    await fc.assert(
      fc.asyncProperty(forms, fc.nat(), fc.array(fc.nat(2000), { maxLength: 5 }), async (sent, at, positions) => {
        const bytes = bytesOf(sent);
        // The line end after the final delimiter is not part of the form.
        const short = bytes.subarray(0, at % (bytes.length - 2));
        const receiving = receive(cut(short, positions), sent.content.length, { fields: sent.fields });
        await expect(receiving).rejects.toBeInstanceOf(Problem);
      }),
      { numRuns: 1000 },
    );
  });

  test('of random pieces are received, or refused with a Problem, and never cause another exception', async () => {
    const noise = fc.array(
      fc.oneof(
        fc.constantFrom(
          ...[`--${BOUNDARY}`, `\r\n--${BOUNDARY}`, '\r\n', '\r\n\r\n', '--', ';', '"', '\\', ':', '*='],
          ...[
            'Content-Disposition: form-data',
            '; name="a"',
            '; name="file"',
            '; filename="b"',
            "; filename*=utf-8''%e2",
          ],
          ...['Content-Type: text/plain; charset=utf-16le', 'Content-Type: application/octet-stream'],
        ),
        fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      ),
      { maxLength: 40 },
    );
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(noise, fc.array(fc.nat(300), { maxLength: 6 }), async (pieces, positions) => {
        try {
          await receive(cut(Buffer.from(pieces.join(''), 'latin1'), positions), 3);
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
          refused += 1;
        }
      }),
      { numRuns: 3000 },
    );
    expect(refused).toBeGreaterThan(1000);
  });
});

const text = (content: string) => Buffer.from(content, 'utf8');
const part = (headers: string, content = 'x') => `--${BOUNDARY}\r\n${headers}\r\n\r\n${content}\r\n`;
const END = `--${BOUNDARY}--`;
const FIELD = 'Content-Disposition: form-data; name="a"';
const FILE = 'Content-Disposition: form-data; name="file"; filename="b"';

describe('a form is accepted with', () => {
  test.each<[string, string, Received]>([
    ['nothing after the last delimiter', part(FILE) + END, { fileName: 'b', content: 'x' }],
    [
      'text before the first part and after the last',
      `before\r\n${part(FILE)}${END}\r\nbehind`,
      { fileName: 'b', content: 'x' },
    ],
    [
      'header names in any case',
      part('CONTENT-disposition:form-data;NAME=file;FileName=b') + END,
      { fileName: 'b', content: 'x' },
    ],
    ['a file with an empty name', part(FILE.replace('"b"', '""')) + END, { fileName: '', content: 'x' }],
    [
      'bytes without a file name',
      part('Content-Disposition: form-data; name="file"\r\ncontent-type: application/octet-stream') + END,
      { fileName: '', content: 'x' },
    ],
    [
      'escaped quotes within a name',
      part(FILE.replace('"b"', '"a \\"b\\" c.bin"')) + END,
      { fileName: 'a "b" c.bin', content: 'x' },
    ],
    [
      'a Windows path as a name',
      part(FILE.replace('"b"', '"C:\\dir\\a.bin"')) + END,
      { fileName: 'C:\\dir\\a.bin', content: 'x' },
    ],
    [
      'a semicolon within quotes',
      part(FILE.replace('"b"', '"a; name=b"')) + END,
      { fileName: 'a; name=b', content: 'x' },
    ],
    ['line ends as the complete content', part(FILE, '\r\n\r\n') + END, { fileName: 'b', content: '\r\n\r\n' }],
  ])('%s', async (_what, body, expected) => {
    for (let at = 0; at <= text(body).length; at += 1) {
      expect(await receive(cut(text(body), [at]), expected.content.length)).toEqual(expected);
    }
  });

  test('a boundary in quotes, with characters of patterns', async () => {
    const body = `--a.b+(c)'?\r\n${FILE}\r\n\r\nx\r\n--a.b+(c)'?--`;
    const type = `multipart/form-data; charset=utf-8; boundary="a.b+(c)'?"`;
    expect(await receive([text(body)], 1, { type })).toEqual({ fileName: 'b', content: 'x' });
  });

  test('the fields of the upload', async () => {
    const body = text(part(FIELD, 'other') + part(FILE) + END);
    expect(await receive([body], 1, { fields: { a: 'other' } })).toEqual({ fileName: 'b', content: 'x' });
  });
});

describe('a form is refused with', () => {
  test.each<[string, string]>([
    ['an empty body', ''],
    ['a form without parts', END],
    ['a delimiter without a line end', `--${BOUNDARY}`],
    ['a last delimiter that lacks a dash', `${part(FILE)}--${BOUNDARY}-`],
    ['a last delimiter that contains a line end', `${part(FILE)}--${BOUNDARY}\r\n--`],
    ['a part without headers', `--${BOUNDARY}\r\n\r\nx\r\n${END}`],
    ['a field without a name', part('Content-Disposition: form-data') + part(FILE) + END],
    ['a file without a name of its field', part('Content-Disposition: form-data; filename="b"') + END],
    [
      'a file with the disposition “attachment”',
      part('Content-Disposition: attachment; name="file"; filename="b"') + END,
    ],
    ['headers without an end', `--${BOUNDARY}\r\n${FILE}\r\n`],
    ['headers that are too long', part(`x: ${'y'.repeat(17_000)}\r\n${FILE}`) + END],
    ['headers that are too long and never end', `--${BOUNDARY}\r\nx: ${'y'.repeat(70_000)}`],
    [
      'too many headers',
      part(`${Array.from({ length: 21 }, (_, index) => `x${index}: y`).join('\r\n')}\r\n${FILE}`) + END,
    ],
    ['a field that is too long', part(FIELD, 'x'.repeat(16 * 1024 + 1)) + part(FILE) + END],
    ['too many fields', part(FIELD).repeat(21) + part(FILE) + END],
    ['a field after the file', part(FILE) + part(FIELD) + END],
    ['two files', part(FILE) + part(FILE) + END],
    ['a file in another field', part(FILE.replace('"file"', '"a"')) + END],
    ['too much before the first part', `${'x'.repeat(70_000)}\r\n${part(FILE)}${END}`],
    ['too much after the last part', part(FILE) + END + 'x'.repeat(70_000)],
    ['a part without Content-Disposition that is too long', part('x: y', 'x'.repeat(70_000)) + part(FILE) + END],
    ['a file that is one byte too long', part(FILE, 'xx') + END],
    ['a file that is one byte too short', part(FILE, '') + END],
  ])('%s', async (_what, body) => {
    const bytes = text(body);
    const everySeventh = Array.from({ length: 60 }, (_, index) => index * 7);
    for (const chunks of [[bytes], cut(bytes, everySeventh)]) {
      await expect(receive(chunks, 1)).rejects.toMatchObject({ status: 400 });
    }
  });

  test.each([
    '',
    'text/plain',
    'multipart/form-data',
    'multipart/mixed; boundary=x',
    `multipart/form-data; boundary=${'x'.repeat(300)}`,
  ])('the content type %j', async (type) => {
    await expect(receive([], 1, { type })).rejects.toMatchObject({ status: 400 });
  });

  test.each<Record<string, string>>([{ a: 'x' }, { a: 'other', b: 'x' }])(
    'other fields than %j, before a byte of the file is written',
    async (fields) => {
      const body = text(part(FIELD, 'other') + part(FILE) + END);
      const store: Buffer[] = [];
      await expect(receive([body], 1, { fields, store })).rejects.toMatchObject({ status: 403 });
      expect(store).toEqual([]);
    },
  );
});
