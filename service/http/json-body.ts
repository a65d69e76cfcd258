import type { FastifyInstance } from 'fastify';
import { letBodyCome } from './entry.ts';
import { badRequest } from './problem.ts';

/** A small body that takes longer than this is no client that means well. */
const BODY_MS = 60_000;

/**
 * Bodies are JSON whatever their content type says; no body counts as none given. Text that can't be decoded, as UTF-8
 * or as JSON, is a bad request.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  app.addHook('preParsing', (request, reply, payload, done) => {
    letBodyCome(request.raw, reply.raw);
    const cut = setTimeout(() => request.raw.destroy(), BODY_MS);
    request.raw.once('close', () => clearTimeout(cut));
    request.raw.once('end', () => clearTimeout(cut));
    done(null, payload);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      done(null, JSON.parse(decoder.decode(body as Buffer)));
    } catch {
      done(badRequest('The body is not decodable JSON.'));
    }
  });
}
