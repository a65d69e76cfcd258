import type { FastifyReply } from 'fastify';
import { pagePolicy } from './pages.ts';

/**
 * Sends a page with forms: browsers do not store it, no other page can show it in a frame, and no other page receives its address. `formTarget`: another URL to
 * which its forms may lead.
 */
export function sendPage(reply: FastifyReply, status: number, html: string, formTarget?: string): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': pagePolicy(formTarget),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    })
    .send(html);
}
