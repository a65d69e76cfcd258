import type { FastifyInstance } from 'fastify';

/** For answers that are no page: nothing in them is loaded or run, and they appear in no frame. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** What every answer has: a policy, unless it has its own, and a type that browsers do not guess anew. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': NOTHING,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Gives every answer of the routes these headers. Answers without a route have to take them themselves. */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
    return payload;
  });
}
