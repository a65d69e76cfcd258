import { hidden, page } from '../oauth/pages.ts';
import { escapeHtml } from '../wire/escape-html.ts';
import { timestamp } from '../wire/query.ts';
import type { BrowserSession, ConnectedApp } from './access-list.ts';
import { newPasswordFields } from './link-pages.ts';

const END = '/account/end';

/** What the page says after a change. */
const DONE = {
  password: 'Your password is changed.',
  session: 'The browser is signed out.',
  app: 'The app is signed out.',
  others: 'All other browsers and all apps are signed out.',
} as const;
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
  problem: string | null;
}

export function ownAccountPage(given: OwnAccountPage): string {
  const { user, fields, done, isAdmin } = given;
  const name = user.display_name || user.email_address;
  const message = Object.entries(DONE).find(([key]) => key === done)?.[1];
  return page(
    'Your account',
    `<h1>${escapeHtml(name)}</h1><p>${escapeHtml(user.email_address)}</p>
${isAdmin ? '<nav><a href="/account/people">Invite people and reset passwords</a></nav>' : ''}
${message === undefined ? '' : `<p class="done" role="status">${message}</p>`}
${passwordSection(given)}
${sessionSection(given)}
${appSection(given)}
<h2>Sign out</h2>
<p>All other browsers and all apps can be signed out at once.</p>
<div class="row wrap">${endForm(fields, END, { what: 'others', id: '' }, 'Sign out everywhere else')}
<form method="post" action="/account/sign-out">${hidden(fields)}<button class="quiet small">Sign out</button></form></div>`,
    { wide: true },
  );
}

function passwordSection({ user, hasPassword, fields, problem }: OwnAccountPage): string {
  if (!hasPassword) {
    return '<h2>Password</h2><p>Your account has no password. An administrator can give you a link to set one.</p>';
  }
  return `<h2>Change your password</h2>${problem === null ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<form method="post" action="/account/password">${hidden(fields)}
<input class="away" type="email" name="email_address" autocomplete="username" value="${escapeHtml(user.email_address)}" readonly tabindex="-1" aria-hidden="true">
<label>Current password<input name="present" type="password" autocomplete="current-password" required></label>
${newPasswordFields(false)}
<label class="choice"><input type="checkbox" name="apps" value="end">Also sign out all apps</label>
<button>Change password</button><p class="hint after">Other browsers are signed out in any case.</p></form>`;
}

function sessionSection({ sessions, fields }: OwnAccountPage): string {
  const rows = sessions.map(({ id, isThis, startedAt, seenAt }) => {
    const name = isThis ? 'This browser' : 'Browser';
    const action = isThis
      ? ''
      : endForm(fields, END, { what: 'session', id }, 'Sign out', `Sign out the browser of ${timeText(startedAt)}`);
    return `<li><div><b>${name}</b><p>${usageText(startedAt, seenAt)}</p></div>${action}</li>`;
  });
  return `<h2>Browsers</h2><ul class="list">${rows.join('')}</ul>`;
}

function appSection({ apps, fields }: OwnAccountPage): string {
  if (apps.length === 0) return '<h2>Apps</h2><p>No app is signed in to your account.</p>';
  const rows = apps.map(({ id, name, startedAt, usedAt }) => {
    const label = `Sign out ${name} of ${timeText(startedAt)}`;
    return `<li><div><b>${escapeHtml(name)}</b><p>${usageText(startedAt, usedAt)}</p></div>${endForm(fields, END, { what: 'app', id }, 'Sign out', label)}</li>`;
  });
  return `<h2>Apps</h2><ul class="list">${rows.join('')}</ul>`;
}

type FormFields = Readonly<Record<string, string>>;

/** Returns a form with one button. `label`: the button's name for assistive technology, which begins with its text. */
export function endForm(fields: FormFields, action: string, own: FormFields, text: string, label = text): string {
  return `<form method="post" action="${action}">${hidden({ ...fields, ...own })}<button class="quiet small" aria-label="${escapeHtml(label)}">${text}</button></form>`;
}

function usageText(startedAt: number | null, usedAt: number | null): string {
  return `Signed in ${timeElement(startedAt)}, last used ${timeElement(usedAt)}`;
}

function timeElement(at: number | null): string {
  if (at === null) return timeText(at);
  return `<time datetime="${timestamp(Math.floor(at / 1000)) ?? ''}">${timeText(at)}</time>`;
}

/** Returns a time for a person, to a minute. */
export function timeText(at: number | null): string {
  return at === null ? 'some time ago' : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
