import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Message, say } from '../languages/texts.ts';
import { sendPage } from '../oauth/send-page.ts';
import { cookieNames, readCookies, sessionUser, setCookie, startSession } from '../oauth/sessions.ts';
import { createSignIn } from '../oauth/sign-in.ts';
import { textsOf } from '../site/page-texts.ts';
import type { Site } from '../site/site.ts';
import { type Fields, fieldsOf } from '../wire/form.ts';
import { Problem } from '../wire/problem.ts';
import { queryOf } from '../wire/query.ts';
import { appsOf, endAppOf, endApps, endSessionOf, endSessions, sessionsOf } from './access-list.ts';
import { guardForms } from './form-guard.ts';
import { accountProblemPage, passwordProblemText, signedOutPage } from './link-pages.ts';
import { endLinks, setPasswordHash } from './links.ts';
import { type Done, ownAccountPage } from './own-account-page.ts';
import { passwordProblem } from './password-rules.ts';
import { leadToSignIn } from './sign-in-routes.ts';
import { type Visitor, visitorOf } from './visitor.ts';

/** Why a change is refused. */
interface Refusal {
  status: number;
  message: Message;
  headers?: Readonly<Record<string, string>>;
}

/** The page of the own account: its password, and everything that is signed in with it. */
export function ownAccountRoutes(app: FastifyInstance, site: Site): void {
  const signIn = createSignIn(site);
  const guardOf = (request: FastifyRequest, { session }: Visitor) => guardForms(site, request, 'account', session);

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor,
    refusal?: Refusal,
  ): Promise<FastifyReply> {
    const html = ownAccountPage(textsOf(site, request), {
      user: visitor,
      isAdmin: visitor.isAdmin,
      hasPassword: visitor.hasPassword,
      sessions: await sessionsOf(site, visitor.id, visitor.session),
      apps: await appsOf(site, visitor.id),
      fields: guardOf(request, visitor).fields(reply),
      done: queryOf(request.query).done,
      problem: refusal?.message ?? null,
    });
    return sendPage(reply.headers(refusal?.headers ?? {}), refusal?.status ?? 200, html);
  }

  const finish = (reply: FastifyReply, done: Done) => reply.redirect(`/account?done=${done}`, 303);

  /** Registers a form that only the session for which it was made can send. */
  function form(
    path: string,
    act: (visitor: Visitor, fields: Fields, request: FastifyRequest, reply: FastifyReply) => unknown,
  ): void {
    app.post(path, async (request, reply) => {
      const visitor = await visitorOf(site, request);
      if (!visitor) return sendPage(reply, 403, signedOutPage(textsOf(site, request)));
      const fields = fieldsOf(request.body);
      if (!guardOf(request, visitor).isOurs(fields)) {
        return sendPage(reply, 403, accountProblemPage(textsOf(site, request), say('account.form-expired')));
      }
      return act(visitor, fields, request, reply);
    });
  }

  app.get('/account', async (request, reply) => {
    const visitor = await visitorOf(site, request);
    return visitor ? await show(request, reply, visitor) : leadToSignIn(reply, '/account');
  });

  form('/account/end', async ({ id: userId, session }, { what, id = '' }, request, reply) => {
    if (what === 'session') await endSessionOf(site.store, userId, id);
    else if (what === 'app') await endAppOf(site.store, userId, id);
    else if (what === 'others') {
      await site.store.transaction(async () => {
        await endSessions(site.store, userId, session);
        await endApps(site.store, userId);
      });
    } else return sendPage(reply, 400, accountProblemPage(textsOf(site, request), say('account.no-choice')));
    return finish(reply, what);
  });

  form('/account/password', async (visitor, fields, request, reply) => {
    const result = await changePassword(visitor, fields, request);
    if ('status' in result) return await show(request, reply, visitor, result);
    return finish(reply.header('set-cookie', setCookie(site, cookieNames(site).session, result.session)), 'password');
  });

  /**
   * Checks the present password as a sign-in does, with its limits, and saves the new one. Ends all sessions, because someone else may
   * have the cookie of any of them; returns that of a new one.
   */
  async function changePassword(
    visitor: Visitor,
    { present = '', password = '', again = '', apps }: Fields,
    request: FastifyRequest,
  ): Promise<Refusal | { session: string }> {
    if (site.settings.current().read_only) {
      return { status: 503, message: say('account.read-only') };
    }
    const problem = passwordProblem(password, again, visitor.email_address);
    if (problem) return { status: 422, message: passwordProblemText(problem) };
    const device = readCookies(request.headers.cookie).get(cookieNames(site).device);
    const address = request.ip;
    const email = visitor.email_address;
    const checked = await signIn({ email, password: present.slice(0, 1000), address, deviceCookie: device });
    if (checked.kind === 'refused') {
      const message = checked.status === 401 ? say('account.current-wrong') : checked.message;
      return { ...checked, status: checked.status === 401 ? 422 : checked.status, message };
    }
    const hash = await site.passwords.hash(password).catch((error: unknown) => {
      if (error instanceof Problem) return error;
      throw error;
    });
    if (hash instanceof Problem) return { status: hash.status, message: say('sign-in.busy'), headers: hash.headers };
    return await site.store.transaction(async () => {
      // Meanwhile, someone who knows the password too may have changed it, or a link was used: that ended this session.
      if ((await sessionUser(site, visitor.session))?.id !== visitor.id) {
        return { status: 409, message: say('account.changed-elsewhere') };
      }
      await setPasswordHash(site, visitor.id, hash);
      await endSessions(site.store, visitor.id);
      await endLinks(site, visitor.id);
      if (apps === 'end') await endApps(site.store, visitor.id);
      return { session: await startSession(site, visitor.id) };
    });
  }
}
