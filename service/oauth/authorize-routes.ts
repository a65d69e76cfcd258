import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Message, say, type Texts } from '../languages/texts.ts';
import { randomToken } from '../secrets/random-token.ts';
import { sendsMail } from '../site/mail-settings.ts';
import { textsOf } from '../site/page-texts.ts';
import type { Site } from '../site/site.ts';
import { type Fields, fieldsOf } from '../wire/form.ts';
import {
  AUTHORIZE,
  type AuthorizationRequest,
  type AuthorizationTarget,
  type Checked,
  checkAuthorization,
  outcomeText,
  outcomeUrl,
} from './authorization-request.ts';
import { findClient, isOob, type OauthClient } from './clients.ts';
import { formToken, isFormToken } from './form-token.ts';
import { consentPage, loginPage, outOfBandPage, problemPage } from './pages.ts';
import { providerLinks } from './provider-links.ts';
import { sendPage as send } from './send-page.ts';
import {
  anotherCookie,
  cookieNames,
  deviceCookie,
  endSession,
  readCookies,
  sessionUser,
  setCookie,
} from './sessions.ts';
import { createSignIn, startSignedIn } from './sign-in.ts';
import { issueCode, issueImplicit } from './tokens.ts';

/** One request to the authorization endpoint, with the client and the browser that it belongs to. */
interface Visit {
  /** In the language of the browser. */
  texts: Texts;
  query: string;
  client: OauthClient | undefined;
  checked: Checked;
  formCookie: string;
  session: string | undefined;
  /** Cookie of a browser in which a user has signed in before. */
  device: string | undefined;
}

/** The pages of the authorization endpoint: login if needed, consent, and the redirect back to the application. */
export function authorizeRoutes(app: FastifyInstance, site: Site): void {
  const signIn = createSignIn(site);

  async function visit(request: FastifyRequest, query: string): Promise<Visit> {
    const cookies = cookieNames(site);
    const jar = readCookies(request.headers.cookie);
    const params = new URLSearchParams(query);
    const client = await findClient(site.store, params.get('client_id') ?? '');
    const requiresPkce = site.settings.current().require_pkce ?? site.dialect().requiresPkce;
    const checked = checkAuthorization(client, params, { requiresPkce });
    return {
      texts: textsOf(site, request),
      query,
      client,
      checked,
      formCookie: jar.get(cookies.form) ?? '',
      session: jar.get(cookies.session),
      device: jar.get(cookies.device),
    };
  }

  /** On the consent page, a form is bound to a session; the login page has none yet. */
  const ownerOf = ({ formCookie, query, session }: Visit, page: 'login' | 'consent') => ({
    cookie: formCookie,
    query,
    session: page === 'login' ? null : (session ?? ''),
  });

  /** Returns whether a form was created for this browser, this request and, after the login, this session. */
  function formIsOurs(current: Visit, fields: Fields, page: 'login' | 'consent'): boolean {
    return isFormToken(site, ownerOf(current, page), fields.csrf);
  }

  /** Returns the form cookie of the browser, and gives it one if it has none. */
  function formCookieFor(reply: FastifyReply, current: Visit): string {
    const cookie = current.formCookie || randomToken(16);
    if (!current.formCookie) reply.header('set-cookie', setCookie(site, cookieNames(site).form, cookie));
    return cookie;
  }

  function finish(
    reply: FastifyReply,
    { texts }: Visit,
    target: AuthorizationTarget,
    granted: boolean,
    outcome: Record<string, string>,
  ): FastifyReply {
    if (isOob(target.redirectUri)) {
      return send(reply, 200, outOfBandPage(texts, granted, outcomeText(target, outcome), outcome.code ?? null));
    }
    return reply.header('cache-control', 'no-store').redirect(outcomeUrl(target, outcome), 302);
  }

  async function show(
    reply: FastifyReply,
    current: Visit,
    problem: { status: number; message: Message; email: string } | null = null,
  ) {
    const { texts, checked, client } = current;
    if (checked.kind === 'page') return send(reply, 400, problemPage(texts, checked.message));
    if (checked.kind === 'redirect') {
      return finish(reply, current, checked.target, false, {
        error: checked.error,
        error_description: checked.description,
      });
    }
    const clientName = client?.displayName ?? '';
    const user = await sessionUser(site, current.session);
    const formCookie = formCookieFor(reply, current);
    const owner = ownerOf({ ...current, formCookie }, !user || problem ? 'login' : 'consent');
    const fields = { request: current.query, csrf: formToken(site, owner) };
    if (!user || problem) {
      const page = loginPage(texts, {
        clientName,
        fields,
        email: problem?.email ?? '',
        problem: problem?.message ?? null,
        providers: providerLinks(site, formCookie, `${AUTHORIZE}?${current.query}`),
        sendsMail: sendsMail(site.settings.current()),
      });
      return send(reply, problem?.status ?? 200, page);
    }
    const offline = checked.request.responseType === 'code';
    return send(reply, 200, consentPage(texts, { clientName, user, offline, fields }), checked.request.redirectUri);
  }

  app.get(
    AUTHORIZE,
    async (request, reply) => await show(reply, await visit(request, request.url.split('?').slice(1).join('?'))),
  );

  app.post('/api2/oauth/login', async (request, reply) => {
    const fields = fieldsOf(request.body);
    const current = await visit(request, fields.request ?? '');
    if (!formIsOurs(current, fields, 'login')) return send(reply, 403, problemPage(current.texts, say('problem.form')));
    if (current.checked.kind !== 'ok') return await show(reply, current);
    const email = (fields.email_address ?? '').trim().slice(0, 300);
    const password = (fields.password ?? '').slice(0, 1000);
    const result = await signIn({ email, password, address: request.ip, deviceCookie: current.device });
    if (result.kind === 'refused') {
      return await show(reply.headers(result.headers), current, {
        status: result.status,
        message: result.message,
        email,
      });
    }
    const started = await startSignedIn(site, result, current.session);
    if (started === undefined) return await show(reply, current, { status: 401, message: say('sign-in.wrong'), email });
    const { session, device: deviceName } = cookieNames(site);
    return reply
      .header('set-cookie', [
        setCookie(site, session, started),
        ...(result.isKnownBrowser ? [] : [deviceCookie(site, deviceName, result.userId)]),
      ])
      .redirect(`${AUTHORIZE}?${current.query}`, 303);
  });

  app.post('/api2/oauth/consent', async (request, reply) => {
    const fields = fieldsOf(request.body);
    const current = await visit(request, fields.request ?? '');
    if (!formIsOurs(current, fields, 'consent'))
      return send(reply, 403, problemPage(current.texts, say('problem.form')));
    const user = await sessionUser(site, current.session);
    if (current.checked.kind !== 'ok' || !current.client || !user) return await show(reply, current);
    const { request: asked } = current.checked;
    if (fields.decision === 'approve') {
      const granted = await grant(current.client.id, current.session, asked);
      return granted ? finish(reply, current, asked, true, granted) : await show(reply, current);
    }
    if (fields.decision !== 'deny') return await show(reply, current);
    return finish(reply, current, asked, false, {
      error: 'access_denied',
      error_description: 'The user denied the request.',
    });
  });

  /** Returns what the client gets for the user of a session; undefined when the session has ended. */
  function grant(
    clientId: string,
    session: string | undefined,
    asked: AuthorizationRequest,
  ): Promise<Record<string, string> | undefined> {
    return site.store.transaction(async (): Promise<Record<string, string> | undefined> => {
      const user = await sessionUser(site, session);
      if (user === undefined) return undefined;
      if (asked.responseType === 'code') return { code: await issueCode(site, clientId, user.id, asked) };
      const { access_token, expires_in } = await issueImplicit(site, clientId, user.id, asked.scope);
      return { access_token, token_type: 'Bearer', expires_in: String(expires_in), scope: asked.scope };
    });
  }

  app.post('/api2/oauth/sign-out', async (request, reply) => {
    const fields = fieldsOf(request.body);
    const current = await visit(request, fields.request ?? '');
    if (!formIsOurs(current, fields, 'consent'))
      return send(reply, 403, problemPage(current.texts, say('problem.form')));
    await endSession(site, current.session);
    return reply
      .header('set-cookie', [setCookie(site, cookieNames(site).session, ''), anotherCookie(site)])
      .redirect(`${AUTHORIZE}?${current.query}`, 303);
  });
}
