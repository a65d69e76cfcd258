import type { FastifyError, FastifyInstance } from 'fastify';
import { textsOf } from '../site/page-texts.ts';
import type { Site } from '../site/site.ts';
import { Problem } from '../wire/problem.ts';
import { sendViewerPage } from './page-layout.ts';

/**
 * Answers a browser with a page when a page of this scope does not exist for it; a visitor may have to sign in first. Programs get the
 * answer of the API.
 */
export function explainMissingPages(app: FastifyInstance, site: Site): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const isForPerson = request.headers.accept?.includes('text/html') === true;
    if (!isForPerson || !(error instanceof Problem) || error.status !== 404) throw error;
    const texts = textsOf(site, request);
    const title = texts.text('view.not-found');
    const body = `<h1>${texts.html('view.not-found')}</h1><p>${texts.html('view.not-found-why')}</p>`;
    return sendViewerPage(reply, texts, { title, body }, { status: 404 });
  });
}
