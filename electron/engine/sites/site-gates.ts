import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { Disposition } from '../../../shared/contract/catalog-entry.ts';
import { dispositionOf } from '../../../shared/contract/error-catalog.ts';
import { retryAfterMsOf } from '../../../shared/model/backoff.ts';
import { Emitter } from '../emitter.ts';
import type { Clock } from '../ports/clock.ts';

interface ClosedGate {
  error: AppErrorData;
  /** How often in a row the site did not let us through. */
  refusals: number;
  /** When to try again; null: only an outside event (a sign-in) opens it. */
  retryAt: number | null;
  /** The site asked to be left alone until then. */
  notBefore: number;
  probing: boolean;
}

const FIRST_NETWORK_WAIT_MS = 2000;
const LONGEST_NETWORK_WAIT_MS = 8000;
/** Maintenance, and a keychain: each try may make the desktop ask its person to unlock it. */
const FIRST_MAINTENANCE_WAIT_MS = 5000;
const LONGEST_MAINTENANCE_WAIT_MS = 60_000;
/** So often refused, a keychain needs its person; before that it may just be slow, or starting. */
const KEYCHAIN_PATIENCE = 4;
/** A refusal later than this after a try is the beginning of another maintenance. */
const TRY_LASTS_MS = 5 * 60_000;
/** An upload that has not come to ask by then (it may have a large file to compare) is joined by another. */
const TRIAL_PATIENCE_MS = 60_000;

/**
 * One gate per account. A cause that concerns the whole site (no network, maintenance, no authorization, a keychain that
 * does not give the sign-in) closes it, so that its uploads wait together and none of them uses up an attempt. One probe at a time finds out when it opens.
 */
export class SiteGates {
  /** A gate was closed, or a probe did not open it: somebody has to look again when its time comes. */
  readonly onDidClose = new Emitter<string>();
  readonly #clock: Clock;
  readonly #closed = new Map<string, ClosedGate>();
  /** Gates that were opened for a try: how they stood, in case the try is refused. */
  readonly #tried = new Map<string, { code: string; refusals: number; at: number }>();

  /** A site on trial has taken a change: the others may go on. */
  readonly onDidPass = new Emitter<string>();

  /**
   * Sites of which one upload finds out whether changes are taken again; the others wait for what it meets. By site, the
   * upload that was let through last, and when; null while it is to be chosen.
   */
  readonly #onTrial = new Map<string, { uploadId: string; at: number } | null>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sites whose uploads can't start now. */
  blockedSites(): string[] {
    return [...this.#closed.keys()];
  }

  isClosed(siteId: string): boolean {
    return this.#closed.has(siteId);
  }

  /** Sites in maintenance: they take no changes, and answer questions. */
  readOnlySites(): string[] {
    return [...this.#closed].filter(([, { error }]) => holdsWritesOnly(error)).map(([siteId]) => siteId);
  }

  /** Whether nothing is to be asked of a site now. */
  holdsReads(siteId: string): boolean {
    const gate = this.#closed.get(siteId);
    return gate !== undefined && !holdsWritesOnly(gate.error);
  }

  /**
   * Why a request is not to be sent now; null when it may be. Only a site that said so itself is spared: where nothing
   * answers, a request that is made all the same does no harm and may find out that it does again.
   */
  holdingBack(siteId: string, isWrite: boolean): AppErrorData | null {
    const error = this.#closed.get(siteId)?.error;
    if (error === undefined || dispositionOf(error.code) !== 'wait-site') return null;
    return isWrite || !holdsWritesOnly(error) ? error : null;
  }

  /** Sites that a person has to open: by a sign-in, or by unlocking the keychain. */
  sitesForAPerson(): string[] {
    return [...this.#closed].filter(([, gate]) => needsAPerson(gate)).map(([siteId]) => siteId);
  }

  /** Why a gate is closed, for a person, and whose: the first reason. */
  reason(): { siteId: string; error: AppErrorData } | null {
    const [first] = this.#closed;
    return first === undefined ? null : { siteId: first[0], error: first[1].error };
  }

  /** Notes what an upload or a probe met. Errors that concern only one file change nothing. */
  report(siteId: string, error: AppErrorData): void {
    const disposition = dispositionOf(error.code);
    if (disposition !== 'wait-site' && !keepsGateClosed(error.code)) return;
    // The gate's own word: nobody has asked the site.
    if (error.details?.held === true) return;
    const now = this.#clock.monotonic();
    const notBefore = now + (retryAfterMsOf(error) ?? 0);
    const earlier = this.#closed.get(siteId);
    const isSame = earlier !== undefined && (earlier.error.code === error.code || outlasts(earlier, disposition, now));
    if (isSame && !earlier.probing) {
      // Another request that was on its way: the next probe does not move further away by it.
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
    const waitMs =
      disposition === 'sign-in'
        ? null
        : disposition === 'wait-site' || disposition === 'wait-keychain'
          ? Math.min(FIRST_MAINTENANCE_WAIT_MS * 2 ** refusals, LONGEST_MAINTENANCE_WAIT_MS)
          : Math.min(FIRST_NETWORK_WAIT_MS * 2 ** refusals, LONGEST_NETWORK_WAIT_MS);
    const retryAt = waitMs === null ? null : Math.max(now + waitMs, notBefore);
    this.#onTrial.delete(siteId);
    this.#closed.set(siteId, { error, refusals, retryAt, notBefore, probing: false });
    this.onDidClose.emit(siteId);
  }

  open(siteId: string): void {
    this.#onTrial.delete(siteId);
    this.#closed.delete(siteId);
    this.#tried.delete(siteId);
  }

  /**
   * Opens a gate without knowing that the site is back: for one upload, until `passed`. A refusal soon after makes the
   * next wait longer.
   */
  openForTry(siteId: string): void {
    const gate = this.#closed.get(siteId);
    if (!gate) return;
    this.#closed.delete(siteId);
    this.#onTrial.set(siteId, null);
    this.#tried.set(siteId, { code: gate.error.code, refusals: gate.refusals + 1, at: this.#clock.monotonic() });
  }

  /** Sites of which only one upload may begin. */
  sitesOnTrial(): Set<string> {
    return new Set(this.#onTrial.keys());
  }

  /** Those of which none may begin now, because one is finding out. `isAsking`: whether an upload is still about to. */
  undecidedSites(isAsking: (uploadId: string) => boolean): string[] {
    const now = this.#clock.monotonic();
    return [...this.#onTrial].flatMap(([siteId, trial]) =>
      trial !== null && now - trial.at < TRIAL_PATIENCE_MS && isAsking(trial.uploadId) ? [siteId] : [],
    );
  }

  /** An upload begins: the one that finds out, where that is in question. */
  begun(siteId: string, uploadId: string): void {
    if (this.#onTrial.has(siteId)) this.#onTrial.set(siteId, { uploadId, at: this.#clock.monotonic() });
  }

  /**
   * The site answered a request with success. A change that it took ends a maintenance, and what was counted of refusals:
   * the next one is the first again. Where it asked for fewer requests, any answer will do. A time that the site asked for
   * is waited for all the same.
   */
  answered(siteId: string, isWrite: boolean): void {
    const code = this.#closed.get(siteId)?.error.code ?? this.#tried.get(siteId)?.code;
    if (!isWrite && code !== 'api.too-many-requests') return;
    const gate = this.#closed.get(siteId);
    if (gate !== undefined && !this.#opensByAnswer(gate)) return;
    this.#tried.delete(siteId);
    const wasClosed = this.#closed.delete(siteId);
    if (this.#onTrial.delete(siteId) || wasClosed) this.onDidPass.emit(siteId);
  }

  #opensByAnswer({ error, notBefore }: ClosedGate): boolean {
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

  /** Opens the gate if it is a sign-in, missing or out of reach, that keeps it closed. True when it was. */
  openForSignIn(siteId: string): boolean {
    const gate = this.#closed.get(siteId);
    if (!gate) return false;
    const disposition = dispositionOf(gate.error.code);
    return (disposition === 'sign-in' || disposition === 'wait-keychain') && this.#closed.delete(siteId);
  }

  /** Sites to probe now; each is handed out once until `report` or `open` tells how it went. */
  takeDueProbes(): { siteId: string; error: AppErrorData }[] {
    const due: { siteId: string; error: AppErrorData }[] = [];
    for (const [siteId, gate] of this.#closed) {
      if (gate.probing || gate.retryAt === null || gate.retryAt > this.#clock.monotonic()) continue;
      gate.probing = true;
      due.push({ siteId, error: gate.error });
    }
    return due;
  }

  /** The network may be back: no gate that a probe can open waits any longer, and networks have not been refused yet. */
  probeNow(): void {
    for (const gate of this.#closed.values()) {
      if (gate.retryAt === null) continue;
      gate.retryAt = Math.max(this.#clock.monotonic(), gate.notBefore);
      if (dispositionOf(gate.error.code) === 'wait-network') gate.refusals = 0;
    }
  }

  /** Milliseconds until the next probe is due; null when none is planned. */
  nextProbeInMs(): number | null {
    let soonest: number | null = null;
    for (const gate of this.#closed.values()) {
      if (gate.retryAt === null || gate.probing) continue;
      const inMs = Math.max(0, gate.retryAt - this.#clock.monotonic());
      soonest = soonest === null ? inMs : Math.min(soonest, inMs);
    }
    return soonest;
  }
}

/**
 * Whether a gate stays as it is although a request that was on its way met something else: until the time that the site asked
 * for is over nothing is sent, and the probe after it finds out about the rest. A missing sign-in is reported at once.
 */
function outlasts({ error, notBefore }: ClosedGate, disposition: Disposition, now: number): boolean {
  if (error.code !== 'api.too-many-requests' || notBefore <= now) return false;
  return disposition === 'wait-network' || disposition === 'wait-site';
}

/** In read-only mode the API answers GET and HEAD as usual. Without a token nothing can be asked at all. */
function holdsWritesOnly({ code, details }: AppErrorData): boolean {
  return code === 'api.read-only' && details?.lacks !== 'token';
}

/** Whether what a probe met means that nobody can work with the site. In maintenance it answers questions. */
export function keepsGateClosed(code: string): boolean {
  const disposition = dispositionOf(code);
  return disposition === 'wait-network' || disposition === 'wait-keychain' || disposition === 'sign-in';
}

function needsAPerson({ error, refusals }: ClosedGate): boolean {
  const disposition = dispositionOf(error.code);
  return disposition === 'sign-in' || (disposition === 'wait-keychain' && refusals >= KEYCHAIN_PATIENCE);
}
