import { createHash } from 'node:crypto';
import { AUTHORIZE_PATH, OOB_REDIRECT, type TokenResponse } from '../../../shared/api/oauth.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { apiUrl } from '../api/links.ts';
import { exchangeCode } from '../api/oauth.ts';
import type { Transport } from '../api/transport.ts';
import type { BrowserNetwork, BrowserOpener } from '../ports/browser-opener.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { openLoopbackRedirect, type RedirectAnswer } from './loopback-redirect.ts';
import type { PastedCode } from './pasted-code.ts';

export interface NativeFlowOptions {
  baseUrl: string;
  clientId: string;
  opener: BrowserOpener;
  network: BrowserNetwork;
  clock: Clock;
  random: Random;
  transport: Transport;
  userAgent: string;
  /** Aborted with the error that ends the flow. */
  signal: AbortSignal;
  onPhase(phase: 'waiting-for-browser' | 'exchanging', openUrl: string | null): void;
  /** Ports for the redirect; any free port by default. */
  ports?: readonly number[];
  /** Where the user pastes the code of the page; without it, a redirect to this computer returns the code. */
  pasted?: PastedCode;
}

export const SIGN_IN_TIMEOUT_MS = 5 * 60_000;

/**
 * The native flow: the user approves in a browser, the redirect reaches a local port, and the code is exchanged for
 * tokens. PKCE makes a stolen code useless. Throws `sign-in.*`, `network.*` or `api.*`.
 */
export async function runNativeFlow(options: NativeFlowOptions): Promise<TokenResponse> {
  options.signal.throwIfAborted();
  const codeVerifier = base64url(options.random.bytes(32));
  const { state, redirect } = await openRedirect(options);
  try {
    const url = authorizeUrl(options, { state, codeVerifier, redirectUri: redirect.redirectUri });
    options.onPhase('waiting-for-browser', url);
    const code = codeOf(await inBrowser(options, url, redirect.answer));
    options.onPhase('exchanging', null);
    return await exchangeCode(options, { code, codeVerifier, redirectUri: redirect.redirectUri });
  } finally {
    redirect.close();
  }
}

/** Prepares to receive the answer of the page. */
async function openRedirect({ random, ports, pasted }: NativeFlowOptions) {
  if (pasted === undefined) {
    const state = base64url(random.bytes(32));
    return { state, redirect: await openLoopbackRedirect({ state, ...(ports && { ports }) }) };
  }
  // The title of the page is cut off when it is long: the API asks for a state of at most about 10 characters.
  const state = base64url(random.bytes(7));
  return { state, redirect: { redirectUri: OOB_REDIRECT, ...pasted.wait(state) } };
}

function authorizeUrl(
  options: NativeFlowOptions,
  secrets: { state: string; codeVerifier: string; redirectUri: string },
): string {
  const url = apiUrl(options.baseUrl, AUTHORIZE_PATH);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: options.clientId,
    redirect_uri: secrets.redirectUri,
    state: secrets.state,
    code_challenge: createHash('sha256').update(secrets.codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  return url.href;
}

/** Opens the page and waits for the first of: the redirect, a closed window, the timeout, a cancel. */
async function inBrowser(
  options: NativeFlowOptions,
  url: string,
  answer: Promise<RedirectAnswer>,
): Promise<RedirectAnswer> {
  const { signal, clock, opener, network } = options;
  signal.throwIfAborted();
  let stopWaiting = () => {};
  let onClosed = () => {};
  const ended = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const cancelTimer = clock.schedule(SIGN_IN_TIMEOUT_MS, () => reject(appError('sign-in.timed-out')));
    onClosed = () => reject(appError('sign-in.window-closed'));
    stopWaiting = () => {
      signal.removeEventListener('abort', onAbort);
      cancelTimer();
    };
  });
  const opened = opener.open(url, { onClosed: () => onClosed() }, network);
  const failed = opened.then(
    () => new Promise<never>(() => {}),
    (error: unknown) => {
      throw error instanceof AppError
        ? error
        : appError('sign-in.failed', { details: { reason: 'no browser' }, cause: error });
    },
  );
  try {
    return await Promise.race([answer, ended, failed]);
  } finally {
    stopWaiting();
    // The redirect can arrive before the window has opened: then the window is closed once it is open.
    opened.then(
      (window) => window.close(),
      () => {},
    );
  }
}

function codeOf(answer: RedirectAnswer): string {
  if (answer.kind === 'code') return answer.code;
  const details = { error: answer.error.slice(0, 100), description: answer.description.slice(0, 500) };
  throw appError(answer.error === 'access_denied' ? 'sign-in.denied' : 'sign-in.failed', { details });
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
