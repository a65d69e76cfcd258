import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Message, say } from '../languages/texts.ts';
import { loginPage } from '../oauth/pages.ts';
import { providerLinks } from '../oauth/provider-links.ts';
import { sendPage } from '../oauth/send-page.ts';
import { anotherCookie, cookieNames, deviceCookie, endSession, readCookies, setCookie } from '../oauth/sessions.ts';
import { createSignIn, startSignedIn } from '../oauth/sign-in.ts';
import { sendsMail } from '../site/mail-settings.ts';
import { textsOf } from '../site/page-texts.ts';
import type { Site } from '../site/site.ts';
import { fieldsOf } from '../wire/form.ts';
import { queryOf } from '../wire/query.ts';
import { guardForms } from './form-guard.ts';
import { accountProblemPage, signedOutPage } from './link-pages.ts';
import { visitorOf } from './visitor.ts';

const SIGN_IN = '/account/sign-in';
/** The pages that a sign-in leads to; the first one by default. No other address is possible. */
const TARGETS = ['/account', '/account/people'] as const;
type Target = (typeof TARGETS)[number];

const targetOf = (text: string | undefined): Target => TARGETS.find((each) => each === text) ?? TARGETS[0];

/** Leads a visitor without a session to the sign-in form, and from there back. */
export function leadToSignIn(reply: FastifyReply, target: Target): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(`${SIGN_IN}?next=${encodeURIComponent(target)}`, 303);
}

/** Signing in and out on the pages of the account, without an app. */
export function signInRoutes(app: FastifyInstance, site: Site): void {
  const signIn = createSignIn(site);
  const guardOf = (request: FastifyRequest) => guardForms(site, request, 'sign-in', null);

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    target: Target,
    problem: { status: number; message: Message; email: string } | null = null,
  ): FastifyReply {
    const guard = guardOf(request);
    const html = loginPage(textsOf(site, request), {
      clientName: null,
      fields: { ...guard.fields(reply), next: target },
      email: problem?.email ?? '',
      problem: problem?.message ?? null,
      action: SIGN_IN,
      providers: providerLinks(site, guard.cookie(reply), target),
      sendsMail: sendsMail(site.settings.current()),
    });
    return sendPage(reply, problem?.status ?? 200, html);
  }

  app.get(SIGN_IN, async (request, reply) => {
    const target = targetOf(queryOf(request.query).next);
    return (await visitorOf(site, request)) ? reply.redirect(target, 303) : show(request, reply, target);
  });

  app.post(SIGN_IN, async (request, reply) => {
    const fields = fieldsOf(request.body);
    const target = targetOf(fields.next);
    const email = (fields.email_address ?? '').trim().slice(0, 300);
    if (!guardOf(request).isOurs(fields)) {
      return show(request, reply, target, { status: 403, message: say('sign-in.form-expired'), email });
    }
    const names = cookieNames(site);
    const jar = readCookies(request.headers.cookie);
    const password = (fields.password ?? '').slice(0, 1000);
    const device = jar.get(names.device);
    const result = await signIn({ email, password, address: request.ip, deviceCookie: device });
    if (result.kind === 'refused') {
      const { status, message, headers } = result;
      return show(request, reply.headers(headers), target, { status, message, email });
    }
    // The session is a new one, whatever cookie the browser had before.
    const started = await startSignedIn(site, result, jar.get(names.session));
    if (started === undefined) {
      return show(request, reply, target, { status: 401, message: say('sign-in.wrong'), email });
    }
    return reply
      .header('set-cookie', [
        setCookie(site, names.session, started),
        ...(result.isKnownBrowser ? [] : [deviceCookie(site, names.device, result.userId)]),
      ])
      .redirect(target, 303);
  });

  app.post('/account/sign-out', async (request, reply) => {
    const visitor = await visitorOf(site, request);
    if (!visitor) return sendPage(reply, 403, signedOutPage(textsOf(site, request)));
    if (!guardForms(site, request, 'account', visitor.session).isOurs(fieldsOf(request.body))) {
      return sendPage(reply, 403, accountProblemPage(textsOf(site, request), say('account.form-expired')));
    }
    await endSession(site, visitor.session);
    return reply
      .header('set-cookie', [setCookie(site, cookieNames(site).session, ''), anotherCookie(site)])
      .redirect(SIGN_IN, 303);
  });
}
