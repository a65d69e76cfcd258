import type { FastifyInstance } from 'fastify';
import { badRequest } from './problem.ts';

/**
 * Bodies are JSON whatever their content type says; no body counts as none given. Text that can't be decoded, as UTF-8
 * or as JSON, is a bad request.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
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
