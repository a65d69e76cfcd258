import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { Disposition } from '../../../shared/contract/errors/catalog-entry.ts';
import { dispositionOf } from '../../../shared/contract/errors/error-catalog.ts';
import { retryAfterMsOf } from '../../../shared/model/backoff.ts';
import { Emitter } from '../common/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import { probeWaitMs } from './probe-schedule.ts';

interface OpenBreaker {
  error: AppErrorData;
  /** The number of failed probes in a row. */
  refusals: number;
  /** When the next probe is due, on the monotonic clock; null: only a sign-in closes the breaker. */
  retryAt: number | null;
  /** No request before this time (`Retry-After`). */
  notBefore: number;
  probing: boolean;
}

/** After this many refusals a keychain counts as locked; before, it may be slow or starting. */
const KEYCHAIN_REFUSALS = 4;
/** A refusal this long after the breaker became half-open belongs to another maintenance: its refusals count from 0. */
const HALF_OPEN_COUNTS_MS = 5 * 60_000;
/** If the server in front of a library answers for it again this soon after the library was back, a request may have stopped it. */
const BACK_FOR_MS = 5 * 60_000;
/** If the probing upload has no answer after this time (it may compare a large file), another upload may probe, too. */
const UPLOAD_PROBE_TIMEOUT_MS = 60_000;

/**
 * One circuit breaker per account. An error that concerns the whole site (no network, maintenance, a missing sign-in, a
 * keychain that does not return the sign-in) opens it: the site's work waits, and no job uses up a retry. Probes, one at a
 * time, find out when it can close. After a maintenance or a 429 no request is sent to probe the site. Instead the breaker
 * becomes half-open: each of the lanes of uploads, follow-ups, edits and clean-ups starts one change at a time as a probe; other
 * lanes run normally. An accepted change closes the breaker (after a 429 any answer does), another refusal opens it again.
 */
export class SiteBreakers {
  /** A breaker opened, or a probe failed: the next probe must be planned. */
  readonly onDidOpen = new Emitter<string>();
  /** A breaker opened, or the reason of an open breaker changed. */
  readonly onDidChangeReason = new Emitter<string>();
  /** A breaker closed, for whatever reason: all work of the site may continue. */
  readonly onDidClose = new Emitter<string>();
  readonly #clock: Clock;
  readonly #open = new Map<string, OpenBreaker>();
  /** The earlier state of breakers that became half-open: a refusal soon after continues their count of refusals. */
  readonly #beforeHalfOpen = new Map<string, { code: string; refusals: number; at: number }>();

  /** Sites whose work waits for a decision of the user, whatever their breakers do. */
  readonly #holds = new Map<string, AppErrorData>();
  /** For each half-open site: the upload that probes it, and its start (monotonic); null while no upload probes. */
  readonly #halfOpen = new Map<string, { uploadId: string; at: number } | null>();

  /** When sites answered again after a server in front of them had answered in their place, on the monotonic clock. */
  readonly #backAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sites whose breaker is open, and those on hold. */
  blockedSites(): string[] {
    return [...new Set([...this.#open.keys(), ...this.#holds.keys()])];
  }

  isOpen(siteId: string): boolean {
    return this.#open.has(siteId) || this.#holds.has(siteId);
  }

  /** Returns why the work of a site waits; null when it does not. A hold shows only while the breaker is closed. */
  errorOf(siteId: string): AppErrorData | null {
    return this.#open.get(siteId)?.error ?? this.#holds.get(siteId) ?? null;
  }

  /** No background work of the site starts until `release`: the user has to decide. Returns whether the hold is new. */
  hold(siteId: string, error: AppErrorData): boolean {
    if (this.#holds.has(siteId)) return false;
    this.#holds.set(siteId, error);
    this.onDidOpen.emit(siteId);
    this.onDidChangeReason.emit(siteId);
    return true;
  }

  /** Ends a hold. */
  release(siteId: string): void {
    if (this.#holds.delete(siteId) && !this.#open.has(siteId)) this.onDidClose.emit(siteId);
  }

  /** Returns the sites in maintenance, which refuse changes and answer reads. */
  readOnlySites(): string[] {
    const readOnly = [...this.#open].filter(([, { error }]) => blocksWritesOnly(error)).map(([siteId]) => siteId);
    return readOnly.filter((siteId) => !this.#holds.has(siteId));
  }

  /** Returns whether no request at all may be sent to a site now. */
  blocksReads(siteId: string): boolean {
    const breaker = this.#open.get(siteId);
    return this.#holds.has(siteId) || (breaker !== undefined && !blocksWritesOnly(breaker.error));
  }

  /**
   * Returns why background work must not send a request now; null when it may. Only for sites on hold, and those that refuse
   * requests (429, maintenance): when a site does not answer at all, a request is harmless and may detect that the site is back.
   */
  blockedBy(siteId: string, isWrite: boolean): AppErrorData | null {
    if (this.#holds.has(siteId)) return this.errorOf(siteId);
    const error = this.#open.get(siteId)?.error;
    if (error === undefined || dispositionOf(error.code) !== 'wait-site') return null;
    return isWrite || !blocksWritesOnly(error) ? error : null;
  }

  /** Returns the sites that wait for the user: for a sign-in, for the keychain, or for a decision. */
  sitesThatNeedTheUser(): string[] {
    const open = [...this.#open].filter(([, breaker]) => needsTheUser(breaker)).map(([siteId]) => siteId);
    return [...new Set([...open, ...this.#holds.keys()])];
  }

  /** Returns the site whose breaker has been open the longest, and why; null when all are closed. */
  reason(): { siteId: string; error: AppErrorData } | null {
    const [first] = this.#open;
    if (first !== undefined) return { siteId: first[0], error: first[1].error };
    const [held] = this.#holds;
    return held === undefined ? null : { siteId: held[0], error: held[1] };
  }

  /**
   * Records the failure of a job or a probe. An error that concerns the whole site opens its breaker, or plans the next
   * probe; others have no effect.
   */
  report(siteId: string, error: AppErrorData): void {
    const disposition = dispositionOf(error.code);
    if (disposition !== 'wait-site' && !stopsAllRequests(error.code)) return;
    if (wasBlocked(error)) return;
    const now = this.#clock.monotonic();
    const notBefore = now + (retryAfterMsOf(error) ?? 0);
    const earlier = this.#open.get(siteId);
    const isSame = earlier !== undefined && (earlier.error.code === error.code || outlasts(earlier, disposition, now));
    if (isSame && !earlier.probing) {
      // The failure belongs to a request that was in flight when the breaker opened: it counts as no further refusal.
      earlier.notBefore = Math.max(earlier.notBefore, notBefore);
      if (earlier.retryAt !== null) earlier.retryAt = Math.max(earlier.retryAt, notBefore);
      return;
    }
    const refusals =
      earlier === undefined
        ? this.#refusalsBefore(siteId, error.code)
        : earlier.error.code === error.code
          ? earlier.refusals + 1
          : 0;
    const waitMs = probeWaitMs(error.code, refusals);
    const retryAt = waitMs === null ? null : Math.max(now + waitMs, notBefore);
    this.#halfOpen.delete(siteId);
    this.#open.set(siteId, { error, refusals, retryAt, notBefore, probing: false });
    this.onDidOpen.emit(siteId);
    if (earlier?.error.code !== error.code) this.onDidChangeReason.emit(siteId);
  }

  /** Closes a breaker: the site answers again. */
  close(siteId: string): void {
    this.#beforeHalfOpen.delete(siteId);
    if (this.#open.get(siteId)?.error.code === 'network.gateway') this.#backAt.set(siteId, this.#clock.monotonic());
    const wasClosed = this.#open.delete(siteId);
    if (this.#halfOpen.delete(siteId) || wasClosed) this.onDidClose.emit(siteId);
  }

  /** Returns whether a site answers again only since a few minutes, after a server in front of it had answered in its place. */
  isJustBack(siteId: string): boolean {
    const backAt = this.#backAt.get(siteId);
    return backAt !== undefined && this.#clock.monotonic() - backAt < BACK_FOR_MS;
  }

  /** Half-opens a breaker: jobs probe the site (see the class). After another refusal the next wait is longer. */
  halfOpen(siteId: string): void {
    const breaker = this.#open.get(siteId);
    if (!breaker) return;
    this.#open.delete(siteId);
    this.#halfOpen.set(siteId, null);
    this.#beforeHalfOpen.set(siteId, {
      code: breaker.error.code,
      refusals: breaker.refusals + 1,
      at: this.#clock.monotonic(),
    });
  }

  /**
   * Returns the sites on which the lanes of uploads, follow-ups, edits and clean-ups start only one change each at a time. Other
   * lanes ignore this.
   */
  halfOpenSites(): Set<string> {
    return new Set(this.#halfOpen.keys());
  }

  /**
   * Returns the half-open sites that an upload probes at this moment: no other upload of them starts. `mayRequest`: whether an
   * upload may still send a request to the library; one that only sends its bytes does not show whether changes are accepted.
   */
  undecidedSites(mayRequest: (uploadId: string) => boolean): string[] {
    const now = this.#clock.monotonic();
    return [...this.#halfOpen].flatMap(([siteId, probe]) =>
      probe !== null && now - probe.at < UPLOAD_PROBE_TIMEOUT_MS && mayRequest(probe.uploadId) ? [siteId] : [],
    );
  }

  /** Notes that an upload starts: on a half-open site it is the probing upload. */
  begun(siteId: string, uploadId: string): void {
    if (this.#halfOpen.has(siteId)) this.#halfOpen.set(siteId, { uploadId, at: this.#clock.monotonic() });
  }

  /**
   * Records a successful answer of the site. An accepted change closes the breaker and resets the count of refusals; any
   * successful answer closes one that a 429 or `network.gateway` opened. While the wait of a `Retry-After` lasts, an open breaker
   * stays open.
   */
  answered(siteId: string, isWrite: boolean): void {
    const code = this.#open.get(siteId)?.error.code ?? this.#beforeHalfOpen.get(siteId)?.code;
    if (!isWrite && code !== 'api.too-many-requests' && code !== 'network.gateway') return;
    const breaker = this.#open.get(siteId);
    if (breaker !== undefined && !this.#closesByAnswer(breaker)) return;
    this.close(siteId);
  }

  #closesByAnswer({ error, notBefore }: OpenBreaker): boolean {
    if (error.details?.lacks === 'token' || notBefore > this.#clock.monotonic()) return false;
    const disposition = dispositionOf(error.code);
    return disposition === 'wait-site' || disposition === 'wait-network';
  }

  /** Returns the refusals with which a breaker starts: those of the same cause before the half-open state, if it was recent. */
  #refusalsBefore(siteId: string, code: string): number {
    const before = this.#beforeHalfOpen.get(siteId);
    this.#beforeHalfOpen.delete(siteId);
    const isRecent = before !== undefined && this.#clock.monotonic() - before.at < HALF_OPEN_COUNTS_MS;
    return isRecent && before.code === code ? before.refusals : 0;
  }

  /** After a sign-in: closes the breaker if a missing sign-in or a locked keychain opened it. Returns whether it did. */
  closeAfterSignIn(siteId: string): boolean {
    const breaker = this.#open.get(siteId);
    if (!breaker) return false;
    const disposition = dispositionOf(breaker.error.code);
    if (disposition !== 'sign-in' && disposition !== 'wait-keychain') return false;
    this.#open.delete(siteId);
    this.onDidClose.emit(siteId);
    return true;
  }

  /** Returns the sites to probe now; each is returned once until `report` or `close` gets its result. */
  takeDueProbes(): { siteId: string; error: AppErrorData }[] {
    const due: { siteId: string; error: AppErrorData }[] = [];
    for (const [siteId, breaker] of this.#open) {
      if (breaker.probing || breaker.retryAt === null || breaker.retryAt > this.#clock.monotonic()) continue;
      breaker.probing = true;
      due.push({ siteId, error: breaker.error });
    }
    return due;
  }

  /**
   * Makes every planned probe due now (not before a `Retry-After`) and restarts the network backoff, because the network may be
   * back.
   */
  probeNow(): void {
    for (const breaker of this.#open.values()) {
      if (breaker.retryAt === null) continue;
      breaker.retryAt = Math.max(this.#clock.monotonic(), breaker.notBefore);
      if (dispositionOf(breaker.error.code) === 'wait-network') breaker.refusals = 0;
    }
  }

  /** The user asks for something of a site: if it can't be reached, it is probed now (not before a `Retry-After`). */
  probeOnRequest(siteId: string): void {
    const breaker = this.#open.get(siteId);
    if (breaker === undefined || breaker.retryAt === null || breaker.probing) return;
    if (dispositionOf(breaker.error.code) !== 'wait-network') return;
    breaker.retryAt = Math.max(this.#clock.monotonic(), breaker.notBefore);
    this.onDidOpen.emit(siteId);
  }

  /** Returns the milliseconds until the next probe is due; null when none is planned. */
  nextProbeInMs(): number | null {
    let soonest: number | null = null;
    for (const breaker of this.#open.values()) {
      if (breaker.retryAt === null || breaker.probing) continue;
      const inMs = Math.max(0, breaker.retryAt - this.#clock.monotonic());
      soonest = soonest === null ? inMs : Math.min(soonest, inMs);
    }
    return soonest;
  }
}

/**
 * Returns whether a breaker keeps its error although a request in flight failed with another one: after a 429 nothing is sent
 * until the `Retry-After` is over, and the probe after it decides. Only a missing sign-in or a locked keychain replaces it
 * immediately.
 */
function outlasts({ error, notBefore }: OpenBreaker, disposition: Disposition, now: number): boolean {
  if (error.code !== 'api.too-many-requests' || notBefore <= now) return false;
  return disposition === 'wait-network' || disposition === 'wait-site';
}

/**
 * Returns whether an error only blocks changes: in read-only mode the API answers GET and HEAD. When the token endpoint is in
 * this mode and there is no token, no request can be sent.
 */
function blocksWritesOnly({ code, details }: AppErrorData): boolean {
  return code === 'api.read-only' && details?.lacks !== 'token';
}

/**
 * Returns whether an error means that no request to the site can succeed now: no network, no sign-in, a locked keychain. A 429
 * and a maintenance are not among them: for these, a breaker becomes half-open.
 */
export function stopsAllRequests(code: string): boolean {
  const disposition = dispositionOf(code);
  return disposition === 'wait-network' || disposition === 'wait-keychain' || disposition === 'sign-in';
}

/**
 * Returns whether an error is that of the breaker itself: it blocked the request (`guardedClient`), which was not sent. `held`
 * marks such an error. It is stored in rows, so its name stays.
 */
export function wasBlocked({ details }: Pick<AppErrorData, 'details'>): boolean {
  return details?.held === true;
}

function needsTheUser({ error, refusals }: OpenBreaker): boolean {
  const disposition = dispositionOf(error.code);
  return disposition === 'sign-in' || (disposition === 'wait-keychain' && refusals >= KEYCHAIN_REFUSALS);
}
