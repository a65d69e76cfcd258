import { type Message, markup, type TextKey, type Texts } from '../languages/texts.ts';
import { hidden, page, problemParagraph } from '../oauth/pages.ts';
import { escapeHtml } from '../wire/escape-html.ts';
import { timestamp } from '../wire/query.ts';
import type { BrowserSession, ConnectedApp } from './access-list.ts';
import { newPasswordFields } from './link-pages.ts';

const END = '/account/end';

/** What the page says after a change. */
const DONE = {
  password: 'account.done-password',
  session: 'account.done-session',
  app: 'account.done-app',
  others: 'account.done-others',
} as const satisfies Record<string, TextKey>;
export type Done = keyof typeof DONE;

export interface OwnAccountPage {
  user: { display_name: string; email_address: string };
  isAdmin: boolean;
  hasPassword: boolean;
  sessions: readonly BrowserSession[];
  apps: readonly ConnectedApp[];
  fields: Readonly<Record<string, string>>;
  /** From the address: anything. */
  done: string | undefined;
  /** Why the password was not changed. */
  problem: Message | null;
}

export function ownAccountPage(texts: Texts, given: OwnAccountPage): string {
  const { user, fields, done, isAdmin } = given;
  const { html } = texts;
  const name = user.display_name || user.email_address;
  const message = Object.entries(DONE).find(([key]) => key === done)?.[1];
  return page(
    texts,
    texts.text('account'),
    `<h1>${escapeHtml(name)}</h1><p>${escapeHtml(user.email_address)}</p>
${isAdmin ? `<nav><a href="/account/people">${html('account.people')}</a></nav>` : ''}
${message === undefined ? '' : `<p class="done" role="status">${html(message)}</p>`}
${passwordSection(texts, given)}
${sessionSection(texts, given)}
${appSection(texts, given)}
<h2>${html('account.sign-out')}</h2>
<p>${html('account.sign-out-others')}</p>
<div class="row wrap">${endForm(fields, END, { what: 'others', id: '' }, texts.text('account.sign-out-others-button'))}
<form method="post" action="/account/sign-out">${hidden(fields)}<button class="quiet small">${html('account.sign-out')}</button></form></div>`,
    { wide: true },
  );
}

function passwordSection(texts: Texts, { user, hasPassword, fields, problem }: OwnAccountPage): string {
  const { html } = texts;
  if (!hasPassword) return `<h2>${html('account.password')}</h2><p>${html('account.no-password')}</p>`;
  return `<h2>${html('account.change-password')}</h2>${problemParagraph(texts, problem)}
<form method="post" action="/account/password">${hidden(fields)}
<input class="away" type="email" name="email_address" autocomplete="username" value="${escapeHtml(user.email_address)}" readonly tabindex="-1" aria-hidden="true">
<label>${html('account.current-password')}<input name="present" type="password" autocomplete="current-password" required></label>
${newPasswordFields(texts, false)}
<label class="choice"><input type="checkbox" name="apps" value="end">${html('account.apps-too')}</label>
<button>${html('account.change-button')}</button><p class="hint after">${html('account.browsers-too')}</p></form>`;
}

function sessionSection(texts: Texts, { sessions, fields }: OwnAccountPage): string {
  const { text, html } = texts;
  const rows = sessions.map(({ id, isThis, startedAt, seenAt }) => {
    const label = text('account.sign-out-browser', { time: timeText(texts, startedAt) });
    const action = isThis ? '' : endForm(fields, END, { what: 'session', id }, text('account.sign-out'), label);
    return `<li><div><b>${html(isThis ? 'account.this-browser' : 'account.browser')}</b><p>${usageText(texts, startedAt, seenAt)}</p></div>${action}</li>`;
  });
  return `<h2>${html('account.browsers')}</h2><ul class="list">${rows.join('')}</ul>`;
}

function appSection(texts: Texts, { apps, fields }: OwnAccountPage): string {
  const { text, html } = texts;
  const title = `<h2>${html('account.apps')}</h2>`;
  if (apps.length === 0) return `${title}<p>${html('account.no-apps')}</p>`;
  const rows = apps.map(({ id, name, startedAt, usedAt }) => {
    const label = text('account.sign-out-app', { app: name, time: timeText(texts, startedAt) });
    return `<li><div><b>${escapeHtml(name)}</b><p>${usageText(texts, startedAt, usedAt)}</p></div>${endForm(fields, END, { what: 'app', id }, text('account.sign-out'), label)}</li>`;
  });
  return `${title}<ul class="list">${rows.join('')}</ul>`;
}

type FormFields = Readonly<Record<string, string>>;

/** Returns a form with one button. `label`: the button's name for assistive technology, which contains its text. */
export function endForm(fields: FormFields, action: string, own: FormFields, text: string, label = text): string {
  return `<form method="post" action="${action}">${hidden({ ...fields, ...own })}<button class="quiet small" aria-label="${escapeHtml(label)}">${escapeHtml(text)}</button></form>`;
}

function usageText(texts: Texts, startedAt: number | null, usedAt: number | null): string {
  const times = { start: timeElement(texts, startedAt), use: timeElement(texts, usedAt) };
  return texts.html('account.usage', times);
}

function timeElement(texts: Texts, at: number | null) {
  const text = escapeHtml(timeText(texts, at));
  return markup(at === null ? text : `<time datetime="${timestamp(Math.floor(at / 1000)) ?? ''}">${text}</time>`);
}

/** Returns a time for a person, to a minute. */
export function timeText({ text }: Pick<Texts, 'text'>, at: number | null): string {
  return at === null
    ? text('account.some-time-ago')
    : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
