import { createDelimiterSearch } from './delimiter-search.ts';
import { decodeExtended, parseParams } from './header-params.ts';

/** What a form holds, as it comes. A handler that throws ends the parsing; `push` passes the error on. */
export interface FormHandlers {
  onField(name: string, value: string): void;
  /** A file begins; its bytes follow. */
  onFile(name: string, fileName: string | undefined): void;
  /** Views of what was pushed; they must not be changed. */
  onFileBytes(bytes: Buffer): void;
}

export interface FormParser {
  /** Takes the next bytes of the body; throws `MalformedForm`. */
  push(chunk: Buffer): void;
  /** Must be called at the end of the body; throws `MalformedForm` when the form has not ended before. */
  end(): void;
}

/** A body that is no form, or one beyond the limits. */
export class MalformedForm extends Error {}

export const FORM_LIMITS = {
  fields: 20,
  fieldBytes: 16 * 1024,
  nameCharacters: 200,
  /** Of all the headers of one part. */
  headerBytes: 16 * 1024,
  headers: 20,
  /** Before the first part and behind the last, where nothing is meant to be. */
  aroundBytes: 64 * 1024,
} as const;

const HEADERS_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

/**
 * Reads `multipart/form-data` (RFC 7578, RFC 2046 section 5.1) from chunks cut anywhere. It keeps no bytes of files, and of
 * everything else at most what the limits say. Throws `MalformedForm` when the content type names no boundary.
 */
export function createFormParser(contentType: string, handlers: FormHandlers): FormParser {
  const { value, params } = parseParams(contentType);
  const boundary = params.get('boundary') ?? '';
  if (value !== 'multipart/form-data' || boundary === '' || boundary.length > 200) {
    throw new MalformedForm('The body must be multipart/form-data with a boundary.');
  }
  const search = createDelimiterSearch(Buffer.from(`\r\n--${boundary}`, 'latin1'));
  // The first delimiter may stand at the very beginning, without the line end that belongs to it.
  search.restart(LINE_END.length);

  let state: 'before' | 'delimiter' | 'headers' | 'field' | 'file' | 'behind' = 'before';
  let pending: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let valueBytes = 0;
  let fieldName = '';
  let fields = 0;
  let around = 0;

  function skip(bytes: Buffer): void {
    around += bytes.length;
    if (around > FORM_LIMITS.aroundBytes) throw new MalformedForm('There is too much around the parts of the form.');
  }

  function keep(bytes: Buffer): void {
    valueBytes += bytes.length;
    if (valueBytes > FORM_LIMITS.fieldBytes) throw new MalformedForm('A form field is too long.');
    // A view would keep the whole chunk.
    parts.push(Buffer.from(bytes));
  }

  /** Behind a delimiter: `--` ends the form, a line end begins a part. */
  function readDelimiterEnd(): Buffer | undefined {
    if (pending.length < 2) return undefined;
    if (pending[0] === 0x2d && pending[1] === 0x2d) {
      state = 'behind';
      return pending.subarray(2);
    }
    const end = pending.indexOf(LINE_END);
    const line = pending.subarray(0, end < 0 ? pending.length : end);
    const isPadding = line.every((byte, index) => byte === 0x20 || byte === 0x09 || isLoneReturn(line, index, end));
    if (!isPadding || line.length > FORM_LIMITS.nameCharacters)
      throw new MalformedForm('A boundary is followed by something else.');
    if (end < 0) return undefined;
    state = 'headers';
    // With the line end: a part may have no headers at all.
    return pending.subarray(end);
  }

  function readHeaders(): Buffer | undefined {
    const end = pending.indexOf(HEADERS_END);
    if (end > FORM_LIMITS.headerBytes || (end < 0 && pending.length > FORM_LIMITS.headerBytes + HEADERS_END.length))
      throw new MalformedForm('The headers of a part are too long.');
    if (end < 0) return undefined;
    beginPart(pending.toString('utf8', LINE_END.length, Math.max(end, LINE_END.length)));
    search.restart(0);
    return pending.subarray(end + HEADERS_END.length);
  }

  function beginPart(text: string): void {
    const headers = readLines(text);
    const disposition = parseParams(headers.get('content-disposition') ?? '');
    const name = disposition.params.get('name');
    if (disposition.value !== 'form-data' || name === undefined) throw new MalformedForm('A part has no name.');
    if (name.length > FORM_LIMITS.nameCharacters) throw new MalformedForm('The name of a part is too long.');
    const fileName = decodeExtended(disposition.params.get('filename*') ?? '') ?? disposition.params.get('filename');
    const isFile = fileName !== undefined || /^application\/octet-stream\b/i.test(headers.get('content-type') ?? '');
    if (isFile) {
      state = 'file';
      handlers.onFile(name, fileName);
      return;
    }
    fields += 1;
    if (fields > FORM_LIMITS.fields) throw new MalformedForm('The form has more parts than agreed.');
    state = 'field';
    fieldName = name;
  }

  function endPart(): void {
    if (state !== 'field') return;
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    valueBytes = 0;
    handlers.onField(fieldName, text);
  }

  const takers = { before: skip, field: keep, file: handlers.onFileBytes };

  /** Reads on after a delimiter; returns what follows, or undefined when more bytes are needed. */
  function readPending(chunk: Buffer): Buffer | undefined {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const rest = state === 'delimiter' ? readDelimiterEnd() : readHeaders();
    // A copy, because a view would keep the whole chunk. What is read further is read from the rest.
    pending = rest ? Buffer.alloc(0) : Buffer.from(pending);
    return rest;
  }

  function push(chunk: Buffer): void {
    let rest: Buffer | undefined = chunk;
    while (rest && rest.length > 0) {
      if (state === 'behind') {
        skip(rest);
        return;
      }
      if (state === 'delimiter' || state === 'headers') {
        rest = readPending(rest);
        continue;
      }
      const end: number = search.next(rest, 0, takers[state]);
      if (end < 0) return;
      endPart();
      state = 'delimiter';
      rest = rest.subarray(end);
    }
  }

  return {
    push,
    end() {
      if (state !== 'behind') throw new MalformedForm('The form breaks off.');
    },
  };
}

/** The first half of a line end whose second half has not come yet. */
function isLoneReturn(line: Buffer, index: number, end: number): boolean {
  return end < 0 && index === line.length - 1 && line[index] === 0x0d;
}

function readLines(text: string): Map<string, string> {
  const lines = text.split('\r\n').filter((line) => line !== '');
  if (lines.length > FORM_LIMITS.headers) throw new MalformedForm('A part has too many headers.');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) throw new MalformedForm('A header of a part is not well-formed.');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}
