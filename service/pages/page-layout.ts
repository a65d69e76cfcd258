import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Texts } from '../languages/texts.ts';
import { escapeHtml } from '../wire/escape-html.ts';

const STYLE = `
:root{color-scheme:light dark;--bg:#f4f5f7;--ink:#1b1f27;--soft:#5d6675;--line:#d9dde4;--accent:#2457d6}
@media (prefers-color-scheme:dark){:root{--bg:#14161a;--ink:#eceff4;--soft:#9aa4b2;--line:#343a45;--accent:#7ea2ff}}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.6 system-ui,sans-serif}
main{max-width:860px;margin:0 auto;padding:32px 24px;overflow-wrap:anywhere}
@media (max-width:480px){main{padding:16px}}
h1{font-size:24px;line-height:1.3;margin:20px 0 4px}h2{font-size:16px;margin:28px 0 8px}
p{white-space:pre-line}.soft{color:var(--soft);margin:0 0 16px}
a{color:var(--accent)}
ul{list-style:none;margin:0;padding:0}li{padding:8px 0;border-top:1px solid var(--line)}li span{color:var(--soft);margin-left:8px}
footer{margin-top:40px;padding-top:12px;border-top:1px solid var(--line)}
nav{display:flex;gap:16px;margin-top:24px}
video,img,iframe{display:block;width:100%;max-height:70vh;background:#000;border:0;border-radius:10px;object-fit:contain}
audio{width:100%}.speed{display:block;margin:8px 0;color:var(--soft)}.speed[hidden]{display:none}.speed select{min-height:32px;margin-left:6px;font:inherit}iframe{height:70vh}
body.bare{background:#000}.bare main{max-width:none;padding:0}.bare video,.bare img,.bare iframe{height:100vh;max-height:none;border-radius:0}
`;
const STYLE_HASH = hashOf(STYLE);

/** The script of pages with a player: the choice of the speed. It is shown by the script, which alone can make it work. */
const SPEED_SCRIPT = `
for(const label of document.querySelectorAll('label.speed')){label.hidden=false;const player=document.querySelector('video,audio');
label.querySelector('select').onchange=(event)=>{player.playbackRate=player.defaultPlaybackRate=Number(event.target.value)}}
`;
const SPEED_HASH = hashOf(SPEED_SCRIPT);
const SPEEDS = [0.75, 1, 1.25, 1.5, 1.75, 2];

const SPEED_OPTIONS = SPEEDS.map(
  (speed) => `<option value="${speed}"${speed === 1 ? ' selected' : ''}>${speed}×</option>`,
).join('');

/** The choice of the speed of the player on the page. */
const speedChoice = ({ html }: Texts) =>
  `<label class="speed" hidden>${html('view.speed')} <select>${SPEED_OPTIONS}</select></label>`;

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
/** `contentOrigin`: where content is that is not sent by the service. */
const policyOf = (contentOrigin = '') =>
  `default-src 'none'; media-src 'self' ${contentOrigin}; img-src 'self' ${contentOrigin}; frame-src 'self' https: http:; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** The content of a page. */
interface PageContent {
  /** Text. */
  title: string;
  /** HTML in which all external values are already escaped. */
  body: string;
  /** What is played, in the same form; above the rest. `hasSpeed`: whether its speed can be chosen. */
  player?: { html: string; hasSpeed: boolean };
  /** Where the content is to which the addresses of the player lead; absent: at the service. */
  contentOrigin?: string | undefined;
}

/** Sends a page in the language of the texts. `bare`: the player alone, for frames. */
export function sendViewerPage(
  reply: FastifyReply,
  texts: Texts,
  { title, body, player, contentOrigin }: PageContent,
  { bare = false, status = 200 } = {},
): FastifyReply {
  const hasSpeed = !bare && player?.hasSpeed === true;
  const footer = bare ? '' : `<footer><a href="/account">${texts.html('account')}</a></footer>`;
  const content = `${player?.html ?? ''}${hasSpeed ? speedChoice(texts) : ''}${bare ? '' : body}${footer}`;
  const basic = policyOf(contentOrigin);
  const policy = hasSpeed ? `${basic}; script-src 'sha256-${SPEED_HASH}'` : basic;
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({
      // Embed pages may appear in frames of other sites.
      'content-security-policy': bare ? policy : `${policy}; frame-ancestors 'none'`,
      ...(bare ? {} : { 'x-frame-options': 'DENY' }),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .send(`<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body${bare ? ' class="bare"' : ''}><main>${content}</main>${hasSpeed ? `<script>${SPEED_SCRIPT}</script>` : ''}</body></html>
`);
}
