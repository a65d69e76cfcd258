import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { say } from '../languages/texts.ts';
import { problemPage } from '../oauth/pages.ts';
import { targetOfLink } from '../oauth/provider-links.ts';
import { sendPage } from '../oauth/send-page.ts';
import { cookieNames, endSession, readCookies, setCookie, startSession } from '../oauth/sessions.ts';
import { createTokenLimit } from '../oauth/token-limit.ts';
import { hashToken, randomToken } from '../secrets/random-token.ts';
import type { OidcProvider } from '../site/oidc-settings.ts';
import { textsOf } from '../site/page-texts.ts';
import type { Site } from '../site/site.ts';
import { notFound } from '../wire/problem.ts';
import { createConnections } from './connections.ts';
import { readProviderIdentity } from './identity.ts';
import { type Joined, joinAccount } from './join-account.ts';
import { createPendingSignIns, type Pending } from './pending.ts';
import { beginFlow, finishFlow } from './provider-flow.ts';
import { type Refusal, type RefusalReason, refusalText, refused } from './refusals.ts';

/** The longest address that is kept while the user is at the provider: it has the request of the application. */
const MAX_TARGET = 4096;

/** These requests have effects, so programs that only look at a link must not make them. */
const NO_HEAD = { exposeHeadRoute: false };

/** Refusals that count against the network of the browser: each may be an attempt to guess. */
const COUNTED: ReadonlySet<RefusalReason> = new Set(['expired', 'mixed-up', 'not-verified']);

/**
 * The sign-in with a provider of OpenID Connect: `start` leads from the sign-in page to the provider, which redirects to `callback`.
 * Each provider has a redirect URI of its own.
 */
export function registerOidc(app: FastifyInstance, site: Site): void {
  const connections = createConnections();
  const pendingSignIns = createPendingSignIns();
  const limit = createTokenLimit();

  function providerOf(request: FastifyRequest): OidcProvider {
    const { name } = request.params as { name: string };
    const provider = site.settings.current().oidc_providers.find((each) => each.name === name);
    if (!provider) throw notFound('Page');
    return provider;
  }

  const redirectUriOf = ({ name }: OidcProvider) => `${site.baseUrl}/oidc/${name}/callback`;

  /** Shows a refusal with a reference, under which the log has its reason. `back`: the page that leads to the sign-in page again. */
  function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: OidcProvider,
    refusal: Refusal,
    back: string | null,
  ): FastifyReply {
    const { reason, detail, uniqueId } = refusal;
    if (COUNTED.has(reason)) limit.refused(request.ip, site.now());
    const reference = randomToken(6);
    site.log('a sign-in with a provider was refused', {
      reference,
      provider: provider.name,
      reason,
      ...(detail === undefined ? {} : { detail }),
    });
    const { status, message, nextStep } = refusalText(reason, provider.display_name);
    const facts = [
      ...(uniqueId === undefined ? [] : [{ name: say('problem.identifier'), value: uniqueId }]),
      { name: say('problem.reference'), value: reference },
    ];
    return sendPage(reply, status, problemPage(textsOf(site, request), message, { nextStep, facts, back }));
  }

  app.get('/oidc/:name/start', NO_HEAD, async (request, reply) => {
    const provider = providerOf(request);
    const params = paramsOf(request);
    const cookies = cookieNames(site);
    const jar = readCookies(request.headers.cookie);
    // Only a sign-in page that this browser got can begin a sign-in, no other page.
    const to = targetOfLink(site, jar.get(cookies.form) ?? '', params);
    if (to === undefined) return refuse(request, reply, provider, refused('expired', { detail: 'link' }), null);
    if (to.length > MAX_TARGET) return refuse(request, reply, provider, refused('too-long'), to);
    const asksAgain = jar.has(cookies.another);
    const begun = await beginFlow(connections, provider, { redirectUri: redirectUriOf(provider), asksAgain });
    if (begun.kind === 'refused') return refuse(request, reply, provider, begun, to);
    const { state, nonce, verifier } = begun;
    const browser = hashToken(jar.get(cookies.form) ?? '');
    const pending: Pending = { provider: provider.name, browser, nonce, verifier, to };
    pendingSignIns.add(state, pending, request.ip, site.now());
    if (asksAgain) reply.header('set-cookie', setCookie(site, cookies.another, ''));
    return reply.header('cache-control', 'no-store').redirect(begun.url, 303);
  });

  app.get('/oidc/:name/callback', NO_HEAD, async (request, reply) => {
    const provider = providerOf(request);
    const params = paramsOf(request);
    const cookies = cookieNames(site);
    const jar = readCookies(request.headers.cookie);
    const state = params.get('state') ?? '';
    const pending = pendingSignIns.take(state, hashToken(jar.get(cookies.form) ?? ''), site.now());
    if (!pending) {
      // A known state can't be a guess, so nobody behind the same address can make its browser wait.
      const mustWait = limit.waitMs(request.ip, site.now()) > 0;
      return refuse(
        request,
        reply,
        provider,
        mustWait ? refused('too-many') : refused('expired', { detail: 'state' }),
        null,
      );
    }
    const { to, nonce, verifier } = pending;
    if (pending.provider !== provider.name) {
      return refuse(request, reply, provider, refused('mixed-up', { detail: 'provider' }), to);
    }
    const redirectUri = redirectUriOf(provider);
    const answer = { redirectUri, params, state, nonce, verifier };
    const joined = await join(provider, answer, jar.get(cookies.session));
    if (joined.kind === 'refused') return refuse(request, reply, provider, joined, to);
    site.log('a provider signed a user in', { provider: provider.name, user_id: joined.userId });
    return reply
      .header('cache-control', 'no-store')
      .header('set-cookie', setCookie(site, cookies.session, joined.session))
      .redirect(to, 303);
  });

  /** Checks the answer of a provider, and replaces the session of the browser by one of the user's account. */
  async function join(
    provider: OidcProvider,
    answer: Parameters<typeof finishFlow>[2],
    session: string | undefined,
  ): Promise<(Joined & { session: string }) | Refusal> {
    const result = await finishFlow(connections, provider, answer);
    if (result.kind === 'refused') return result;
    const identity = readProviderIdentity(provider, result.claims);
    if ('kind' in identity) return identity;
    // One transaction, so that the audit names the user for all of it.
    return await site.store.transaction(async () => {
      const joined = await joinAccount(site, provider, identity);
      if (joined.kind === 'refused') return joined;
      await endSession(site, session);
      return { ...joined, session: await startSession(site, joined.userId) };
    });
  }
}

function paramsOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(request.url.split('?').slice(1).join('?'));
}
