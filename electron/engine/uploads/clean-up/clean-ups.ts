import { retryDelayMs } from '../../../../shared/model/backoff.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SiteGates } from '../../sites/site-gates.ts';
import type { UploadRunner } from '../delivery/upload-runner.ts';
import type { UploadStore } from '../journal/upload-store.ts';

export interface CleanUpTools {
  store: UploadStore;
  runner: UploadRunner;
  gates: SiteGates;
  clock: Clock;
}

/** What is to be removed, and when it is tried. */
interface Pending {
  siteId: string;
  /** Tries that failed. */
  tries: number;
  /** Monotonic; null: when somebody is signed in. */
  dueAt: number | null;
  /** Monotonic: since when it is to be removed. */
  since: number;
}

/** How long the queue counts as busy for a removal that fails or has to wait: whether an item was made shows after a minute. */
const EXPECTED_FOR_MS = 3 * 60_000;
/** At a time; a batch of ten thousand may have been cancelled. */
const PARALLEL = 4;

/**
 * Removes what cancelled and skipped uploads left in the library, each once its last step has ended. What the network, a
 * maintenance or a missing sign-in prevents is tried again when that is over, and what is left when the program ends at
 * the next start.
 */
export class CleanUps {
  readonly #tools: CleanUpTools;
  readonly #signal: AbortSignal;
  readonly #isActive: (id: string) => boolean;
  readonly #onEnd: () => void;
  readonly #running = new Map<string, { siteId: string; work: Promise<void> }>();
  readonly #pending = new Map<string, Pending>();
  #cancelTimer: () => void = () => {};

  /** `isActive`: whether a step of an upload is still going on. `onEnd`: others may have their turn. */
  constructor(tools: CleanUpTools, signal: AbortSignal, isActive: (id: string) => boolean, onEnd: () => void) {
    this.#tools = tools;
    this.#signal = signal;
    this.#isActive = isActive;
    this.#onEnd = onEnd;
    signal.addEventListener('abort', () => this.#cancelTimer(), { once: true });
  }

  /** Whether an upload's leftovers are just being removed: nobody begins with it then. */
  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /**
   * True while something is removed, or will be soon. What a person has to make possible (a sign-in, a keychain) is not
   * waited for, and nothing is for longer than some minutes.
   */
  get isExpected(): boolean {
    if (this.#running.size > 0) return true;
    const now = this.#tools.clock.monotonic();
    const needAPerson = this.#tools.gates.sitesForAPerson();
    return [...this.#pending.values()].some(
      (pending) => now < expectedUntil(pending) && !needAPerson.includes(pending.siteId),
    );
  }

  get pendingCount(): number {
    return this.#running.size + this.#pending.size;
  }

  /** Whatever the last process left. */
  start(): void {
    for (const id of this.#tools.store.uncleaned()) this.#note(id, 0);
    this.look();
  }

  /** An upload was cancelled or left out that may have left something, which is removed in `inMs` at the earliest. */
  add(id: string, inMs = 0): void {
    this.#note(id, inMs);
    // Ten thousand may be cancelled in one go.
    this.#cancelTimer();
    this.#cancelTimer = this.#tools.clock.schedule(0, () => this.look());
  }

  /** The upload goes on: nothing of it is to be removed. A removal that runs already is waited for (`isRunning`). */
  drop(id: string): void {
    this.#pending.delete(id);
  }

  /** What waited for a sign-in is due. */
  siteSignedIn(siteId: string): void {
    const now = this.#tools.clock.monotonic();
    for (const pending of this.#pending.values()) {
      if (pending.siteId === siteId && pending.dueAt === null) pending.dueAt = now;
    }
    this.look();
  }

  /** Begins with what is due. Called whenever something may have changed; cheap when nothing is to be done. */
  look(): void {
    if (this.#pending.size === 0 || this.#signal.aborted) return;
    const now = this.#tools.clock.monotonic();
    let nextAt = Number.POSITIVE_INFINITY;
    for (const [id, pending] of this.#pending) {
      if (this.#running.size >= PARALLEL) break;
      if (pending.dueAt !== null && pending.dueAt > now) nextAt = Math.min(nextAt, pending.dueAt);
      if (now < expectedUntil(pending)) nextAt = Math.min(nextAt, expectedUntil(pending));
      // Whoever ends a step, or opens a gate, lets us look again.
      if (!this.#isDue(pending, now) || this.#isActive(id) || this.#running.has(id)) continue;
      this.#pending.delete(id);
      this.#run(id, pending);
    }
    this.#cancelTimer();
    if (!Number.isFinite(nextAt)) return;
    this.#cancelTimer = this.#tools.clock.schedule(nextAt - now, () => {
      this.look();
      // What is not expected any more keeps nothing from coming to rest.
      this.#onEnd();
    });
  }

  async whenStopped(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ work }) => work));
  }

  #note(id: string, inMs: number): void {
    const siteId = this.#tools.store.get(id)?.siteId;
    if (siteId === undefined) return;
    const now = this.#tools.clock.monotonic();
    this.#pending.set(id, { siteId, tries: 0, dueAt: now + inMs, since: now });
  }

  #isDue({ siteId, dueAt }: Pending, now: number): boolean {
    const { gates } = this.#tools;
    if (dueAt === null || dueAt > now || gates.isClosed(siteId)) return false;
    // One change at a time finds out whether a maintenance is over.
    return !gates.sitesOnTrial().has(siteId) || ![...this.#running.values()].some((each) => each.siteId === siteId);
  }

  #run(id: string, { siteId, tries, since }: Pending): void {
    const work = this.#tools.runner.cleanUp(id, this.#signal).then((end) => {
      this.#running.delete(id);
      // Cancelled once more meanwhile: then that counts.
      if (end !== 'ended' && !this.#pending.has(id)) this.#again(id, { siteId, tries, dueAt: null, since }, end);
      this.look();
      this.#onEnd();
    });
    this.#running.set(id, { siteId, work });
  }

  #again(id: string, pending: Pending, end: Exclude<CleanUpEnd, 'ended'>): void {
    if (end === 'needs-sign-in') {
      this.#pending.set(id, pending);
      return;
    }
    const tries = end === 'failed' ? pending.tries + 1 : pending.tries;
    const inMs = end === 'failed' ? retryDelayMs(tries) : end.inMs;
    if (inMs === null) return;
    this.#pending.set(id, { ...pending, tries, dueAt: this.#tools.clock.monotonic() + inMs });
  }
}

/** Until when it is worth waiting for; before its beginning when it comes too late for that. */
function expectedUntil({ dueAt, since }: Pending): number {
  return dueAt === null || dueAt > since + EXPECTED_FOR_MS ? Number.NEGATIVE_INFINITY : since + EXPECTED_FOR_MS;
}

/**
 * How a try to remove something ended. `ended`: nothing more to do, or nothing that another try could do. `failed`: worth
 * another try, by the back-off and while the gate is open. `inMs`: too early to know.
 */
export type CleanUpEnd = 'ended' | 'failed' | 'needs-sign-in' | { inMs: number };
