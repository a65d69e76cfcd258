import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { Disposition } from '../../../shared/contract/catalog-entry.ts';
import { dispositionOf } from '../../../shared/contract/error-catalog.ts';
import { retryAfterMsOf } from '../../../shared/model/backoff.ts';
import { Emitter } from '../common/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import { probeWaitMs } from './probe-schedule.ts';

interface OpenBreaker {
  error: AppErrorData;
  /** Refusals in a row. */
  refusals: number;
  /** When to probe, on the monotonic clock; null: only a sign-in closes it. */
  retryAt: number | null;
  /** The site asked for no request before then. */
  notBefore: number;
  probing: boolean;
}

/** Refused this often, a keychain is locked; before that it may be slow, or starting. */
const KEYCHAIN_TRIES = 4;
/** A refusal later than this after a probe begins another maintenance. */
const TRY_LASTS_MS = 5 * 60_000;
/** When the probing upload has sent no request by then (it may compare a large file), another one joins it. */
const HALF_OPEN_TIMEOUT_MS = 60_000;

/**
 * One circuit breaker per account. A cause that concerns the whole site (no network, maintenance, no authorization, a
 * keychain that does not return the sign-in) opens it: the site's uploads wait together, and none uses up an attempt. One
 * probe at a time finds out when it may close. After a maintenance it is half-open: one upload is the probe.
 */
export class SiteBreakers {
  /** A breaker was opened, or a probe failed: the next probe has to be planned. */
  readonly onDidOpen = new Emitter<string>();
  readonly #clock: Clock;
  readonly #open = new Map<string, OpenBreaker>();
  /** Breakers that are half-open: their state before, in case the probe is refused. */
  readonly #tried = new Map<string, { code: string; refusals: number; at: number }>();

  /** A half-open site has taken a change: the other uploads may continue. */
  readonly onDidClose = new Emitter<string>();

  /** By half-open site: the upload that probes it, and since when; null while none is chosen. */
  readonly #halfOpen = new Map<string, { uploadId: string; at: number } | null>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sites whose breaker is open. */
  blockedSites(): string[] {
    return [...this.#open.keys()];
  }

  isOpen(siteId: string): boolean {
    return this.#open.has(siteId);
  }

  /** Sites in maintenance: they refuse changes, and answer reads. */
  readOnlySites(): string[] {
    return [...this.#open].filter(([, { error }]) => holdsWritesOnly(error)).map(([siteId]) => siteId);
  }

  /** Whether no request at all is to be sent to a site now. */
  blocksReads(siteId: string): boolean {
    const breaker = this.#open.get(siteId);
    return breaker !== undefined && !holdsWritesOnly(breaker.error);
  }

  /**
   * Why a request is not to be sent now; null when it may be. Only a site that asked for it is spared: where nothing
   * answers, a request does no harm and may find out that the site is back.
   */
  blockedBy(siteId: string, isWrite: boolean): AppErrorData | null {
    const error = this.#open.get(siteId)?.error;
    if (error === undefined || dispositionOf(error.code) !== 'wait-site') return null;
    return isWrite || !holdsWritesOnly(error) ? error : null;
  }

  /** Sites whose breaker closes only after the user signs in or unlocks the keychain. */
  sitesThatNeedTheUser(): string[] {
    return [...this.#open].filter(([, breaker]) => needsTheUser(breaker)).map(([siteId]) => siteId);
  }

  /** Why a breaker is open, and whose: the first reason. */
  reason(): { siteId: string; error: AppErrorData } | null {
    const [first] = this.#open;
    return first === undefined ? null : { siteId: first[0], error: first[1].error };
  }

  /** Takes the failure of an upload or a probe. Errors that concern only one file change nothing. */
  report(siteId: string, error: AppErrorData): void {
    const disposition = dispositionOf(error.code);
    if (disposition !== 'wait-site' && !keepsBreakerOpen(error.code)) return;
    // The breaker's own error: no request was sent.
    if (error.details?.held === true) return;
    const now = this.#clock.monotonic();
    const notBefore = now + (retryAfterMsOf(error) ?? 0);
    const earlier = this.#open.get(siteId);
    const isSame = earlier !== undefined && (earlier.error.code === error.code || outlasts(earlier, disposition, now));
    if (isSame && !earlier.probing) {
      // Another request that was in flight: it does not delay the next probe.
      earlier.notBefore = Math.max(earlier.notBefore, notBefore);
      if (earlier.retryAt !== null) earlier.retryAt = Math.max(earlier.retryAt, notBefore);
      return;
    }
    const refusals =
      earlier === undefined
        ? this.#refusalsOfTry(siteId, error.code)
        : earlier.error.code === error.code
          ? earlier.refusals + 1
          : 0;
    const waitMs = probeWaitMs(disposition, refusals);
    const retryAt = waitMs === null ? null : Math.max(now + waitMs, notBefore);
    this.#halfOpen.delete(siteId);
    this.#open.set(siteId, { error, refusals, retryAt, notBefore, probing: false });
    this.onDidOpen.emit(siteId);
  }

  close(siteId: string): void {
    this.#halfOpen.delete(siteId);
    this.#open.delete(siteId);
    this.#tried.delete(siteId);
  }

  /**
   * Half-opens a breaker: one upload probes the site. A refusal soon after makes the next wait longer.
   */
  halfOpen(siteId: string): void {
    const breaker = this.#open.get(siteId);
    if (!breaker) return;
    this.#open.delete(siteId);
    this.#halfOpen.set(siteId, null);
    this.#tried.set(siteId, { code: breaker.error.code, refusals: breaker.refusals + 1, at: this.#clock.monotonic() });
  }

  /** Sites where only one upload may begin. */
  halfOpenSites(): Set<string> {
    return new Set(this.#halfOpen.keys());
  }

  /** Half-open sites whose probe is in flight: no other upload begins. `isAsking`: whether an upload still has requests to send. */
  undecidedSites(isAsking: (uploadId: string) => boolean): string[] {
    const now = this.#clock.monotonic();
    return [...this.#halfOpen].flatMap(([siteId, trial]) =>
      trial !== null && now - trial.at < HALF_OPEN_TIMEOUT_MS && isAsking(trial.uploadId) ? [siteId] : [],
    );
  }

  /** An upload begins: at a half-open site it is the probe. */
  begun(siteId: string, uploadId: string): void {
    if (this.#halfOpen.has(siteId)) this.#halfOpen.set(siteId, { uploadId, at: this.#clock.monotonic() });
  }

  /**
   * The site answered a request with success. A change that it took ends a maintenance and the count of refusals. Where it
   * had asked for fewer requests, any answer will do. A wait that the site asked for lasts all the same.
   */
  answered(siteId: string, isWrite: boolean): void {
    const code = this.#open.get(siteId)?.error.code ?? this.#tried.get(siteId)?.code;
    if (!isWrite && code !== 'api.too-many-requests') return;
    const breaker = this.#open.get(siteId);
    if (breaker !== undefined && !this.#closesByAnswer(breaker)) return;
    this.#tried.delete(siteId);
    const wasClosed = this.#open.delete(siteId);
    if (this.#halfOpen.delete(siteId) || wasClosed) this.onDidClose.emit(siteId);
  }

  #closesByAnswer({ error, notBefore }: OpenBreaker): boolean {
    if (error.details?.lacks === 'token' || notBefore > this.#clock.monotonic()) return false;
    const disposition = dispositionOf(error.code);
    return disposition === 'wait-site' || disposition === 'wait-network';
  }

  #refusalsOfTry(siteId: string, code: string): number {
    const tried = this.#tried.get(siteId);
    this.#tried.delete(siteId);
    const isRecent = tried !== undefined && this.#clock.monotonic() - tried.at < TRY_LASTS_MS;
    return isRecent && tried.code === code ? tried.refusals : 0;
  }

  /** Closes a breaker that a missing or unreachable sign-in had opened. True when it did. */
  closeAfterSignIn(siteId: string): boolean {
    const breaker = this.#open.get(siteId);
    if (!breaker) return false;
    const disposition = dispositionOf(breaker.error.code);
    return (disposition === 'sign-in' || disposition === 'wait-keychain') && this.#open.delete(siteId);
  }

  /** Sites to probe now; each is returned once until `report` or `close` takes its result. */
  takeDueProbes(): { siteId: string; error: AppErrorData }[] {
    const due: { siteId: string; error: AppErrorData }[] = [];
    for (const [siteId, breaker] of this.#open) {
      if (breaker.probing || breaker.retryAt === null || breaker.retryAt > this.#clock.monotonic()) continue;
      breaker.probing = true;
      due.push({ siteId, error: breaker.error });
    }
    return due;
  }

  /** The network may be back: every breaker is probed now, and the backoff of networks starts anew. */
  probeNow(): void {
    for (const breaker of this.#open.values()) {
      if (breaker.retryAt === null) continue;
      breaker.retryAt = Math.max(this.#clock.monotonic(), breaker.notBefore);
      if (dispositionOf(breaker.error.code) === 'wait-network') breaker.refusals = 0;
    }
  }

  /** Milliseconds until the next probe is due; null when none is planned. */
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
 * Whether a breaker keeps its error although a request that was in flight met another one: until the wait that the site
 * asked for is over nothing is sent, and the probe after it finds out. A missing sign-in is reported at once.
 */
function outlasts({ error, notBefore }: OpenBreaker, disposition: Disposition, now: number): boolean {
  if (error.code !== 'api.too-many-requests' || notBefore <= now) return false;
  return disposition === 'wait-network' || disposition === 'wait-site';
}

/** In read-only mode the API answers GET and HEAD as usual. Without a token nothing can be asked at all. */
function holdsWritesOnly({ code, details }: AppErrorData): boolean {
  return code === 'api.read-only' && details?.lacks !== 'token';
}

/** Whether an error of a probe means that nothing works at the site. In maintenance it answers reads. */
export function keepsBreakerOpen(code: string): boolean {
  const disposition = dispositionOf(code);
  return disposition === 'wait-network' || disposition === 'wait-keychain' || disposition === 'sign-in';
}

function needsTheUser({ error, refusals }: OpenBreaker): boolean {
  const disposition = dispositionOf(error.code);
  return disposition === 'sign-in' || (disposition === 'wait-keychain' && refusals >= KEYCHAIN_TRIES);
}
