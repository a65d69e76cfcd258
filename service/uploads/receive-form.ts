import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Log } from '../site/site.ts';
import type { FileSink, SinkEvents } from '../storage/file-sink.ts';
import { badRequest, conflict, forbidden, type Problem } from '../wire/problem.ts';

export interface ExpectedForm {
  fileParam: string;
  /** Fields that must precede the file, with exactly these values. */
  fields: Readonly<Record<string, string>>;
  /** Exact size of the file. */
  sizeBytes: number;
  /** Called once, before the first byte of the file: opens what the bytes are written to. */
  openSink(events: SinkEvents): FileSink;
  /** Called for each chunk of the form, with its length. */
  onBytes(bytes: number): void;
  /** When it is aborted, a form that is not complete is refused with 409. */
  signal?: AbortSignal;
  log: Log;
}

/** The part of a request that this module reads. */
export type FormRequest = Readable & Pick<IncomingMessage, 'headers' | 'complete'>;

/** Limit for everything in a form except the file: boundaries, headers, fields, and bytes around the parts. */
export const FORM_OVERHEAD_BYTES = 64 * 1024;

const LIMITS = { fields: 20, fieldSize: 16 * 1024, files: 1, parts: 21, headerPairs: 20, headerSize: 16 * 1024 };
/** The parser buffers at most this number of bytes twice (in its input and in its output) while the disk is busy. */
const BUFFER_BYTES = 1024 * 1024;

/**
 * Receives a form-data upload: the fields, then the file, which is streamed to a sink. Resolves with the file's name in
 * the form when every byte is durable. Rejects with a `Problem` when the form differs from the expected one, and when
 * the client disconnects. Memory use does not depend on the size of the file.
 */
export function receiveForm(request: FormRequest, expected: ExpectedForm): Promise<{ fileName: string }> {
  return new Promise((resolve, reject) => {
    const given = new Map<string, string>();
    let file: { name: string; bytes: Readable } | undefined;
    let fileBytes = 0;
    let receivedBytes = 0;
    let isSettled = false;

    const parser = openParser(request.headers['content-type'] ?? '');
    const sink = expected.openSink({ onRoom: () => void file?.bytes.resume(), onFail: fail });

    function onField(name: string | undefined, value: string, _isNameCut: boolean, isValueCut: boolean): void {
      if (name === undefined) fail(badRequest('A part of the form has no name.'));
      else if (isValueCut) fail(badRequest('A form field is too long.'));
      else if (file) fail(badRequest('The form has a field behind the file.'));
      else given.set(name, value);
    }

    function onFile(name: string | undefined, bytes: Readable, receivedName: string | undefined): void {
      // For a form that ends inside the file, the parser emits this error in addition to its own.
      bytes.on('error', onMalformed);
      const problem = problemOfFile(name, expected, given);
      if (problem) fail(problem);
      if (isSettled) return;
      file = { name: unescapeName(receivedName ?? ''), bytes };
      sink.begin();
      bytes.on('data', (chunk: Buffer) => {
        if (isSettled) return;
        fileBytes += chunk.length;
        if (fileBytes > expected.sizeBytes) fail(sizeProblem(expected.sizeBytes, 'more'));
        else if (!sink.write(chunk)) bytes.pause();
      });
    }

    async function onFormEnd(): Promise<void> {
      // The sink can't be abandoned while it finishes, and a complete form is stored.
      expected.signal?.removeEventListener('abort', onReplaced);
      try {
        if (!file) throw badRequest('The form has no file.');
        if (fileBytes !== expected.sizeBytes) throw sizeProblem(expected.sizeBytes, fileBytes);
        await sink.finish();
        if (isSettled) return;
        settle();
        resolve({ fileName: file.name });
      } catch (error) {
        fail(error);
      }
    }

    function onData(chunk: Buffer): void {
      expected.onBytes(chunk.length);
      receivedBytes += chunk.length;
      if (receivedBytes > expected.sizeBytes + FORM_OVERHEAD_BYTES) fail(badRequest('The form is too long.'));
      else if (!parser.write(chunk)) request.pause();
    }

    function settle(): void {
      isSettled = true;
      expected.signal?.removeEventListener('abort', onReplaced);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError);
      // Later errors of the connection are ignored here.
      request.on('error', () => {});
    }

    function fail(error: unknown): void {
      if (isSettled) return;
      settle();
      // The sink must close its file before the caller deletes it.
      void sink
        .abandon()
        .catch((left: unknown) => expected.log('upload-not-closed', { reason: String(left) }))
        .then(() => reject(error));
    }

    const onReplaced = () => fail(conflict('A later upload of the same file has begun.'));
    const onMalformed = () => fail(badRequest('The form is not well-formed.'));
    const onEnd = () => void parser.end();
    const onClose = () => {
      if (!request.complete) fail(badRequest('The client went away before the end of the upload.'));
    };
    const onError = () => fail(badRequest('The connection broke before the end of the upload.'));

    parser
      .on('field', onField)
      .on('file', onFile)
      .on('filesLimit', () => fail(badRequest('The form has more than one file.')))
      .on('fieldsLimit', () => fail(badRequest('The form has more parts than agreed.')))
      .on('partsLimit', () => fail(badRequest('The form has more parts than agreed.')))
      .on('error', onMalformed)
      .on('finish', onFormEnd)
      .on('drain', () => {
        if (!isSettled) request.resume();
      });
    expected.signal?.addEventListener('abort', onReplaced);
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onError);
  });
}

function sizeProblem(expected: number, received: number | 'more'): Problem {
  return badRequest(`The upload must have ${expected} bytes; it has ${received}.`);
}

function openParser(contentType: string): BusboyInstance {
  if (!/^multipart\/form-data\b/i.test(contentType)) throw badRequest('The body must be multipart/form-data.');
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: LIMITS,
      preservePath: true,
      highWaterMark: BUFFER_BYTES,
      fileHwm: BUFFER_BYTES,
    });
  } catch {
    throw badRequest('The body must be multipart/form-data with a boundary.');
  }
}

function problemOfFile(
  name: string | undefined,
  { fileParam, fields }: ExpectedForm,
  given: ReadonlyMap<string, string>,
): Problem | null {
  if (name !== fileParam) return badRequest(`The file must come in the field ${fileParam}.`);
  return fieldsMatch(fields, given) ? null : forbidden('The form fields are not those of this upload.');
}

function fieldsMatch(expected: Readonly<Record<string, string>>, given: ReadonlyMap<string, string>): boolean {
  return Object.entries(expected).every(([name, value]) => given.get(name) === value);
}

/** Browsers escape a quote, a carriage return and a line feed in a name as %22, %0D and %0A, and nothing else. */
function unescapeName(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0D/g, '\r').replace(/%0A/g, '\n');
}
