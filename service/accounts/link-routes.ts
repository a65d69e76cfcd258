import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Message, say } from '../languages/texts.ts';
import { sendPage } from '../oauth/send-page.ts';
import { createTokenLimit } from '../oauth/token-limit.ts';
import { textsOf } from '../site/page-texts.ts';
import type { Site } from '../site/site.ts';
import { fieldsOf } from '../wire/form.ts';
import { Problem } from '../wire/problem.ts';
import { guardForms } from './form-guard.ts';
import {
  accountProblemPage,
  deadLinkPage,
  passwordProblemText,
  passwordSetPage,
  setPasswordPage,
} from './link-pages.ts';
import { type AccountLink, findLink, redeemLink, SET_PASSWORD_ROUTE } from './links.ts';
import { passwordProblem } from './password-rules.ts';

/**
 * The page of one-time links. To open it changes nothing, because programs that check mail open links too; to send its form uses the
 * link. Every link that can't be used gets the same answer.
 */
export function linkRoutes(app: FastifyInstance, site: Site): void {
  const limit = createTokenLimit();

  /**
   * Answers for a link that can't be used, and counts it for the address of the browser, which has to wait after many of them. A valid
   * link can't be a guess, so nobody behind the same address can make its browser wait.
   */
  function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const waitMs = limit.waitMs(request.ip, site.now());
    if (waitMs === 0) {
      limit.refused(request.ip, site.now());
      return sendPage(reply, 404, deadLinkPage(textsOf(site, request)));
    }
    const seconds = Math.ceil(waitMs / 1000);
    const page = accountProblemPage(textsOf(site, request), say('link.too-many'));
    return sendPage(reply.header('retry-after', String(seconds)), 429, page);
  }

  const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;
  // The path of the request itself may have other spellings of the token.
  const guardOf = (request: FastifyRequest, token: string) => guardForms(site, request, `set-password ${token}`, null);

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    link: AccountLink,
    problem: { status: number; message: Message } | null,
  ): FastifyReply {
    const token = tokenOf(request);
    const html = setPasswordPage(textsOf(site, request), {
      action: SET_PASSWORD_ROUTE.replace(':token', encodeURIComponent(token)),
      fields: guardOf(request, token).fields(reply),
      email: link.email_address,
      purpose: link.purpose,
      problem: problem?.message ?? null,
    });
    return sendPage(reply, problem?.status ?? 200, html);
  }

  app.get(SET_PASSWORD_ROUTE, async (request, reply) => {
    const link = await findLink(site, tokenOf(request));
    return link ? show(request, reply, link, null) : refuse(request, reply);
  });

  app.post(SET_PASSWORD_ROUTE, async (request, reply) => {
    const token = tokenOf(request);
    const link = await findLink(site, token);
    if (!link) return refuse(request, reply);
    const fields = fieldsOf(request.body);
    if (!guardOf(request, token).isOurs(fields)) {
      return show(request, reply, link, { status: 403, message: say('link.form-expired') });
    }
    if (site.settings.current().read_only) {
      return show(request, reply, link, { status: 503, message: say('link.read-only') });
    }
    const { password = '', again = '' } = fields;
    const problem = passwordProblem(password, again, link.email_address);
    if (problem) return show(request, reply, link, { status: 422, message: passwordProblemText(problem) });
    const hash = await site.passwords.hash(password).catch(asProblem);
    if (hash instanceof Problem) {
      return show(request, reply.headers(hash.headers), link, { status: hash.status, message: say('sign-in.busy') });
    }
    // Another request may have used the link, or an administrator ended it, while the password was hashed.
    if (!(await redeemLink(site, token, hash))) return refuse(request, reply);
    return sendPage(reply, 200, passwordSetPage(textsOf(site, request)));
  });
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}
