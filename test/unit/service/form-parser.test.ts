import { Busboy } from '@fastify/busboy';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFormParser, FORM_LIMITS, MalformedForm } from '../../../service/uploads/form-parser.ts';
import { parseParams } from '../../../service/uploads/header-params.ts';

const BOUNDARY = 'bnd-X';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part as it is meant; a file when it has a file name. */
interface Part {
  name: string;
  fileName?: string;
  content: string;
}

/** What was understood: contents in latin1, so that every byte shows. */
function parse(chunks: readonly Buffer[], type = TYPE): Part[] {
  const found: Part[] = [];
  const parser = createFormParser(type, {
    onField: (name, value) => found.push({ name, content: Buffer.from(value, 'utf8').toString('latin1') }),
    onFile: (name, fileName) => found.push({ name, content: '', ...(fileName === undefined ? {} : { fileName }) }),
    onFileBytes: (bytes) => {
      const part = found.at(-1);
      if (part) part.content += bytes.toString('latin1');
    },
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return found;
}

/** Writes a form as browsers do; contents are in latin1. */
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

/** Files out of everything that looks nearly like a delimiter. */
const TRICKY: readonly Part[] = [
  { name: 'key', content: 'files/1' },
  { name: 'empty', content: '' },
  {
    name: 'file',
    fileName: 'ünï "cödé".bin'.replaceAll('"', '%22'),
    content: `\r\n--bnd-\r\n--bnd-Y\r\r\n--bnd\r\n\r\n--bnd-x--\r\n-\r\n--\r\n\r\n--bnd-\r\n--bnd-\r\r\r\n\r\n--bnd`,
  },
];

describe('a form is understood the same, wherever it is cut', () => {
  const whole = form(TRICKY);

  test('whole', () => {
    expect(parse([whole])).toEqual(TRICKY);
  });

  test('in two, at every position', () => {
    for (let at = 0; at <= whole.length; at += 1) expect(parse(cut(whole, [at]))).toEqual(TRICKY);
  });

  test('in three, at every two positions of a short form', () => {
    const parts = [{ name: 'f', fileName: 'a', content: '\r\n--bnd-\r\n' }];
    const short = form(parts);
    for (let first = 0; first <= short.length; first += 1) {
      for (let second = first; second <= short.length; second += 1)
        expect(parse(cut(short, [first, second]))).toEqual(parts);
    }
  });

  test('byte by byte, and in chunks of every small size', () => {
    for (let size = 1; size <= 40; size += 1) {
      const positions = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) => (index + 1) * size);
      expect(parse(cut(whole, positions))).toEqual(TRICKY);
    }
  });
});

/** Contents made of pieces of the delimiter, but never all of it. */
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
  // Also with the line end that comes before it, which the headers end with.
  .filter((text) => !`\r\n${text}\r\n--${BOUNDARY}`.slice(0, -1).includes(`\r\n--${BOUNDARY}`));
const names = fc.string({ unit: fc.constantFrom(...'abcäß漢 .;=:-_'), minLength: 1, maxLength: 20 });
const fields = fc.string({ unit: fc.constantFrom(...'\r\n-bdnX:;é"'), maxLength: 40 });
const parts: fc.Arbitrary<Part[]> = fc
  .tuple(
    fc
      .array(fc.record({ name: names, content: fields.map((text) => Buffer.from(text).toString('latin1')) }), {
        maxLength: 5,
      })
      .map((list) => list.filter(({ content }) => !`\r\n${content}\r\n`.includes(`\r\n--${BOUNDARY}`))),
    fc.array(fc.record({ name: names, fileName: names, content: contents }), { maxLength: 2 }),
  )
  .map(([before, files]) => [...before, ...files]);

describe('random forms', () => {
  test('come out as they were put in, with random cuts', () => {
    fc.assert(
      fc.property(parts, fc.array(fc.nat(2000), { maxLength: 30 }), (list, positions) => {
        expect(parse(cut(form(list), positions))).toEqual(list);
      }),
      { numRuns: 2000 },
    );
  });

  test('come out as another parser understands them', async () => {
    await fc.assert(
      fc.asyncProperty(parts, fc.array(fc.nat(2000), { maxLength: 8 }), async (list, positions) => {
        const bytes = form(list);
        expect(parse(cut(bytes, positions))).toEqual(await byBusboy(bytes));
      }),
      { numRuns: 300 },
    );
  });

  test('end in an error, and never in other parts, when they are cut short', () => {
    fc.assert(
      fc.property(parts, fc.nat(), fc.array(fc.nat(2000), { maxLength: 5 }), (list, at, positions) => {
        const bytes = form(list);
        // What is behind the two dashes at the end is no part of the form.
        const short = bytes.subarray(0, at % (bytes.length - 2));
        expect(() => parse(cut(short, positions))).toThrow(MalformedForm);
      }),
      { numRuns: 1000 },
    );
  });

  test('of noise end in an error of the form, and in nothing else', () => {
    const noise = fc.array(
      fc.oneof(
        fc.constantFrom(
          `--${BOUNDARY}`,
          '\r\n',
          '\r\n\r\n',
          '--',
          'Content-Disposition: form-data',
          '; name="a"',
          ';',
          '"',
          '\\',
          ':',
        ),
        fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      ),
      { maxLength: 40 },
    );
    let refused = 0;
    fc.assert(
      fc.property(noise, fc.array(fc.nat(300), { maxLength: 6 }), (pieces, positions) => {
        try {
          parse(cut(Buffer.from(pieces.join(''), 'latin1'), positions));
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedForm);
          refused += 1;
        }
      }),
      { numRuns: 3000 },
    );
    expect(refused).toBeGreaterThan(1000);
  });
});

function byBusboy(bytes: Buffer): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const found: Part[] = [];
    const parser = new Busboy({ headers: { 'content-type': TYPE }, preservePath: true });
    parser.on('field', (name, value) => found.push({ name, content: Buffer.from(value).toString('latin1') }));
    parser.on('file', (name, stream, fileName) => {
      const part: Part = { name, fileName, content: '' };
      found.push(part);
      stream.on('data', (chunk: Buffer) => {
        part.content += chunk.toString('latin1');
      });
    });
    parser.on('error', reject).on('finish', () => resolve(found));
    parser.end(bytes);
  });
}

const text = (content: string) => Buffer.from(content, 'utf8');
const part = (headers: string, content = 'x') => `--${BOUNDARY}\r\n${headers}\r\n\r\n${content}\r\n`;
const END = `--${BOUNDARY}--`;
const DISPOSITION = 'Content-Disposition: form-data; name="a"';

describe('taken', () => {
  test.each<[string, string, Part[]]>([
    ['no part at all', END, []],
    ['nothing behind the last delimiter', part(DISPOSITION) + END, [{ name: 'a', content: 'x' }]],
    [
      'text before the first part and behind the last',
      `before\r\n${part(DISPOSITION)}${END}\r\nbehind`,
      [{ name: 'a', content: 'x' }],
    ],
    [
      'blanks behind a delimiter',
      `--${BOUNDARY} \t\r\n${DISPOSITION}\r\n\r\nx\r\n${END}`,
      [{ name: 'a', content: 'x' }],
    ],
    ['header names in any case', part('CONTENT-disposition:form-data;NAME=a') + END, [{ name: 'a', content: 'x' }]],
    ['a file without a name', part(`${DISPOSITION}; filename=""`) + END, [{ name: 'a', fileName: '', content: 'x' }]],
    [
      'bytes without a file name',
      part(`${DISPOSITION}\r\ncontent-type: application/octet-stream`) + END,
      [{ name: 'a', content: 'x' }],
    ],
    [
      'quotes within a name',
      part(`${DISPOSITION}; filename="a \\"b\\" c.bin"`) + END,
      [{ name: 'a', fileName: 'a "b" c.bin', content: 'x' }],
    ],
    [
      'a path of Windows',
      part(`${DISPOSITION}; filename="C:\\dir\\a.bin"`) + END,
      [{ name: 'a', fileName: 'C:\\dir\\a.bin', content: 'x' }],
    ],
    [
      'a semicolon within quotes',
      part(`${DISPOSITION}; filename="a; name=b"`) + END,
      [{ name: 'a', fileName: 'a; name=b', content: 'x' }],
    ],
    [
      'an extended name before the plain one',
      part(`${DISPOSITION}; filename="e"; filename*=UTF-8''%e2%82%ac`) + END,
      [{ name: 'a', fileName: '€', content: 'x' }],
    ],
    [
      'the plain name where the extended one is broken',
      part(`${DISPOSITION}; filename="e"; filename*=UTF-8''%e2%8`) + END,
      [{ name: 'a', fileName: 'e', content: 'x' }],
    ],
    [
      'line ends as the whole content',
      part(`${DISPOSITION}; filename="e"`, '\r\n\r\n') + END,
      [{ name: 'a', fileName: 'e', content: '\r\n\r\n' }],
    ],
  ])('%s', (_what, body, expected) => {
    for (let at = 0; at <= text(body).length; at += 1) expect(parse(cut(text(body), [at]))).toEqual(expected);
  });

  test('a boundary in quotes, with characters of patterns', () => {
    const body = "--a.b+(c)'?\r\nContent-Disposition: form-data; name=f\r\n\r\nx\r\n--a.b+(c)'?--";
    expect(parse([text(body)], `multipart/form-data; charset=utf-8; boundary="a.b+(c)'?"`)).toEqual([
      { name: 'f', content: 'x' },
    ]);
  });

  test('as many fields as are allowed, each as long as is allowed', () => {
    const list = Array.from({ length: FORM_LIMITS.fields }, () => ({
      name: 'n'.repeat(200),
      content: 'x'.repeat(FORM_LIMITS.fieldBytes),
    }));
    expect(parse(cut(form(list), [100, 70_000]))).toEqual(list);
  });
});

describe('refused', () => {
  test.each<[string, string]>([
    ['nothing', ''],
    ['a delimiter that is never ended', `--${BOUNDARY}`],
    ['a last delimiter that lacks a dash', `${part(DISPOSITION)}--${BOUNDARY}-`],
    ['a delimiter with more behind it', `${part(DISPOSITION)}--${BOUNDARY}more\r\n${DISPOSITION}\r\n\r\nx\r\n${END}`],
    ['a last delimiter with the line end in between', `${part(DISPOSITION)}--${BOUNDARY}\r\n--`],
    ['a part without headers', `--${BOUNDARY}\r\n\r\nx\r\n${END}`],
    ['a part without a name', part('Content-Disposition: form-data') + END],
    ['a part that is no form data', part('Content-Disposition: attachment; name="a"') + END],
    ['a header without a colon', part(`${DISPOSITION}\r\nnothing`) + END],
    ['headers without an end', `--${BOUNDARY}\r\n${DISPOSITION}\r\n`],
    ['headers that are too long', part(`${DISPOSITION}\r\nx: ${'y'.repeat(FORM_LIMITS.headerBytes)}`) + END],
    ['headers that are too long and never end', `--${BOUNDARY}\r\nx: ${'y'.repeat(FORM_LIMITS.headerBytes + 10)}`],
    [
      'too many headers',
      part(Array.from({ length: FORM_LIMITS.headers + 1 }, (_, index) => `x${index}: y`).join('\r\n')) + END,
    ],
    ['a name that is too long', part(`Content-Disposition: form-data; name="${'n'.repeat(201)}"`) + END],
    ['a field that is too long', part(DISPOSITION, 'x'.repeat(FORM_LIMITS.fieldBytes + 1)) + END],
    ['too many fields', part(DISPOSITION).repeat(FORM_LIMITS.fields + 1) + END],
    ['too much before the first part', 'x'.repeat(FORM_LIMITS.aroundBytes + 1) + part(DISPOSITION) + END],
    ['too much behind the last part', part(DISPOSITION) + END + 'x'.repeat(FORM_LIMITS.aroundBytes + 1)],
    ['endless blanks behind a delimiter', `--${BOUNDARY}${' '.repeat(5000)}`],
  ])('%s', (_what, body) => {
    const bytes = text(body);
    expect(() => parse([bytes])).toThrow(MalformedForm);
    expect(() =>
      parse(
        cut(
          bytes,
          Array.from({ length: 60 }, (_, index) => index * 7),
        ),
      ),
    ).toThrow(MalformedForm);
  });

  test.each(['', 'text/plain', 'multipart/form-data', 'multipart/form-data; boundary=', 'multipart/mixed; boundary=x'])(
    'the content type %j',
    (type) => {
      expect(() => parse([], type)).toThrow(MalformedForm);
    },
  );
});

test('what a handler throws ends the parsing', () => {
  const parser = createFormParser(TYPE, {
    onField() {
      throw new Error('Not this one.');
    },
    onFile() {},
    onFileBytes() {},
  });
  expect(() => parser.push(form([{ name: 'a', content: 'x' }]))).toThrow('Not this one.');
});

test('parameters of thousands of backslashes and quotes are read in one go', () => {
  const long = `form-data; name="${'\\'.repeat(100_001)}`;
  expect(parseParams(long).params.get('name')).toHaveLength(50_001);
  expect(parseParams(`form-data; ${'"='.repeat(50_000)}`).value).toBe('form-data');
});
