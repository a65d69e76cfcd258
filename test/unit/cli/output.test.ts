import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { rowLines } from '../../../electron/cli/edits/edit-text.ts';
import { Output } from '../../../electron/cli/output/output.ts';
import { createScreen } from '../../../electron/cli/output/screen.ts';
import { stderrLogger } from '../../../electron/cli/output/stderr-logger.ts';
import { hasColors } from '../../../electron/cli/output/styles.ts';
import { terminalDocument, terminalJson, terminalText } from '../../../shared/api/terminal-text.ts';
import { appError } from '../../../shared/contract/app-error.ts';

const range = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
/** Every character that controls a terminal or the order of letters. */
const CONTROLS = `${range(0, 0x1f)}${range(0x7f, 0x9f)}\u061c\u200e\u200f${range(0x202a, 0x202e)}${range(0x2066, 0x2069)}`;
const SEPARATORS = '\u2028\u2029';
const HOSTILE = `a\u001b]0;owned\u0007${CONTROLS}${SEPARATORS}z`;
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;

function recorded(form: Partial<ConstructorParameters<typeof Output>[1]> & { isTTY?: boolean } = {}) {
  const { isTTY = false, ...rest } = form;
  const streams = { stdout: Object.assign(new PassThrough(), { isTTY }), stderr: new PassThrough() };
  const output = new Output(streams, { json: false, ...rest });
  const read = (stream: PassThrough) => String(stream.read() ?? '');
  return { output, stdout: () => read(streams.stdout), stderr: () => read(streams.stderr) };
}

/** Returns the lines of a text that ends with a line break. */
const linesOf = (text: string) => text.replace(/\n$/, '').split('\n');

describe('the output of a command', () => {
  it('has no character that controls a terminal, in no line, table, note, warning, notice, failure or error', () => {
    const { output, stdout, stderr } = recorded();
    const error = appError('api.invalid', {
      message: HOSTILE,
      details: { status: 422, message: HOSTILE, errors: [HOSTILE], path: HOSTILE, reason: HOSTILE },
    }).toData();
    output.line(HOSTILE);
    output.table([HOSTILE, 'NAME'], [[HOSTILE, HOSTILE]]);
    output.note(HOSTILE);
    output.warning(HOSTILE);
    output.notice(error);
    output.error({ ...error, nextStep: HOSTILE });
    output.failure(HOSTILE, error);
    const lines = [...linesOf(stdout()), ...linesOf(stderr())];
    expect(lines.length).toBeGreaterThan(12);
    for (const line of lines) expect(line).not.toMatch(UNSAFE);
    expect(lines[0]).toMatch(/^a\ufffd\]0;owned\ufffd+z$/);
  });

  it('shows the items of an edit without control characters when the library gave ids, names and values with some', () => {
    const { output, stdout } = recorded();
    const lines = rowLines({
      id: '7',
      groupId: 'g',
      siteId: 's',
      entityKind: 'media',
      entityId: HOSTILE,
      name: HOSTILE,
      state: 'conflict',
      attempts: 0,
      nextAt: null,
      createdAt: 0,
      endedAt: null,
      changes: [
        { field: 'tags', before: [HOSTILE], after: null, theirs: HOSTILE, needsDecision: true, lost: [HOSTILE] },
      ],
      error: appError('api.invalid', { message: HOSTILE, details: { errors: [HOSTILE] } }).toData(),
    });
    for (const line of lines) output.line(line);
    const written = linesOf(stdout());
    expect(written).toHaveLength(lines.length);
    for (const line of written) expect(line).not.toMatch(UNSAFE);
  });

  it('has the same values as JSON without a control character', () => {
    const { output, stdout, stderr } = recorded({ json: true });
    const error = { ...appError('api.invalid').toData(), message: HOSTILE };
    output.record({ item: { id: HOSTILE, [HOSTILE]: 1 } });
    output.notice(error);
    output.jsonDocument({ id: HOSTILE });
    output.error(error);
    const [record = '', notice = '', document = ''] = linesOf(stdout());
    const [failure = ''] = linesOf(stderr());
    for (const line of [record, notice, document, failure]) expect(line).not.toMatch(UNSAFE);
    expect(JSON.parse(record)).toEqual({ item: { id: HOSTILE, [HOSTILE]: 1 } });
    expect([JSON.parse(notice).notice, JSON.parse(failure).error]).toEqual([error, error]);
    expect(JSON.parse(document)).toEqual({ id: HOSTILE });
  });

  it('changes a document only on a terminal, where its line breaks and tabs stay', () => {
    const csv = `name\ttitle\r\n"${HOSTILE.replace(/[\r\n]/g, '')}",b\r\n`;
    const piped = recorded();
    piped.output.document(csv);
    expect(piped.stdout()).toBe(csv);
    const shown = recorded({ isTTY: true });
    shown.output.document(csv);
    const text = shown.stdout();
    expect(text.replace(/[\r\n\t]/g, '')).not.toMatch(UNSAFE);
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text.startsWith('name\ttitle\r\n"a\ufffd]0;owned')).toBe(true);
  });

  it('omits notes when it is quiet, but no result, warning, notice or error', () => {
    const { output, stdout, stderr } = recorded({ quiet: true });
    output.note('a note');
    output.line('a result');
    output.warning('a warning');
    output.notice(appError('api.forbidden').toData());
    expect(stdout()).toBe('a result\n');
    expect(stderr().split('\n').slice(0, 2)).toEqual(['a warning', expect.stringContaining('mediadesk: ')]);
  });

  it('colours headings, warnings and errors on a terminal with colours only', () => {
    const colored = recorded({ colors: { stdout: true, stderr: true } });
    colored.output.table(['ID'], [['\u001b[31m1']]);
    colored.output.error(appError('internal').toData());
    expect(colored.stdout()).toBe('\u001b[1mID\u001b[0m\n\ufffd[31m1\n');
    expect(colored.stderr().startsWith('\u001b[31mmediadesk: ')).toBe(true);
    const plain = recorded({ colors: { stdout: false, stderr: false } });
    plain.output.table(['ID'], [['1']]);
    expect(plain.stdout()).toBe('ID\n1\n');
  });

  it.each([
    ['a terminal', { isTTY: true }, { TERM: 'xterm' }, true],
    ['an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, true],
    ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
    ['a terminal without codes', { isTTY: true }, { TERM: 'dumb' }, false],
    ['a pipe', {}, { TERM: 'xterm' }, false],
  ])('decides about colours: %s', (_name, stream, env, expected) => expect(hasColors(stream, env)).toBe(expected));
});

describe('the screen for progress', () => {
  it('replaces its lines without writing control characters of their texts', () => {
    const terminal = new PassThrough();
    const screen = createScreen(Object.assign(terminal, { columns: 80, rows: 24 }) as unknown as NodeJS.WriteStream);
    screen.draw([HOSTILE, 'second']);
    screen.draw(['third']);
    screen.clear();
    const text = String(terminal.read());
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removes the codes of the screen itself
    expect(text.replace(/\u001b\[(?:\d*A|K|J)|[\r\n]/g, '')).toBe(`${terminalText(HOSTILE)}secondthird`);
  });
});

describe('the log of --verbose', () => {
  it('has one line without control characters for each event', () => {
    const stderr = new PassThrough();
    stderrLogger(stderr).info(HOSTILE, { path: HOSTILE });
    const text = String(stderr.read());
    expect(text.slice(0, -1)).not.toMatch(UNSAFE);
    expect(text.endsWith('\n')).toBe(true);
  });
});

describe('texts for a terminal', () => {
  it('keep letters of all scripts, joined emoji and combining marks', () => {
    const text = 'Größe 録音 👩‍🔬 u\u0308 فيزياء ‌نیم‌فاصله';
    expect(terminalText(text)).toBe(text);
    expect(terminalDocument(`${text}\n\t${text}\r\n`)).toBe(`${text}\n\t${text}\r\n`);
    expect(terminalJson(text)).toBe(JSON.stringify(text));
  });
});
