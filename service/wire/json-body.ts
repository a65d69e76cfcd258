import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { letBodyCome } from './expect-continue.ts';
import { hasRepeatedKey } from './json-keys.ts';
import { badRequest, Problem } from './problem.ts';

/** A body that comes in more pieces than this is torn to shreds on purpose: each of them costs far more than its bytes. */
const MAX_PIECES = 16_384;
const FIRST_BYTES = 4096;

export interface JsonBodyOptions {
  limitBytes: number;
  /** How long a body may take. Read anew for each request. */
  timeoutMs: () => number;
  /** Whether an object that has a name twice is a bad request. */
  refusesRepeatedKeys?: boolean;
}

/**
 * Reads bodies as JSON, whatever their content type says; an empty body counts as none. Text that can't be decoded, as UTF-8
 * or as JSON, is a bad request. A body that takes longer than `timeoutMs` ends the connection.
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
    letBodyCome(request.raw, reply.raw);
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
 * Reads a body into one piece of memory, so that it takes no more of it when it comes byte by byte. What is refused is
 * read no further.
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
    payload.once('error', () => reject(badRequest('The body did not come whole.')));
    payload.once('close', () => reject(badRequest('The body did not come whole.')));
  });
}
