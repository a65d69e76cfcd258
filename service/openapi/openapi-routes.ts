import type { FastifyInstance } from 'fastify';
import type { Site } from '../site/site.ts';
import { openApiDocument } from './document.ts';

/** Serves the OpenAPI document: an addition to the API, which needs no access token. It is made at the first request. */
export function registerOpenApi(app: FastifyInstance, site: Site): void {
  let text: string | undefined;
  app.get('/openapi.json', (_request, reply) => {
    text ??= JSON.stringify(openApiDocument(site.baseUrl));
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(text);
  });
}
