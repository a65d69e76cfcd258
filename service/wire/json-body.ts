import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendContinue } from './expect-continue.ts';
import { hasRepeatedKey } from './json-keys.ts';
import { badRequest, Problem } from './problem.ts';

/** The maximum number of chunks of a body: each costs far more than its bytes, so a larger number indicates an attack. */
const MAX_PIECES = 16_384;
const FIRST_BYTES = 4096;

export interface JsonBodyOptions {
  limitBytes: number;
  /** Time limit for a body. Called for each request. */
  timeoutMs: () => number;
  /** Whether an object with a repeated key is a bad request. */
  refusesRepeatedKeys?: boolean;
}

/**
 * Parses every body as JSON, whatever its content type; an empty body counts as no body. A body that is not valid UTF-8 or not
 * valid JSON is a bad request. A body that takes longer than `timeoutMs` ends the connection.
 */
export function acceptJsonBodies(
  app: FastifyInstance,
  { limitBytes, timeoutMs, refusesRepeatedKeys = false }: JsonBodyOptions,
): void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  function decode(bytes: Buffer): { text: string; value: unknown } {
    try {
      const text = decoder.decode(bytes);
      return { text, value: JSON.parse(text) };
    } catch {
      throw badRequest('The body is not decodable JSON.');
    }
  }
  app.addHook('preParsing', (request, reply, payload, done) => {
    sendContinue(request.raw, reply.raw);
    const cut = setTimeout(() => request.raw.destroy(), timeoutMs());
    request.raw.once('close', () => clearTimeout(cut));
    request.raw.once('end', () => clearTimeout(cut));
    done(null, payload);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
    const bytes = await collect(payload, limitBytes);
    if (bytes.length === 0) return undefined;
    const { text, value } = decode(bytes);
    if (refusesRepeatedKeys && hasRepeatedKey(text)) throw badRequest('A parameter is given more than once.');
    return value;
  });
}

const tooLarge = () => new Problem(413, 'The body is too large.');

/**
 * Reads a body into one buffer, so that many small chunks take no more memory than one. A refused body is not read
 * further.
 */
function collect(payload: Readable, limitBytes: number): Promise<Buffer> {
  let held = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  let pieces = 0;
  return new Promise((resolve, reject) => {
    function take(piece: Buffer): void {
      pieces += 1;
      const needed = length + piece.length;
      if (needed > limitBytes || pieces > MAX_PIECES) {
        payload.off('data', take);
        payload.pause();
        reject(tooLarge());
        return;
      }
      if (needed > held.length) {
        const larger = Buffer.allocUnsafe(Math.min(limitBytes, Math.max(held.length * 2, needed)));
        held.copy(larger, 0, 0, length);
        held = larger;
      }
      piece.copy(held, length);
      length = needed;
    }
    payload.on('data', take);
    payload.once('end', () => resolve(held.subarray(0, length)));
    payload.once('error', () => reject(badRequest('The body is incomplete.')));
    payload.once('close', () => reject(badRequest('The body is incomplete.')));
  });
}
