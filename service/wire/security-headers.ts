import type { FastifyInstance } from 'fastify';

/** The policy of answers that are not pages: they load and run nothing, and appear in no frame. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The headers of every answer that does not set its own: a policy, no referrer, and no guessing of content types. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': NOTHING,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Adds these headers to every answer of the routes. Answers outside the routes have to add them themselves. */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
    return payload;
  });
}
