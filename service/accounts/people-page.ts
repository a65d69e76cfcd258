import { hidden, page } from '../oauth/pages.ts';
import { escapeHtml } from '../wire/escape-html.ts';
import type { FoundAccount, Group, OpenInvitation } from './invitations.ts';
import { LINK_HOURS } from './links.ts';
import { endForm, timeText } from './own-account-page.ts';

/** What the invitation form has. */
export interface InviteInput {
  email_address: string;
  first_name: string;
  last_name: string;
  is_admin: boolean;
  groups: ReadonlySet<string>;
}

export const NO_INPUT: InviteInput = {
  email_address: '',
  first_name: '',
  last_name: '',
  is_admin: false,
  groups: new Set(),
};

export interface PeoplePage {
  fields: Readonly<Record<string, string>>;
  groups: readonly Group[];
  sendsMail: boolean;
  input: InviteInput;
  /** Why nobody was invited, one sentence each. */
  problems: readonly string[];
  invitations: readonly OpenInvitation[];
  found: { accounts: readonly FoundAccount[]; total: number };
  search: string;
  now: number;
}

export function peoplePage(given: PeoplePage): string {
  return page(
    'People',
    `<nav><a href="/account">Your account</a></nav><h1>People</h1>
${inviteSection(given)}${invitationSection(given)}${searchSection(given)}`,
    { wide: true },
  );
}

function inviteSection({ fields, groups, sendsMail, input, problems }: PeoplePage): string {
  const choices = groups.map(
    ({ id, display_name }) =>
      `<label class="choice"><input type="checkbox" name="group_${id}" value="1"${input.groups.has(String(id)) ? ' checked' : ''}>${escapeHtml(display_name)}</label>`,
  );
  return `<h2>Invite somebody</h2>
${problems.length === 0 ? '' : `<p class="problem" role="alert">${problems.map(escapeHtml).join('<br>')}</p>`}
<form method="post" action="/account/people/invite">${hidden(fields)}
${field('Email address', 'email_address', 'email', input.email_address)}
${field('First name', 'first_name', 'text', input.first_name)}
${field('Last name', 'last_name', 'text', input.last_name)}
<label class="choice"><input type="checkbox" name="is_admin" value="1"${input.is_admin ? ' checked' : ''}>Administrator of the library</label>
${choices.length === 0 ? '' : `<fieldset><legend>Groups</legend>${choices.join('')}</fieldset>`}
${mailChoice(sendsMail)}
<button>Invite</button></form>`;
}

function field(label: string, name: string, type: string, value: string): string {
  return `<label>${label}<input name="${name}" type="${type}" autocomplete="off" required value="${escapeHtml(value)}"></label>`;
}

function mailChoice(sendsMail: boolean): string {
  if (!sendsMail) return '';
  return '<label class="choice"><input type="checkbox" name="mail" value="1" checked>Send the link by mail</label>';
}

function invitationSection({ fields, invitations, now }: PeoplePage): string {
  if (invitations.length === 0) return '<h2>Open invitations</h2><p>There are no open invitations.</p>';
  const rows = invitations.map(({ user_id, email_address, expires_at }) => {
    const state = expires_at > now ? `Valid until ${timeText(expires_at)}` : `Expired ${timeText(expires_at)}`;
    const id = String(user_id);
    return `<li><div><b>${escapeHtml(email_address)}</b><p>${state}</p></div><div class="row wrap near">
${linkForm(fields, id, 'New link', email_address)}
${endForm(fields, '/account/people/revoke', { id }, 'Revoke', `Revoke the invitation of ${email_address}`)}</div></li>`;
  });
  return `<h2>Open invitations</h2><ul class="list">${rows.join('')}</ul>`;
}

function searchSection({ fields, found, search }: PeoplePage): string {
  const rows = found.accounts.map(({ id, name, email_address, has_password }) => {
    const action = linkForm(fields, String(id), has_password ? 'Reset link' : 'Invitation link', email_address);
    return `<li><div><b>${escapeHtml(name || email_address)}</b><p>${escapeHtml(email_address)}</p></div>${action}</li>`;
  });
  const count = `${found.accounts.length} of ${found.total.toLocaleString('en-US')}`;
  return `<h2>Links for users</h2><p>A new link ends the earlier ones. Using it signs out all browsers and apps of the user.</p>
<form method="get" action="/account/people" role="search"><label>Name or email address<input name="q" type="search" value="${escapeHtml(search)}"></label>
<button class="quiet small">Find</button></form>
<p class="count" role="status">${rows.length === 0 ? 'Nobody was found.' : `Shown: ${count}`}</p><ul class="list">${rows.join('')}</ul>`;
}

const linkForm = (fields: Readonly<Record<string, string>>, id: string, text: string, email: string) =>
  endForm(fields, '/account/people/link', { id }, text, `${text} for ${email}`);

export interface GivenLinkPage {
  email: string;
  /** Shown once; null: it was sent. */
  link: string | null;
  /** Why it was not sent; null when that was not asked for. */
  failure: string | null;
  /** Whether the link is for an account that never had a password. */
  isInvitation: boolean;
}

export function givenLinkPage({ email, link, failure, isInvitation }: GivenLinkPage): string {
  const what = isInvitation ? 'Invitation' : 'Reset link';
  const body =
    link === null
      ? `<p>The link was sent to <b>${escapeHtml(email)}</b>. It works once, within ${LINK_HOURS} hours.</p>`
      : `${failure === null ? '' : `<p class="problem" role="alert">The mail was not sent. ${escapeHtml(failure)}</p>`}
<p>Give this link to <b>${escapeHtml(email)}</b>, and to nobody else. It works once, within ${LINK_HOURS} hours. It is not shown again.</p>
<code>${escapeHtml(link)}</code>`;
  return page(
    what,
    `<h1>${what}</h1>${body}<p class="after"><a class="button" href="/account/people">Back to people</a></p>`,
  );
}
