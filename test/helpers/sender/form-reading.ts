// Parses form-data bodies strictly by RFC 7578, independent of the code under test: anything unusual throws.

export interface FormPart {
  name: string;
  /** null for a field. */
  fileName: string | null;
  contentType: string | null;
  content: Buffer;
}

/** Returns the boundary in a Content-Type header. */
export function boundaryOf(contentType: string | undefined): string {
  const found = /^multipart\/form-data; boundary=([0-9A-Za-z'()+_,./:=?-]{1,70})$/.exec(contentType ?? '');
  if (!found?.[1]) throw new Error(`No form-data boundary in ${JSON.stringify(contentType)}.`);
  return found[1];
}

/**
 * Returns the parts of a complete body in order. The body must start with the boundary and end with the closing one.
 */
export function readForm(body: Buffer, boundary: string): FormPart[] {
  const parts: FormPart[] = [];
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter has no line break in front: adding one makes all delimiters equal.
  const rest = Buffer.concat([Buffer.from('\r\n'), body]);
  let at = rest.indexOf(delimiter);
  if (at !== 0) throw new Error('The body does not start with its boundary.');
  for (;;) {
    const afterDelimiter = at + delimiter.length;
    const mark = rest.subarray(afterDelimiter, afterDelimiter + 2).toString('latin1');
    if (mark === '--') {
      if (rest.subarray(afterDelimiter + 2).toString('latin1') !== '\r\n') throw new Error('Bytes after the end.');
      return parts;
    }
    if (mark !== '\r\n') throw new Error('A boundary that is neither followed by a part nor closes.');
    const next = rest.indexOf(delimiter, afterDelimiter);
    if (next < 0) throw new Error('The closing boundary is missing.');
    parts.push(readPart(rest.subarray(afterDelimiter + 2, next)));
    at = next;
  }
}

function readPart(bytes: Buffer): FormPart {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) throw new Error('A part without an end of its head.');
  const headers = new Map<string, string>();
  for (const line of bytes.subarray(0, headEnd).toString('utf8').split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon < 0) throw new Error(`Not a header: ${JSON.stringify(line)}.`);
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const found = /^form-data; name="([^"\r\n]*)"(?:; filename="([^"\r\n]*)")?$/.exec(disposition);
  if (!found) throw new Error(`Not a form-data part: ${JSON.stringify(disposition)}.`);
  return {
    name: unescapeName(found[1] ?? ''),
    fileName: found[2] === undefined ? null : unescapeName(found[2]),
    contentType: headers.get('content-type') ?? null,
    content: bytes.subarray(headEnd + 4),
  };
}

/** Decodes the three escapes that browsers use. */
function unescapeName(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}
