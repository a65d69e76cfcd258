import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Message, say, type TextKey } from '../languages/texts.ts';
import type { Mailer } from '../mail/mailer.ts';
import { sendPage } from '../oauth/send-page.ts';
import { type JournalEntry, recordIn } from '../site/journal.ts';
import { sendsMail } from '../site/mail-settings.ts';
import { textsOf, textsOfSite } from '../site/page-texts.ts';
import type { Call, Site } from '../site/site.ts';
import { type Fields, fieldsOf } from '../wire/form.ts';
import { Problem } from '../wire/problem.ts';
import { parseId, queryOf } from '../wire/query.ts';
import { deactivate, reactivate } from './deactivation.ts';
import { guardForms } from './form-guard.ts';
import {
  findAccounts,
  type GivenLink,
  giveLink,
  invitableGroups,
  invite,
  openInvitations,
  revoke,
} from './invitations.ts';
import { accountProblemPage, signedOutPage } from './link-pages.ts';
import { linkUrl } from './links.ts';
import { linkMail, mailFailureText } from './mails.ts';
import { givenLinkPage, type InviteInput, NO_INPUT, peoplePage } from './people-page.ts';
import { leadToSignIn } from './sign-in-routes.ts';
import { type Visitor, visitorOf } from './visitor.ts';

const PATH = '/account/people';
const NOT_ALLOWED = say('people.not-allowed');

interface PeopleRequest {
  call: Call;
  visitor: Visitor;
  fields: Fields;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The page on which administrators invite people and give links to users who can't sign in. */
export function peopleRoutes(
  app: FastifyInstance,
  site: Site,
  mailer: Mailer,
  entryOf: (request: FastifyRequest) => JournalEntry,
): void {
  const guardOf = (request: FastifyRequest, { session }: Visitor) => guardForms(site, request, 'people', session);

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor,
    refused: { status: number; problems: readonly Message[]; input: InviteInput } | null = null,
  ): Promise<FastifyReply> {
    const search = (queryOf(request.query).q ?? '').slice(0, 300).toWellFormed();
    const html = peoplePage(textsOf(site, request), {
      fields: guardOf(request, visitor).fields(reply),
      groups: await invitableGroups(site.store),
      sendsMail: sendsMail(site.settings.current()),
      input: refused?.input ?? NO_INPUT,
      problems: refused?.problems ?? [],
      invitations: await openInvitations(site.store),
      found: await findAccounts(site.store, search),
      search,
      now: site.now(),
      ownId: visitor.id,
    });
    return sendPage(reply, refused?.status ?? 200, html);
  }

  app.get(PATH, async (request, reply) => {
    const visitor = await visitorOf(site, request);
    if (!visitor) return leadToSignIn(reply, PATH);
    return visitor.isAdmin
      ? await show(request, reply, visitor)
      : sendPage(reply, 403, accountProblemPage(textsOf(site, request), NOT_ALLOWED));
  });

  /** Registers a form that only the session of an administrator can send, and only when the library can be changed. */
  function form(path: string, act: (given: PeopleRequest) => unknown): void {
    app.post(PATH + path, async (request, reply) => {
      const visitor = await visitorOf(site, request);
      if (!visitor) return sendPage(reply, 403, signedOutPage(textsOf(site, request)));
      if (!visitor.isAdmin) return sendPage(reply, 403, accountProblemPage(textsOf(site, request), NOT_ALLOWED));
      const fields = fieldsOf(request.body);
      if (!guardOf(request, visitor).isOurs(fields)) {
        return sendPage(reply, 403, accountProblemPage(textsOf(site, request), say('account.form-expired')));
      }
      if (site.settings.current().read_only) {
        return sendPage(reply, 503, accountProblemPage(textsOf(site, request), say('account.read-only')));
      }
      const call: Call = {
        site,
        caller: { userId: visitor.id, isAdmin: true, clientId: '', scope: '' },
        nowOn: Math.floor(site.now() / 1000),
        effect: recordIn(site.store, entryOf(request)),
      };
      return act({ call, visitor, fields, request, reply });
    });
  }

  /** Sends the link if that is asked for, and shows it otherwise, or when it could not be sent. */
  async function give(
    { request, reply }: Pick<PeopleRequest, 'request' | 'reply'>,
    given: GivenLink,
    byMail: boolean,
  ): Promise<FastifyReply> {
    const link = linkUrl(site.baseUrl, given.token);
    const { email_address: email, purpose } = given;
    const sent = byMail ? await mailer.send(linkMail(textsOfSite(site), email, purpose, link, site.baseUrl)) : null;
    const failure = sent?.kind === 'failed' ? mailFailureText(sent.failure) : null;
    const isInvitation = purpose === 'invitation';
    const shown = sent?.kind === 'sent' ? null : link;
    return sendPage(reply, 200, givenLinkPage(textsOf(site, request), { email, link: shown, failure, isInvitation }));
  }

  form('/invite', async ({ call, visitor, fields, request, reply }) => {
    const input = inputOf(fields);
    let given: GivenLink;
    try {
      const { groups, ...body } = input;
      given = await invite(call, body, [...groups]);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return await show(request, reply, visitor, { status: error.status, problems: problemsOf(error), input });
    }
    return give({ request, reply }, given, fields.mail === '1');
  });

  form('/link', async ({ call, fields, request, reply }) => {
    const given = await giveLink(call, parseId(fields.id) ?? -1);
    if (!given) return sendPage(reply, 404, accountProblemPage(textsOf(site, request), say('people.no-account')));
    return give({ request, reply }, given, false);
  });

  form('/deactivate', async ({ visitor, fields, request, reply }) => {
    const id = parseId(fields.id) ?? -1;
    if (id === visitor.id) {
      return sendPage(reply, 409, accountProblemPage(textsOf(site, request), say('people.own-account')));
    }
    await deactivate(site, id);
    return await showAccount(reply, id);
  });

  form('/reactivate', async ({ fields, reply }) => {
    const id = parseId(fields.id) ?? -1;
    await reactivate(site, id);
    return await showAccount(reply, id);
  });

  /** Leads to the page with this account. */
  async function showAccount(reply: FastifyReply, id: number): Promise<FastifyReply> {
    const row = await site.store.get<{ email_address: string }>('SELECT email_address FROM users WHERE id = ?', id);
    return reply.redirect(`${PATH}?${new URLSearchParams({ q: row?.email_address ?? '' })}`, 303);
  }

  form('/revoke', async ({ call, fields, reply }) => {
    await revoke(call, parseId(fields.id) ?? -1);
    return reply.redirect(PATH, 303);
  });
}

function inputOf(fields: Fields): InviteInput {
  const groups = Object.keys(fields).flatMap((name) => /^group_(\d{1,15})$/.exec(name)?.[1] ?? []);
  return {
    email_address: (fields.email_address ?? '').trim(),
    first_name: fields.first_name ?? '',
    last_name: fields.last_name ?? '',
    is_admin: fields.is_admin === '1',
    groups: new Set(groups),
  };
}

/** What is wrong with each field of the form. */
const FIELDS: Readonly<Record<string, TextKey>> = {
  email_address: 'people.bad-email',
  first_name: 'people.bad-first-name',
  last_name: 'people.bad-last-name',
  group_ids: 'people.bad-group',
};

/** Returns the sentences of a refusal: one for each field. Without fields, another account has the address. */
function problemsOf({ status, fields }: Problem): Message[] {
  if (fields.length === 0) return [say(status === 409 ? 'people.address-taken' : 'people.bad-input')];
  const keys = fields.map(({ field }) => FIELDS[field.split('.')[0] ?? ''] ?? 'people.bad-input');
  return [...new Set(keys)].map((key) => say(key));
}
