import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { badRequest, forbidden } from '../http/problem.ts';
import { createFileSink, sizeProblem } from './file-sink.ts';

export interface ExpectedForm {
  fileParam: string;
  /** Fields that must come before the file, exactly so. */
  fields: Readonly<Record<string, string>>;
  /** Bytes that the file must have. */
  sizeBytes: number;
  /** Where the bytes go until they are whole. */
  temporaryPath: string;
  /** Whether to write past the page cache. */
  direct: boolean;
  onBytes(): void;
}

const CHUNK_BYTES = 128 * 1024;

/**
 * Receives a form-data upload: the fields, then the file, which is written to disk as it comes. Resolves with the file's
 * name in the form when every byte is written; rejects with a `Problem` when the form is not what was agreed, and
 * when the client goes away. Memory does not grow with the file.
 */
export function receiveForm(request: IncomingMessage, expected: ExpectedForm): Promise<{ fileName: string }> {
  return new Promise((resolve, reject) => {
    const given = new Map<string, string>();
    let fileName: string | undefined;
    let written: Promise<number> | undefined;
    let settled = false;

    const parser = openParser(request);

    function fail(error: unknown): void {
      if (settled) return;
      settled = true;
      request.unpipe(parser);
      request.off('close', onClose);
      parser.removeAllListeners();
      parser.on('error', () => {});
      // The sink closes its file before the caller removes it.
      sink.abandon().then(() => reject(error));
    }
    const onClose = () => {
      if (!request.complete) fail(badRequest('The client went away before the end of the upload.'));
    };
    const sink = createFileSink(expected.temporaryPath, expected.sizeBytes, expected.direct, fail);

    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      if (fileName !== undefined) return fail(badRequest('The form has a field behind the file.'));
      if (nameTruncated || valueTruncated) return fail(badRequest('A form field is too long.'));
      given.set(name, value);
    });
    parser.on('file', (name, stream, receivedName) => {
      stream.on('error', () => {});
      if (name !== expected.fileParam)
        return fail(badRequest(`The file must come in the field ${expected.fileParam}.`));
      if (fileName !== undefined) return fail(badRequest('The form has more than one file.'));
      if (!fieldsMatch(expected.fields, given)) return fail(forbidden('The form fields are not those of this upload.'));
      fileName = unescapeName(receivedName ?? '');
      written = sink.consume(stream, expected.onBytes);
      written.catch(fail);
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => fail(badRequest('The form has more parts than agreed.')));
    }
    parser.on('error', () => fail(badRequest('The body is not well-formed form-data.')));
    parser.on('finish', () => {
      if (written === undefined) return fail(badRequest('The form has no file.'));
      written.then((bytes) => {
        if (bytes !== expected.sizeBytes) return fail(sizeProblem(expected.sizeBytes, bytes));
        if (settled) return;
        settled = true;
        request.off('close', onClose);
        resolve({ fileName: fileName ?? '' });
      }, fail);
    });
    request.on('close', onClose);
    request.on('error', () => fail(badRequest('The connection broke before the end of the upload.')));
    request.pipe(parser);
  });
}

function openParser(request: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      highWaterMark: CHUNK_BYTES,
      fileHwm: CHUNK_BYTES,
      preservePath: true,
      limits: { fields: 20, files: 1, parts: 21, fieldNameSize: 200, fieldSize: 16 * 1024, headerPairs: 20 },
    });
  } catch {
    throw badRequest('The body must be multipart/form-data with a boundary.');
  }
}

function fieldsMatch(expected: Readonly<Record<string, string>>, given: ReadonlyMap<string, string>): boolean {
  return Object.entries(expected).every(([name, value]) => given.get(name) === value);
}

/** Browsers write a quote, a carriage return and a line feed in a name as %22, %0D and %0A, and nothing else. */
function unescapeName(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0D/g, '\r').replace(/%0A/g, '\n');
}
