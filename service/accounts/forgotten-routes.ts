import type { FastifyInstance } from 'fastify';
import { say } from '../languages/texts.ts';
import type { Mailer } from '../mail/mailer.ts';
import { createCounters, keyOf, networkOf, type Rule } from '../oauth/failure-counters.ts';
import { sendPage } from '../oauth/send-page.ts';
import { sendsMail } from '../site/mail-settings.ts';
import { textsOf, textsOfSite } from '../site/page-texts.ts';
import type { Site } from '../site/site.ts';
import { fieldsOf } from '../wire/form.ts';
import { guardForms } from './form-guard.ts';
import { accountProblemPage, askedPage, forgottenPage } from './link-pages.ts';
import { issueLink, linkUrl } from './links.ts';
import { linkMail } from './mails.ts';

const PATH = '/account/forgot';
const HOUR_MS = 3_600_000;
/** Requests of one network: many users may share it, so that nobody can shut out the others for more than a minute. */
const NETWORK: Rule = { free: 10, baseMs: 60_000, leakMs: HOUR_MS / 6, maxDelayMs: 60_000 };
/** Mails to one account, so that nobody can fill its mailbox. */
const ACCOUNT: Rule = { free: 3, baseMs: HOUR_MS, leakMs: HOUR_MS, maxDelayMs: 24 * HOUR_MS };
/** Mails that are being sent; further ones are dropped. */
const MAX_SENDING = 20;

/**
 * “Forgot password?”: sends a link to the address of an account that has a password. The answer is the same, at the same time, for every
 * address. Exists only while a mail server is set.
 */
export function forgottenRoutes(app: FastifyInstance, site: Site, mailer: Mailer): void {
  const networks = createCounters();
  const accounts = createCounters();
  let sending = 0;

  const isOff = () => !sendsMail(site.settings.current()) || site.settings.current().read_only;
  const OFF = say('forgot.off');

  app.get(PATH, (request, reply) => {
    if (isOff()) return sendPage(reply, 404, accountProblemPage(textsOf(site, request), OFF));
    return sendPage(
      reply,
      200,
      forgottenPage(textsOf(site, request), guardForms(site, request, 'forgot', null).fields(reply)),
    );
  });

  app.post(PATH, (request, reply) => {
    const fields = fieldsOf(request.body);
    if (!guardForms(site, request, 'forgot', null).isOurs(fields)) {
      return sendPage(reply, 403, accountProblemPage(textsOf(site, request), say('account.form-expired')));
    }
    if (isOff()) return sendPage(reply, 404, accountProblemPage(textsOf(site, request), OFF));
    const network = keyOf(networkOf(request.ip));
    const waitMs = networks.waitMs(network, NETWORK, site.now());
    if (waitMs > 0) {
      const page = accountProblemPage(textsOf(site, request), say('forgot.too-many'));
      return sendPage(reply.header('retry-after', String(Math.ceil(waitMs / 1000))), 429, page);
    }
    networks.add(network, NETWORK.leakMs, site.now());
    const email = (fields.email_address ?? '').trim().slice(0, 300);
    // After the answer, which so takes the same time whether the account exists or not.
    setImmediate(() => {
      sendLink(email).catch((error: unknown) => site.log('a reset link was not sent', { error: String(error) }));
    });
    return sendPage(reply, 200, askedPage(textsOf(site, request)));
  });

  async function sendLink(email: string): Promise<void> {
    if (!site.store.isOpen()) return;
    const account = keyOf(email.toLowerCase());
    // A user without a password signs in with a provider, or has an invitation.
    const user = await site.store.get<{ id: number; email_address: string }>(
      'SELECT id, email_address FROM users WHERE email_address COLLATE NOCASE = ? COLLATE NOCASE AND password_hash IS NOT NULL AND deactivated_on IS NULL',
      email,
    );
    if (user === undefined || sending >= MAX_SENDING || accounts.waitMs(account, ACCOUNT, site.now()) > 0) return;
    // Counted before anything else can happen: of several requests at the same time, each counts for the next one.
    accounts.add(account, ACCOUNT.leakMs, site.now());
    sending += 1;
    try {
      const link = linkUrl(site.baseUrl, await issueLink(site, user, 'reset', { keepsOthers: true }));
      await mailer.send(linkMail(textsOfSite(site), user.email_address, 'reset', link, site.baseUrl));
    } finally {
      sending -= 1;
    }
  }
}
