import type { FormField } from '../../../../../shared/api/form-fields.ts';

/** The bytes around the file in a form-data body. */
export interface FormParts {
  boundary: string;
  /** Everything before the file's bytes. */
  head: Buffer;
  /** Everything after the file's bytes. */
  tail: Buffer;
}

export interface FormDescription {
  /** Extra fields, sent in this order before the file: some destinations stop reading at the file. */
  fields: readonly FormField[];
  fileParam: string;
  fileName: string;
  contentType: string;
}

/**
 * Builds the parts of the body around the file. `randomHex` returns 24 unpredictable bytes for the boundary, so that no
 * destination can prepare a value that ends a part early. If a field contains the boundary nevertheless, another one is
 * generated.
 */
export function buildFormParts(form: FormDescription, randomHex: () => string): FormParts {
  let boundary = drawBoundary(randomHex);
  while (form.fields.some(([name, value]) => name.includes(boundary) || value.includes(boundary))) {
    boundary = drawBoundary(randomHex);
  }
  const fields = form.fields
    .map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"\r\n\r\n${normalizeLineBreaks(value)}\r\n`,
    )
    .join('');
  const file =
    `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(form.fileParam)}"; ` +
    `filename="${escapeName(form.fileName)}"\r\nContent-Type: ${form.contentType}\r\n\r\n`;
  return { boundary, head: Buffer.from(fields + file), tail: Buffer.from(`\r\n--${boundary}--\r\n`) };
}

function drawBoundary(randomHex: () => string): string {
  return `----mediadesk${randomHex()}`;
}

/** Escapes a name as browsers do: UTF-8, with escapes for the three characters that would end its header value. */
export function escapeName(name: string): string {
  return name.replace(/["\r\n]/g, (character) => (character === '"' ? '%22' : character === '\r' ? '%0D' : '%0A'));
}

/** Field values as browsers write them: every line break as CR LF. */
function normalizeLineBreaks(value: string): string {
  return value.replace(/\r\n|\r|\n/g, '\r\n');
}
