import { createHash } from 'node:crypto';
import { type Message, strong, type Texts } from '../languages/texts.ts';
import { escapeHtml } from '../wire/escape-html.ts';
import type { ProviderLink } from './provider-links.ts';

const STYLE = `
:root{color-scheme:light dark;--bg:#f4f5f7;--card:#fff;--ink:#1b1f27;--soft:#5d6675;--line:#d9dde4;--accent:#2457d6;--on:#fff;--bad:#b3261e;--badbg:#fdecea}
@media (prefers-color-scheme:dark){:root{--bg:#14161a;--card:#1d2026;--ink:#eceff4;--soft:#9aa4b2;--line:#343a45;--accent:#7ea2ff;--on:#0d1424;--bad:#ffb4ab;--badbg:#3b1d1b}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{width:100%;min-width:0;max-width:400px;overflow-wrap:anywhere;background:var(--card);border:1px solid var(--line);border-radius:14px;padding:32px}
.mark{display:flex;align-items:center;gap:10px;margin:0 0 24px;font-weight:600;color:var(--soft)}
.mark i{width:26px;height:26px;border-radius:7px;background:linear-gradient(135deg,var(--accent),#9b5de5)}
h1{font-size:21px;line-height:1.3;margin:0 0 8px;letter-spacing:-.01em}
p{margin:0 0 16px;color:var(--soft)}
p b{color:var(--ink)}
label{display:block;margin:0 0 16px;font-weight:550}
input:not([type=hidden]){display:block;width:100%;margin-top:6px;padding:10px 12px;font:inherit;font-weight:400;color:inherit;background:transparent;border:1px solid var(--line);border-radius:8px}
input:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
button{width:100%;padding:11px 16px;font:inherit;font-weight:600;border-radius:8px;border:1px solid transparent;background:var(--accent);color:var(--on);cursor:pointer}
button.quiet{background:transparent;color:var(--ink);border-color:var(--line)}
button.link{width:auto;padding:0;border:0;background:none;color:var(--accent);font-weight:500}
.row{display:flex;flex-wrap:wrap;gap:12px;margin-top:24px}.row>button{flex:1 1 110px;width:auto}
.problem{padding:10px 12px;border-radius:8px;background:var(--badbg);color:var(--bad)}
ul{margin:0 0 16px;padding-left:20px}
code{display:block;padding:12px;border:1px dashed var(--line);border-radius:8px;font:13px/1.4 ui-monospace,monospace;overflow-wrap:anywhere;user-select:all}
main.wide{max-width:720px}
.hint{margin:-8px 0 16px;font-size:13px}
.after{margin:8px 0 0}.below{margin:12px 0 0}.count{margin:12px 0 8px;font-size:13px}
fieldset{margin:0 0 16px;padding:12px 16px 0;border:1px solid var(--line);border-radius:8px;min-width:0}legend{padding:0 6px;font-weight:550}
.list>li>.near{flex:0 1 auto}
input.away:not([type=hidden]){position:absolute;width:1px;height:1px;margin:0;padding:0;border:0;overflow:hidden;clip-path:inset(50%)}
h2{font-size:16px;margin:32px 0 8px}
label.choice{display:flex;gap:10px;align-items:center;min-height:24px;font-weight:400}
label.choice input:not([type=hidden]){width:20px;height:20px;flex:none;margin:0}
.list{list-style:none;padding:0}.list>li{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;padding:12px 0;border-top:1px solid var(--line)}
.list b{font-weight:600;overflow-wrap:anywhere}.list p{margin:0;font-size:13px;overflow-wrap:anywhere}.list>li>div{flex:1 1 200px;min-width:0}
button{overflow-wrap:normal}.row.wrap{flex-wrap:wrap;margin-top:0}time{white-space:nowrap}
button.small{width:auto;padding:6px 14px}
.done{padding:10px 12px;border-radius:8px;border:1px solid var(--line);color:var(--ink)}
nav{display:flex;flex-wrap:wrap;gap:8px 20px;margin:0 0 16px}
a{color:var(--accent)}
a.button{display:block;overflow-wrap:anywhere;padding:11px 16px;border-radius:8px;background:var(--accent);color:var(--on);font-weight:600;text-align:center;text-decoration:none}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
a.button.quiet{margin-top:12px;padding:10px 15px;background:transparent;color:var(--ink);border:1px solid var(--line)}
.or{display:flex;align-items:center;gap:12px;margin:20px 0 0;font-size:13px}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
dl{margin:0 0 16px;font-size:13px;color:var(--soft)}
dd{margin:0 0 8px;color:var(--ink);font-family:ui-monospace,monospace;overflow-wrap:anywhere;user-select:all}
footer{margin-top:24px;padding-top:16px;border-top:1px solid var(--line);font-size:13px;color:var(--soft)}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Returns the content security policy of a page: it allows our one style sheet, and forms that submit to this origin or to the
 * given URL.
 */
export function pagePolicy(formTarget?: string): string {
  const origin = (formTarget && URL.parse(formTarget)?.origin) || 'null';
  const targets = origin === 'null' ? `'self'` : `'self' ${origin}`;
  return `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${targets}; frame-ancestors 'none'; base-uri 'none'`;
}

/**
 * Returns a page in the language of the texts. `title` is text; `body` is HTML in which all external values are already escaped. `wide`:
 * for lists.
 */
export function page(texts: Texts, title: string, body: string, { wide = false } = {}): string {
  return `<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main${wide ? ' class="wide"' : ''}><div class="mark"><i aria-hidden="true"></i>${texts.html('site')}</div>
${body}
</main></body></html>
`;
}

/** Returns the hidden fields of a form. */
export function hidden(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
}

export interface LoginPage {
  /** The application; null: the own account. */
  clientName: string | null;
  fields: Readonly<Record<string, string>>;
  email: string;
  problem: Message | null;
  /** Other ways to sign in, each with the page that begins it. */
  providers: readonly ProviderLink[];
  /** Where the form is sent. */
  action?: string;
  /** Whether a forgotten password can be replaced by a link that is sent by mail. */
  sendsMail: boolean;
}

export function loginPage(texts: Texts, given: LoginPage): string {
  const { clientName, fields, email, problem, providers, action = '/api2/oauth/login', sendsMail } = given;
  const links = providers.map(
    ({ displayName, href }) =>
      `<a class="button quiet" href="${escapeHtml(href)}">${texts.html('sign-in.with', { provider: displayName })}</a>`,
  );
  const { html } = texts;
  const purpose = clientName === null ? html('sign-in.to-account') : html('sign-in.to', { app: strong(clientName) });
  return page(
    texts,
    texts.text('sign-in.title'),
    `<h1>${html('sign-in.title')}</h1><p>${purpose}</p>
${problemParagraph(texts, problem)}
<form method="post" action="${action}">${hidden(fields)}
<label>${html('sign-in.email')}<input name="email_address" type="email" autocomplete="username" required${email ? '' : ' autofocus'} value="${escapeHtml(email)}"></label>
<label>${html('sign-in.password')}<input name="password" type="password" autocomplete="current-password" required${email ? ' autofocus' : ''}></label>
<button>${html('sign-in.button')}</button></form>
${sendsMail ? `<p class="below"><a href="/account/forgot">${html('sign-in.forgot')}</a></p>` : ''}
${links.length > 0 ? `<p class="or">${html('sign-in.or')}</p>\n${links.join('\n')}` : ''}`,
  );
}

/** Returns the paragraph of a problem; empty without one. */
export function problemParagraph(texts: Texts, problem: Message | null): string {
  return problem === null ? '' : `<p class="problem" role="alert">${escapeHtml(texts.of(problem))}</p>`;
}

export interface ConsentPage {
  clientName: string;
  user: { display_name: string; email_address: string };
  offline: boolean;
  fields: Readonly<Record<string, string>>;
}

export function consentPage(texts: Texts, { clientName, user, offline, fields }: ConsentPage): string {
  const { html } = texts;
  const name = user.display_name || user.email_address;
  return page(
    texts,
    texts.text('consent.title'),
    `<h1>${html('consent.heading', { app: clientName })}</h1>
<p>${html('consent.may', { app: strong(clientName) })}</p>
<ul><li>${html('consent.changes')}</li>
<li>${html(offline ? 'consent.offline' : 'consent.online')}</li></ul>
<form method="post" action="/api2/oauth/consent">${hidden(fields)}
<div class="row"><button class="quiet" name="decision" value="deny">${html('consent.deny')}</button><button name="decision" value="approve">${html('consent.allow')}</button></div></form>
<footer><form method="post" action="/api2/oauth/sign-out">${hidden(fields)}${html('consent.user', { name, email: user.email_address })} <button class="link">${html('consent.another')}</button></form></footer>`,
  );
}

/** Returns the page of the out-of-band redirect: its title contains the outcome, for programs, so it has no language. */
export function outOfBandPage(texts: Texts, granted: boolean, outcome: string, code: string | null): string {
  const title = `${granted ? 'Success' : 'Denied'} ${outcome}`;
  const { html } = texts;
  return page(
    texts,
    title,
    granted
      ? `<h1>${html('consent.allowed')}</h1><p>${html('consent.code')}</p><code>${escapeHtml(code ?? '')}</code>`
      : `<h1>${html('consent.denied')}</h1><p>${html('consent.close')}</p>`,
  );
}

/** More for a page about a problem. */
export interface ProblemDetails {
  nextStep: Message;
  /** Values that the user can pass on, each with its name. */
  facts: readonly { name: Message; value: string }[];
  /** The address that leads to the sign-in page again; null: only the application can start again. */
  back: string | null;
}

export function problemPage(
  texts: Texts,
  message: Message,
  { nextStep, facts, back }: ProblemDetails = { nextStep: { key: 'problem.next' }, facts: [], back: null },
): string {
  const list = facts.map(({ name, value }) => `<dt>${escapeHtml(texts.of(name))}</dt><dd>${escapeHtml(value)}</dd>`);
  return page(
    texts,
    texts.text('problem.title'),
    `<h1>${texts.html('problem.heading')}</h1><p class="problem">${escapeHtml(texts.of(message))}</p>
<p>${escapeHtml(texts.of(nextStep))}</p>
${list.length > 0 ? `<dl>${list.join('')}</dl>` : ''}
${back === null ? '' : `<a class="button" href="${escapeHtml(back)}">${texts.html('problem.back')}</a>`}`,
  );
}
