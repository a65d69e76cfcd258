import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentTypeOf } from '../resources/files/file-types.ts';
import { CDN_PURPOSE, type CdnGrant } from '../signed-urls/content-url.ts';
import type { Site } from '../site/site.ts';
import { forbidden, notFound, Problem } from '../wire/problem.ts';
import { parseRange } from './byte-range.ts';

const PDF = 'application/pdf';
/**
 * The policy for uploaded content that is opened as a document: it runs no script, loads nothing, and has no origin.
 */
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
/** Browsers show no PDF in a sandbox. Their viewers need a plug-in and inline styles; scripts stay disabled. */
const PDF_POLICY =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Whether a browser may show the content as a document. XML, a format of captions, could be a page with scripts. */
function isShownSafely(contentType: string): boolean {
  return (
    contentType === PDF || contentType === 'text/vtt' || /^(?:audio|video|image)\/(?!svg)[\w.-]+$/.test(contentType)
  );
}

/** Serves stored bytes to every bearer of a valid URL: completely, in ranges, or headers only. */
export function registerCdn(app: FastifyInstance, site: Site): void {
  // A separate HEAD route: the one that Fastify derives from GET recomputes the content length.
  app.get('/cdn/:token/:name', { exposeHeadRoute: false }, (request, reply) => serve(site, request, reply));
  app.head('/cdn/:token/:name', (request, reply) => serve(site, request, reply));
}

async function serve(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { token, name } = request.params as { token: string; name: string };
  const grant = site.signer.verify<CdnGrant>(CDN_PURPOSE, token);
  if (!grant || grant.x <= site.now()) throw forbidden('The address is not valid or has expired.');
  const size = await site.blobs.size(grant.s);
  if (size === undefined) throw notFound('Content');
  const etag = `"${grant.s}"`;
  const contentType = grant.c?.includes('/') ? grant.c : contentTypeOf(grant.c);
  const contentDisposition = disposition(grant.d || !isShownSafely(contentType), name);
  if (site.blobs.redirect !== undefined && request.method === 'GET') {
    const ttlS = Math.ceil((grant.x - site.now()) / 1000);
    return reply
      .header('cache-control', 'private, no-store')
      .redirect(site.blobs.redirect.address(grant.s, { contentType, contentDisposition, ttlS }), 302);
  }
  reply.headers({
    'content-type': contentType,
    'content-disposition': contentDisposition,
    'content-security-policy': contentType === PDF ? PDF_POLICY : SANDBOX,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    etag,
  });
  const ifRange = request.headers['if-range'];
  const asked = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
  const range = parseRange(asked, size);
  if (range === 'unsatisfiable') {
    reply.removeHeader('content-type').header('content-range', `bytes */${size}`);
    throw new Problem(416, 'The range is outside the content.');
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  reply.header('content-length', String(end - start + 1));
  if (request.method === 'HEAD' || size === 0) return reply.send();
  return reply.send(await site.blobs.read(grant.s, { start, end }));
}

/** Returns a `Content-Disposition` with a plain name that is safe in a header, and with the full name. */
function disposition(download: boolean, name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%;]/g, '_').slice(0, 120);
  const full = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `${download ? 'attachment' : 'inline'}; filename="${plain}"; filename*=UTF-8''${full}`;
}
