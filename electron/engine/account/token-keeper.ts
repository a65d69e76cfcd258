import type { TokenResponse } from '../../../shared/api/oauth.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { retryAfterMsOf } from '../../../shared/model/backoff.ts';
import { outcomeOf } from '../api/classify.ts';
import type { TokenSource } from '../api/http-client.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { KeychainTokens, StoredToken } from './keychain-tokens.ts';
import type { SiteRecord } from './site-records.ts';

export interface TokenKeeperOptions {
  siteId: string;
  clock: Clock;
  logger: Logger;
  keychainTokens: KeychainTokens;
  record(): SiteRecord;
  update(change: Partial<SiteRecord>): void;
  /** Sends a refresh to the library. Throws `sign-in.required` when the library refuses the token. */
  refresh(refreshToken: string, signal: AbortSignal): Promise<TokenResponse>;
  /** Called when the state or the keychain problem changed. */
  onDidChange(): void;
}

/** The tokens that a sign-in must return. Without a refresh token, the sign-in would end with its access token. */
export type SignInTokens = TokenResponse & { refresh_token: string };

/** The tokens of one account. The access token exists only here, in memory. */
export interface TokenKeeper extends TokenSource {
  /** False when no sign-in is stored, or after the library refused the stored one, until it accepts one again. */
  isAuthorized(): boolean;
  /** Why the sign-in is not stored in the keychain; null when it is stored. */
  keychainProblem(): AppError | null;
  /** Checks whether a sign-in is stored. Reads the keychain; sends no request. */
  start(): Promise<void>;
  /** Stores the tokens of a sign-in. */
  adopt(tokens: SignInTokens): Promise<void>;
  /** Deletes the tokens in memory and in the keychain. Throws `keychain.*` when the keychain failed. */
  forget(): Promise<void>;
  /**
   * Resolves when no refresh is in flight (stopping during one can lose the sign-in), and after a last attempt to store
   * a token that is only in memory.
   */
  stop(): Promise<void>;
}

/** After this share of its lifetime, a token is refreshed before use, so that it does not expire during a request. */
const RENEW_AT = 0.8;
/** After an early refresh failed, the token that is still valid is used for this long before the next attempt. */
const EARLY_RETRY_MS = 30_000;
const USUAL_LIFE_S = 3600;
/** The first wait before storing a token is retried, so that a keychain that was locked does not lose the sign-in. */
const FIRST_KEEP_AGAIN_MS = 60_000;
/** The longest of these waits, because each attempt can open a dialog that asks the user to unlock the keychain. */
const LONGEST_KEEP_AGAIN_MS = 30 * 60_000;

interface AccessToken {
  token: string;
  renewAt: number;
  endsAt: number;
}

export function createTokenKeeper(options: TokenKeeperOptions): TokenKeeper {
  const { siteId, clock, logger, keychainTokens } = options;
  let access: AccessToken | null = null;
  let isAuthorized = options.record().isRefused !== true;
  /** The library refused the sign-in in this process, or none is stored. A refusal of an earlier process is tried once more. */
  let isEnded = false;
  let problem: AppError | null = null;
  let inFlight: Promise<string> | null = null;
  let abort = new AbortController();
  /** The time (monotonic clock) before which the library asked not to refresh, and the error with that request; null: none. */
  let rest: { until: number; error: AppError } | null = null;
  /** The latest sign-in, until its tokens are in use. */
  let adoption: Promise<void> = Promise.resolve();
  let cancelKeepAgain: () => void = () => {};

  /** `since`: before the library returned the tokens. To store them can take minutes, while the keychain waits for its password. */
  function hold(tokens: TokenResponse, since: number): string {
    const lifeMs = (tokens.expires_in > 0 ? tokens.expires_in : USUAL_LIFE_S) * 1000;
    access = { token: tokens.access_token, renewAt: since + lifeMs * RENEW_AT, endsAt: since + lifeMs };
    return tokens.access_token;
  }

  function setAuthorized(value: boolean): void {
    isEnded = !value;
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
    setProblem(await keychainTokens.store(token));
    if (problem !== null) keepAgainIn(FIRST_KEEP_AGAIN_MS);
  }

  function keepAgainIn(waitMs: number): void {
    const { signal } = abort;
    cancelKeepAgain();
    cancelKeepAgain = clock.schedule(waitMs, () => {
      void keychainTokens.storeAgain().then((still) => {
        // The user signed out or signed in again in the meantime.
        if (signal.aborted) return;
        setProblem(still);
        if (still !== null) keepAgainIn(Math.min(2 * waitMs, LONGEST_KEEP_AGAIN_MS));
      });
    });
  }

  /**
   * One refresh at a time for all callers: two would send the same token, and the library treats its reuse as theft.
   */
  function refreshShared(): Promise<string> {
    inFlight ??= refreshInTime().finally(() => {
      inFlight = null;
    });
    return inFlight;
  }

  /** Refreshes. After an error with `Retry-After`, throws this error again until its time is over, and sends no request. */
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

  /** Returns the token of a refresh, or the newer token of a sign-in that completed before the refresh ended. */
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

  async function adopt(tokens: SignInTokens): Promise<void> {
    const since = clock.now();
    abort.abort(appError('sign-in.cancelled'));
    await inFlight?.catch(() => {});
    abort = new AbortController();
    rest = null;
    await keep(tokens.refresh_token);
    if (problem === null) await keychainTokens.forgetOlder();
    hold(tokens, since);
    noteAccepted();
  }

  function noteAccepted(): void {
    if (options.record().isRefused) options.update({ isRefused: false });
    setAuthorized(true);
  }

  async function refresh(): Promise<string> {
    const { signal } = abort;
    const stored = await keychainTokens.stored();
    signal.throwIfAborted();
    const since = clock.now();
    options.update({ refreshingSince: since });
    let tokens: TokenResponse;
    try {
      tokens = await askWith(stored, signal);
    } catch (error) {
      // When the outcome is unknown, the record of the refresh stays: the token may be used up.
      if (error instanceof AppError && outcomeOf(error) !== 'unknown') options.update({ refreshingSince: null });
      throw error;
    }
    signal.throwIfAborted();
    // Stored before use. A library without token rotation returns no refresh token; the old one stays valid.
    if (tokens.refresh_token === null) options.update({ refreshingSince: null });
    else await keep(tokens.refresh_token);
    signal.throwIfAborted();
    logger.info('account.refreshed', { siteId, lifeSeconds: tokens.expires_in });
    const token = hold(tokens, since);
    noteAccepted();
    return token;
  }

  async function askWith(stored: StoredToken[], signal: AbortSignal): Promise<TokenResponse> {
    let refusal = appError('sign-in.required', { details: { reason: 'no sign-in is kept' } });
    for (const { token } of stored) {
      try {
        return await options.refresh(token, signal);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'sign-in.required') throw error;
        refusal = error;
        // Only a refusal of the token itself is a reason to try the previous one; a 403 of a gateway is not.
        if (!refusesToken(error)) break;
      }
    }
    if (refusesToken(refusal)) options.update({ isRefused: true });
    setAuthorized(false);
    throw refusal;
  }

  function assertUsable(): void {
    if (!options.record().signedIn || isEnded) throw appError('sign-in.required');
  }

  return {
    isAuthorized: () => isAuthorized,
    keychainProblem: () => problem,

    async start() {
      try {
        if ((await keychainTokens.stored()).length === 0) setAuthorized(false);
      } catch (error) {
        // The sign-in is not lost: each use of it reads the keychain again.
        if (!(error instanceof AppError)) throw error;
        setProblem(error);
      }
    },

    async adopt(tokens) {
      adoption = adopt(tokens);
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
      // Another caller with the same refused token has refreshed it in the meantime.
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
      await keychainTokens.wipe();
    },

    async stop() {
      await inFlight?.catch(() => {});
      await keychainTokens.storeAgain();
      cancelKeepAgain();
    },
  };
}

/** Returns whether an answer refuses the token itself, and not only this request. */
function refusesToken({ details }: AppError): boolean {
  return details?.status === 400 || details?.status === 401;
}
