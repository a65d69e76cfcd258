import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../wire/escape-html.ts';

const STYLE = `
:root{color-scheme:light dark;--bg:#f4f5f7;--ink:#1b1f27;--soft:#5d6675;--line:#d9dde4;--accent:#2457d6}
@media (prefers-color-scheme:dark){:root{--bg:#14161a;--ink:#eceff4;--soft:#9aa4b2;--line:#343a45;--accent:#7ea2ff}}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.6 system-ui,sans-serif}
main{max-width:860px;margin:0 auto;padding:32px 24px}
h1{font-size:24px;line-height:1.3;margin:20px 0 4px}h2{font-size:16px;margin:28px 0 8px}
p{white-space:pre-line}.soft{color:var(--soft);margin:0 0 16px}
a{color:var(--accent)}
ul{list-style:none;margin:0;padding:0}li{padding:8px 0;border-top:1px solid var(--line)}li span{color:var(--soft);margin-left:8px}
footer{margin-top:40px;padding-top:12px;border-top:1px solid var(--line)}
nav{display:flex;gap:16px;margin-top:24px}
video,img,iframe{display:block;width:100%;max-height:70vh;background:#000;border:0;border-radius:10px;object-fit:contain}
audio{width:100%}iframe{height:70vh}
body.bare{background:#000}.bare main{max-width:none;padding:0}.bare video,.bare img,.bare iframe{height:100vh;max-height:none;border-radius:0}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; media-src 'self'; img-src 'self'; frame-src 'self' https: http:; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

const FOOTER = '<footer><a href="/account">Your account</a></footer>';

/** Sends a page. `title` is text; `body` is HTML in which all external values are already escaped. */
export function sendPage(reply: FastifyReply, title: string, body: string, { bare = false } = {}): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      // Embed pages may appear in frames of other sites.
      'content-security-policy': bare ? POLICY : `${POLICY}; frame-ancestors 'none'`,
      ...(bare ? {} : { 'x-frame-options': 'DENY' }),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body${bare ? ' class="bare"' : ''}><main>${body}${bare ? '' : FOOTER}</main></body></html>
`);
}
