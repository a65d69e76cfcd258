import type { TokenResponse } from '../../../shared/api/oauth.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { retryAfterMsOf } from '../../../shared/model/backoff.ts';
import { outcomeOf } from '../api/classify.ts';
import type { TokenSource } from '../api/http-client.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { SiteRecord } from './site-records.ts';
import type { StoredToken, TokenSlots } from './token-slots.ts';

export interface TokenKeeperOptions {
  siteId: string;
  clock: Clock;
  logger: Logger;
  slots: TokenSlots;
  record(): SiteRecord;
  update(change: Partial<SiteRecord>): void;
  /** Asks the service. `sign-in.required` means that it will not have that token. */
  refresh(refreshToken: string, signal: AbortSignal): Promise<TokenResponse>;
  /** The state or the keychain problem changed. */
  onDidChange(): void;
}

/** The tokens of one account. The access token is here and nowhere else. */
export interface TokenKeeper extends TokenSource {
  /** False once the service has taken the authorization back, until someone signs in. */
  isAuthorized(): boolean;
  /** Why the sign-in is not kept in the keychain, if so. */
  keychainProblem(): AppError | null;
  /** Looks whether a sign-in is kept from earlier. Asks the keychain, never the service. */
  start(): Promise<void>;
  /** Takes the tokens of a sign-in. */
  adopt(tokens: TokenResponse): Promise<void>;
  /** Forgets everything, here and in the keychain. Throws `keychain.*` when the latter failed. */
  forget(): Promise<void>;
  /**
   * Resolves when no refresh is under way (to stop in the middle of one can cost the sign-in) and a token that is in memory
   * only has had a last try to get into the keychain.
   */
  stop(): Promise<void>;
}

/** From here on a token is renewed before it is used, so that it does not end in the middle of work. */
const RENEW_AT = 0.8;
/** After an early renewal that failed, the token that still works is used for so long before the next try. */
const EARLY_RETRY_MS = 30_000;
const USUAL_LIFE_S = 3600;
/** A token that could not be kept is tried again: a keychain that was locked at that moment must not cost the sign-in. */
const FIRST_KEEP_AGAIN_MS = 60_000;
/** Each try may make the desktop ask its person to unlock the keychain. */
const LONGEST_KEEP_AGAIN_MS = 30 * 60_000;

interface AccessToken {
  token: string;
  renewAt: number;
  endsAt: number;
}

export function createTokenKeeper(options: TokenKeeperOptions): TokenKeeper {
  const { siteId, clock, logger, slots } = options;
  let access: AccessToken | null = null;
  let isAuthorized = true;
  let problem: AppError | null = null;
  let inFlight: Promise<string> | null = null;
  let abort = new AbortController();
  /** The service asked to be left alone until then, on the monotonic clock, and why. */
  let rest: { until: number; error: AppError } | null = null;
  /** The latest sign-in, until its tokens are in use. */
  let adoption: Promise<void> = Promise.resolve();
  let cancelKeepAgain: () => void = () => {};

  function hold(tokens: TokenResponse): string {
    const lifeMs = (tokens.expires_in > 0 ? tokens.expires_in : USUAL_LIFE_S) * 1000;
    const now = clock.now();
    access = { token: tokens.access_token, renewAt: now + lifeMs * RENEW_AT, endsAt: now + lifeMs };
    return tokens.access_token;
  }

  function setAuthorized(value: boolean): void {
    if (isAuthorized === value) return;
    isAuthorized = value;
    logger.info(value ? 'account.authorized' : 'account.needs-sign-in', { siteId });
    options.onDidChange();
  }

  function setProblem(value: AppError | null): void {
    const isChange = problem?.code !== value?.code;
    problem = value;
    if (isChange) options.onDidChange();
  }

  async function keep(token: string): Promise<void> {
    cancelKeepAgain();
    setProblem(await slots.store(token));
    if (problem !== null) keepAgainIn(FIRST_KEEP_AGAIN_MS);
  }

  function keepAgainIn(waitMs: number): void {
    const { signal } = abort;
    cancelKeepAgain();
    cancelKeepAgain = clock.schedule(waitMs, () => {
      void slots.storeAgain().then((still) => {
        // Forgotten or signed in meanwhile.
        if (signal.aborted) return;
        setProblem(still);
        if (still !== null) keepAgainIn(Math.min(2 * waitMs, LONGEST_KEEP_AGAIN_MS));
      });
    });
  }

  /** One at a time for all who ask: two would race for the same token, and the service takes the loser for a thief. */
  function refreshShared(): Promise<string> {
    inFlight ??= refreshInTime().finally(() => {
      inFlight = null;
    });
    return inFlight;
  }

  /** `Retry-After` says how long no token is to be requested; until then the answer holds. */
  async function refreshInTime(): Promise<string> {
    const leftMs = rest === null ? 0 : rest.until - clock.monotonic();
    if (rest !== null && leftMs > 0) {
      const { code, message, details } = rest.error;
      throw new AppError(code, message, { ...details, retryAfterMs: leftMs, outcome: 'not-sent' }, rest.error);
    }
    rest = null;
    try {
      return await refresh();
    } catch (error) {
      const askedMs = error instanceof AppError ? retryAfterMsOf(error) : null;
      if (askedMs !== null) rest = { until: clock.monotonic() + askedMs, error: error as AppError };
      throw error;
    }
  }

  /** The token of a refresh, or of the sign-in that came before its end: that one is newer than any it would have brought. */
  async function newToken(): Promise<string> {
    const held = access;
    await adoption.catch(() => {});
    if (access !== null && access !== held) return access.token;
    const { signal } = abort;
    try {
      return await refreshShared();
    } catch (error) {
      if (!signal.aborted) throw error;
      await adoption.catch(() => {});
      if (access === null) throw appError('sign-in.required', { cause: error });
      return access.token;
    }
  }

  async function adopt(refreshToken: string, tokens: TokenResponse): Promise<void> {
    abort.abort(appError('sign-in.cancelled'));
    await inFlight?.catch(() => {});
    abort = new AbortController();
    rest = null;
    await keep(refreshToken);
    if (problem === null) await slots.forgetOlder();
    hold(tokens);
    setAuthorized(true);
  }

  async function refresh(): Promise<string> {
    const { signal } = abort;
    const stored = await slots.stored();
    signal.throwIfAborted();
    options.update({ refreshingSince: clock.now() });
    let tokens: TokenResponse;
    try {
      tokens = await askWith(stored, signal);
    } catch (error) {
      // With the outcome open, the note stays: the token may be used up.
      if (error instanceof AppError && outcomeOf(error) !== 'unknown') options.update({ refreshingSince: null });
      throw error;
    }
    signal.throwIfAborted();
    // Durable first, used then. A service that does not rotate its tokens sends none, and the old one stays good.
    if (tokens.refresh_token === null) options.update({ refreshingSince: null });
    else await keep(tokens.refresh_token);
    signal.throwIfAborted();
    logger.info('account.refreshed', { siteId, lifeSeconds: tokens.expires_in });
    return hold(tokens);
  }

  async function askWith(stored: StoredToken[], signal: AbortSignal): Promise<TokenResponse> {
    let refusal = appError('sign-in.required', { details: { reason: 'no sign-in is kept' } });
    for (const { token } of stored) {
      try {
        return await options.refresh(token, signal);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'sign-in.required') throw error;
        refusal = error;
        // Only a plain No to the token itself is reason to try the one before; a gatekeeper's 403 is not.
        if (error.details?.status !== 400 && error.details?.status !== 401) break;
      }
    }
    setAuthorized(false);
    throw refusal;
  }

  function assertUsable(): void {
    if (!options.record().signedIn || !isAuthorized) throw appError('sign-in.required');
  }

  return {
    isAuthorized: () => isAuthorized,
    keychainProblem: () => problem,

    async start() {
      try {
        if ((await slots.stored()).length === 0) setAuthorized(false);
      } catch (error) {
        // Not lost, only out of reach: each use asks the keychain again.
        if (!(error instanceof AppError)) throw error;
        setProblem(error);
      }
    },

    async adopt(tokens) {
      if (tokens.refresh_token === null) {
        throw appError('sign-in.failed', { details: { reason: 'the library gave no refresh token' } });
      }
      adoption = adopt(tokens.refresh_token, tokens);
      await adoption;
    },

    async accessToken() {
      assertUsable();
      const now = clock.now();
      const held = access;
      if (held === null || now >= held.endsAt) return newToken();
      if (now < held.renewAt) return held.token;
      try {
        return await newToken();
      } catch (error) {
        if (!isAuthorized || clock.now() >= held.endsAt) throw error;
        held.renewAt = clock.now() + EARLY_RETRY_MS;
        return held.token;
      }
    },

    async renew(refused) {
      assertUsable();
      // Someone else who was refused the same token has renewed it meanwhile.
      if (access !== null && access.token !== refused) return access.token;
      access = null;
      return newToken();
    },

    async forget() {
      access = null;
      cancelKeepAgain();
      abort.abort(appError('sign-in.required'));
      await inFlight?.catch(() => {});
      access = null;
      problem = null;
      await slots.wipe();
    },

    async stop() {
      await inFlight?.catch(() => {});
      await slots.storeAgain();
      cancelKeepAgain();
    },
  };
}
