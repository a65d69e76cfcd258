import { type Message, strong, type Texts } from '../languages/texts.ts';
import { hidden, page } from '../oauth/pages.ts';
import { escapeHtml } from '../wire/escape-html.ts';
import type { FoundAccount, OfferedGroup, OpenInvitation } from './invitations.ts';
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
  groups: readonly OfferedGroup[];
  sendsMail: boolean;
  input: InviteInput;
  /** Why nobody was invited, one sentence each. */
  problems: readonly Message[];
  invitations: readonly OpenInvitation[];
  found: { accounts: readonly FoundAccount[]; total: number };
  search: string;
  now: number;
  /** Id of the administrator who looks at the page. */
  ownId: number;
}

export function peoplePage(texts: Texts, given: PeoplePage): string {
  const { html } = texts;
  return page(
    texts,
    texts.text('people.title'),
    `<nav><a href="/account">${html('account')}</a></nav><h1>${html('people.title')}</h1>
${inviteSection(texts, given)}${invitationSection(texts, given)}${searchSection(texts, given)}`,
    { wide: true },
  );
}

function inviteSection(texts: Texts, { fields, groups, sendsMail, input, problems }: PeoplePage): string {
  const { html } = texts;
  const choices = groups.map(
    ({ id, display_name }) =>
      `<label class="choice"><input type="checkbox" name="group_${id}" value="1"${input.groups.has(String(id)) ? ' checked' : ''}>${escapeHtml(display_name)}</label>`,
  );
  return `<h2>${html('people.invite')}</h2>
${problems.length === 0 ? '' : `<p class="problem" role="alert">${problems.map((each) => escapeHtml(texts.of(each))).join('<br>')}</p>`}
<form method="post" action="/account/people/invite">${hidden(fields)}
${field(html('people.email'), 'email_address', 'email', input.email_address)}
${field(html('people.first-name'), 'first_name', 'text', input.first_name)}
${field(html('people.last-name'), 'last_name', 'text', input.last_name)}
<label class="choice"><input type="checkbox" name="is_admin" value="1"${input.is_admin ? ' checked' : ''}>${html('people.is-admin')}</label>
${choices.length === 0 ? '' : `<fieldset><legend>${html('people.groups')}</legend>${choices.join('')}</fieldset>`}
${mailChoice(texts, sendsMail)}
<button>${html('people.invite-button')}</button></form>`;
}

function field(label: string, name: string, type: string, value: string): string {
  return `<label>${label}<input name="${name}" type="${type}" autocomplete="off" required value="${escapeHtml(value)}"></label>`;
}

function mailChoice({ html }: Texts, sendsMail: boolean): string {
  if (!sendsMail) return '';
  return `<label class="choice"><input type="checkbox" name="mail" value="1" checked>${html('people.by-mail')}</label>`;
}

function invitationSection(texts: Texts, { fields, invitations, now }: PeoplePage): string {
  const { text, html } = texts;
  const title = `<h2>${html('people.invitations')}</h2>`;
  if (invitations.length === 0) return `${title}<p>${html('people.no-invitations')}</p>`;
  const rows = invitations.map(({ user_id, email_address, expires_at }) => {
    const time = timeText(texts, expires_at);
    const state = html(expires_at > now ? 'people.valid-until' : 'people.expired', { time });
    const id = String(user_id);
    return `<li><div><b>${escapeHtml(email_address)}</b><p>${state}</p></div><div class="row wrap near">
${linkForm(texts, fields, id, 'people.new-link', email_address)}
${endForm(fields, '/account/people/revoke', { id }, text('people.revoke'), text('people.revoke-for', { email: email_address }))}</div></li>`;
  });
  return `${title}<ul class="list">${rows.join('')}</ul>`;
}

function searchSection(texts: Texts, { fields, found, search, ownId }: PeoplePage): string {
  const { html } = texts;
  const rows = found.accounts.map((account) => {
    const { id, name, email_address, deactivated_on: since } = account;
    const state = since === null ? '' : `<p>${html('people.deactivated', { time: timeText(texts, since * 1000) })}</p>`;
    const actions = accountActions(texts, fields, account, id === ownId);
    return `<li><div><b>${escapeHtml(name || email_address)}</b><p>${escapeHtml(email_address)}</p>${state}</div><div class="row wrap near">${actions}</div></li>`;
  });
  const count = { shown: found.accounts.length, total: found.total };
  return `<h2>${html('people.links')}</h2><p>${html('people.links-what')}</p><p>${html('people.deactivate-what')}</p>
<form method="get" action="/account/people" role="search"><label>${html('people.search')}<input name="q" type="search" value="${escapeHtml(search)}"></label>
<button class="quiet small">${html('people.find')}</button></form>
<p class="count" role="status">${rows.length === 0 ? html('people.nobody') : html('people.found', count)}</p><ul class="list">${rows.join('')}</ul>`;
}

function accountActions(
  texts: Texts,
  fields: Readonly<Record<string, string>>,
  { id, email_address: email, has_password, deactivated_on }: FoundAccount,
  isOwn: boolean,
): string {
  const { text } = texts;
  const form = (verb: 'deactivate' | 'reactivate') =>
    endForm(
      fields,
      `/account/people/${verb}`,
      { id: String(id) },
      text(`people.${verb}`),
      text(`people.${verb}-for`, { email }),
    );
  if (deactivated_on !== null) return form('reactivate');
  const key = has_password ? 'people.reset-link' : 'people.invitation-link';
  return `${linkForm(texts, fields, String(id), key, email)}${isOwn ? '' : form('deactivate')}`;
}

function linkForm(
  { text }: Texts,
  fields: Readonly<Record<string, string>>,
  id: string,
  key: 'people.new-link' | 'people.reset-link' | 'people.invitation-link',
  email: string,
): string {
  return endForm(fields, '/account/people/link', { id }, text(key), text(`${key}-for`, { email }));
}

export interface GivenLinkPage {
  email: string;
  /** Shown once; null: it was sent. */
  link: string | null;
  /** Why it was not sent; null when that was not asked for. */
  failure: Message | null;
  /** Whether the link is for an account that never had a password. */
  isInvitation: boolean;
}

export function givenLinkPage(texts: Texts, { email, link, failure, isInvitation }: GivenLinkPage): string {
  const { html } = texts;
  const what = isInvitation ? 'people.invitation' : 'people.reset-link';
  const receiver = { email: strong(email), count: LINK_HOURS };
  const body =
    link === null
      ? `<p>${html('people.sent', receiver)}</p>`
      : `${failure === null ? '' : `<p class="problem" role="alert">${html('people.not-sent')} ${escapeHtml(texts.of(failure))}</p>`}
<p>${html('people.give', receiver)}</p>
<code>${escapeHtml(link)}</code>`;
  return page(
    texts,
    texts.text(what),
    `<h1>${html(what)}</h1>${body}<p class="after"><a class="button" href="/account/people">${html('people.back')}</a></p>`,
  );
}
