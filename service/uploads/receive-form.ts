import type { IncomingMessage } from 'node:http';
import type { Log } from '../site/site.ts';
import { badRequest, forbidden } from '../wire/problem.ts';
import { createFileSink, sizeProblem } from './file-sink.ts';
import { createFormParser, type FormHandlers, type FormParser, MalformedForm } from './form-parser.ts';

export interface ExpectedForm {
  fileParam: string;
  /** Fields that must precede the file, with exactly these values. */
  fields: Readonly<Record<string, string>>;
  /** Exact size of the file. */
  sizeBytes: number;
  /** Where the bytes are written until they are complete. */
  temporaryPath: string;
  /** Whether to bypass the page cache. */
  direct: boolean;
  onBytes(): void;
  log: Log;
}

/**
 * Receives a form-data upload: the fields, then the file, which is streamed to disk. Resolves with the file's name in
 * the form when every byte is on disk. Rejects with a `Problem` when the form differs from the expected one, and when
 * the client disconnects. Memory use does not depend on the size of the file.
 */
export function receiveForm(
  request: IncomingMessage,
  expected: ExpectedForm,
  openSink = createFileSink,
): Promise<{ fileName: string }> {
  return new Promise((resolve, reject) => {
    const given = new Map<string, string>();
    let fileName: string | undefined;
    let isSettled = false;

    const sink = openSink(expected.temporaryPath, expected.sizeBytes, expected.direct, {
      onRoom: () => {
        if (!isSettled) request.resume();
      },
      onFail: fail,
    });

    const parser = openParser(request.headers['content-type'] ?? '', {
      onField(name, value) {
        if (fileName !== undefined) throw badRequest('The form has a field behind the file.');
        given.set(name, value);
      },
      onFile(name, receivedName) {
        if (name !== expected.fileParam) throw badRequest(`The file must come in the field ${expected.fileParam}.`);
        if (fileName !== undefined) throw badRequest('The form has more than one file.');
        if (!fieldsMatch(expected.fields, given)) throw forbidden('The form fields are not those of this upload.');
        fileName = unescapeName(receivedName ?? '');
        sink.begin();
      },
      onFileBytes(bytes) {
        if (!sink.write(bytes)) request.pause();
      },
    });

    function settle(): void {
      isSettled = true;
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError);
      // Later errors of the connection are ignored here.
      request.on('error', () => {});
    }

    function fail(error: unknown): void {
      if (isSettled) return;
      settle();
      // The sink must close its file before the caller deletes it.
      sink
        .abandon()
        .catch((left: unknown) => expected.log('upload-not-closed', { reason: String(left) }))
        .then(() => reject(problemFor(error)));
    }

    function onData(chunk: Buffer): void {
      expected.onBytes();
      try {
        parser.push(chunk);
      } catch (error) {
        fail(error);
      }
    }

    async function onEnd(): Promise<void> {
      try {
        parser.end();
        if (fileName === undefined) throw badRequest('The form has no file.');
        const bytes = await sink.finish();
        if (bytes !== expected.sizeBytes) throw sizeProblem(expected.sizeBytes, bytes);
        if (isSettled) return;
        settle();
        resolve({ fileName });
      } catch (error) {
        fail(error);
      }
    }

    const onClose = () => {
      if (!request.complete) fail(badRequest('The client went away before the end of the upload.'));
    };
    const onError = () => fail(badRequest('The connection broke before the end of the upload.'));

    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onError);
  });
}

function openParser(contentType: string, handlers: FormHandlers): FormParser {
  try {
    return createFormParser(contentType, handlers);
  } catch (error) {
    throw problemFor(error);
  }
}

function problemFor(error: unknown): unknown {
  return error instanceof MalformedForm ? badRequest(error.message) : error;
}

function fieldsMatch(expected: Readonly<Record<string, string>>, given: ReadonlyMap<string, string>): boolean {
  return Object.entries(expected).every(([name, value]) => given.get(name) === value);
}

/** Browsers escape a quote, a carriage return and a line feed in a name as %22, %0D and %0A, and nothing else. */
function unescapeName(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0D/g, '\r').replace(/%0A/g, '\n');
}
