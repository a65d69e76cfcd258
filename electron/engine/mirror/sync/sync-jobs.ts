import { AppError, type AppErrorData, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf, isOfGateway } from '../../../../shared/contract/errors/error-catalog.ts';
import type { SyncStatus } from '../../../../shared/contract/library-sync.ts';
import { MAX_RETRIES, retryWaitMs } from '../../../../shared/model/backoff.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { abortable } from '../../common/abortable.ts';
import { Emitter } from '../../common/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Job, JobKind, Lane } from '../../scheduler/job-kind.ts';
import { DONE, failureOf, type JobResult, RELEASE } from '../../scheduler/job-result.ts';
import { guardedClient } from '../../sites/guarded-client.ts';
import type { SiteBreakers } from '../../sites/site-breakers.ts';
import { siteError } from '../../sites/site-wide-cause.ts';
import { sqliteCodeOf } from '../../store/database.ts';
import type { MirrorStore } from '../mirror-store.ts';
import type { MirrorOwner, StoredMirrors } from '../stored-mirrors.ts';
import { sweepFiles } from './files-sweep.ts';
import { syncPass } from './sync-pass.ts';
import { SyncRows } from './sync-rows.ts';
import type { SyncTools } from './sync-tools.ts';

export interface SyncJobTools {
  mirrors: StoredMirrors;
  breakers: SiteBreakers;
  clock: Clock;
  logger: Logger;
  /** The accounts that are signed in. */
  owners(): readonly MirrorOwner[];
  clientFor(siteId: string): SiteClient;
  /** Resolves when the site answers; otherwise throws the error that concerns the whole site. */
  probe(siteId: string): Promise<void>;
  /** Whether this process keeps mirrors up to date on its own. */
  isOn(): boolean;
  /** Whether the journal has open edits of an item. */
  hasEdits(siteId: string, mediaId: string): boolean;
  /** Items or collections of an account changed. */
  onDidChangeLibrary(siteId: string): void;
}

/** The number of passes at a time: a pass of another account runs during a first sync. */
const PARALLEL = 2;
/** The usual time between two passes. */
const PASS_MS = 60_000;
/** The maximum age of the pass whose results an opened list shows. */
const FRESH_MS = 10_000;
/** The delay of a pass after a change, because changes of this engine's uploads come in groups. */
const SOON_MS = 1000;
const PROGRESS_EVERY_MS = 200;
/** The number of failures after which the wait for the next pass does not grow any more: it is about five minutes then. */
const LONGEST_BACKOFF = 6;

interface SiteState {
  /** When the next pass is due, on the monotonic clock. During a pass: when a pass is due that was requested meanwhile. */
  nextAt: number;
  endedAt: number;
  failures: number;
  error: AppErrorData | null;
  running: Promise<void> | null;
  /** Settles when the last read of files after a pass has ended. */
  files: Promise<void>;
  isChecked: boolean;
  stop: AbortController;
}

interface PassWishes {
  isAsked: boolean;
  removesHidden: boolean;
}

const BY_TIME: PassWishes = { isAsked: false, removesHidden: false };

/** Keeps the mirrors of all signed-in accounts up to date: one pass of an account at a time. */
export class SyncJobs implements JobKind {
  readonly name = 'sync';
  readonly onDidChange = new Emitter<SyncStatus>();
  readonly #tools: SyncJobTools;
  readonly #lane: Lane;
  readonly #sites = new Map<string, SiteState>();
  readonly #announcing = new Map<string, () => void>();

  constructor(tools: SyncJobTools, lane: Lane) {
    this.#tools = tools;
    this.#lane = lane;
  }

  slots(): number {
    return PARALLEL;
  }

  due(free: number): Job[] {
    if (!this.#tools.isOn()) return [];
    const now = this.#tools.clock.monotonic();
    return this.#candidates()
      .filter(({ siteId }) => this.#stateOf(siteId).nextAt <= now)
      .slice(0, free)
      .map(({ siteId }) => ({ id: siteId }));
  }

  nextInMs(): number | null {
    // Without a free slot no time makes a pass due: the end of another pass does.
    if (!this.#tools.isOn() || this.#lane.size >= PARALLEL) return null;
    const times = this.#candidates().map(({ siteId }) => this.#stateOf(siteId).nextAt);
    if (times.length === 0) return null;
    return Math.max(0, Math.min(...times) - this.#tools.clock.monotonic());
  }

  async run({ id }: Job, signal: AbortSignal): Promise<JobResult> {
    const state = this.#stateOf(id);
    try {
      await this.#pass(id, signal, BY_TIME);
      await this.#checkOnce(id);
      state.files = this.#readFiles(id, state, AbortSignal.any([signal, state.stop.signal]));
      await state.files;
      return DONE;
    } catch (error) {
      if (signal.aborted || state.stop.signal.aborted) return RELEASE;
      return failureOf(error, 'sync');
    }
  }

  /** Wakes the lane at the time of the next pass. */
  wake(): void {
    this.#lane.wakeIn(0);
  }

  /**
   * The library changed: the next pass comes soon. During a pass, one more pass follows, because the running one may have read
   * too early.
   */
  passSoon(siteId: string): void {
    this.#passIn(siteId, SOON_MS);
  }

  /** The user refreshes the library: a pass starts immediately, or after the running pass. */
  passNow(siteId: string): void {
    this.#tools.breakers.probeOnRequest(siteId);
    this.#passIn(siteId, 0);
  }

  /**
   * A list is opened. If this process keeps mirrors up to date, a pass follows unless one is running or has just ended. Otherwise
   * resolves after a pass, so that a command does not print outdated data; without a connection it resolves immediately.
   */
  async freshen(siteId: string): Promise<void> {
    const { mirrors, clock, isOn } = this.#tools;
    const state = this.#stateOf(siteId);
    const age = clock.monotonic() - state.endedAt;
    if (isOn()) {
      if (state.failures === 0 && state.running === null && age >= FRESH_MS) this.#passIn(siteId, 0);
    } else if (age >= PASS_MS && state.running === null && mirrors.status(siteId).phase === 'ready') {
      await this.#pass(siteId, state.stop.signal, BY_TIME).catch((error: unknown) => {
        // The pass has noted the error; the list shows the earlier state.
        if (!(error instanceof AppError)) throw error;
      });
    }
  }

  /** Runs a complete pass now, or after the running pass. Throws the error that ended it early. */
  async syncNow(siteId: string, wishes: Partial<PassWishes> = {}): Promise<SyncStatus> {
    const state = this.#stateOf(siteId);
    await state.running?.catch(() => {});
    await this.#pass(siteId, state.stop.signal, { ...BY_TIME, isAsked: true, ...wishes });
    void state.files.then(() => this.#resumeFiles(siteId));
    return this.status(siteId);
  }

  /**
   * Continues a sweep of files that the pass ended early: otherwise counts of captions would stay inexact until the next pass.
   */
  #resumeFiles(siteId: string): void {
    const isPartial = this.#tools.mirrors.attempt(siteId, false, (store) => store.state('filesCursor') !== null);
    if (isPartial) this.#passIn(siteId, SOON_MS);
  }

  status(siteId: string): SyncStatus {
    const { mirrors } = this.#tools;
    const state = this.#sites.get(siteId);
    const vanished = mirrors.attempt(siteId, 0, (store) => new SyncRows(store.database).hiddenCount());
    return {
      siteId,
      ...mirrors.status(siteId),
      isRunning: state?.running != null,
      error: mirrors.damageOf(siteId)?.toData() ?? state?.error ?? null,
      vanished,
    };
  }

  /** Ends the passes of an account and removes its mirror. */
  async forget(siteId: string): Promise<void> {
    const state = this.#sites.get(siteId);
    this.#sites.delete(siteId);
    state?.stop.abort(new Error('the account was signed out'));
    await Promise.allSettled([state?.running, state?.files]);
    this.#tools.mirrors.forget(siteId);
    this.#announce(siteId);
  }

  async stop(): Promise<void> {
    for (const cancel of this.#announcing.values()) cancel();
    this.#announcing.clear();
    for (const { stop } of this.#sites.values()) stop.abort(new Error('the engine was stopped'));
    await Promise.allSettled([...this.#sites.values()].flatMap(({ running, files }) => [running, files]));
  }

  /**
   * Reads a part of the files, after a pass: no list waits for it. Ends early when the next pass is due. The error of a
   * request ends it as well; the next pass reports the problem.
   */
  async #readFiles(siteId: string, state: SiteState, signal: AbortSignal): Promise<void> {
    const { mirrors, clock, onDidChangeLibrary, logger } = this.#tools;
    const store = mirrors.storeOf(siteId);
    if (store === null) return;
    try {
      const changed = await sweepFiles(this.#syncTools(siteId, store, signal), () => {
        return state.nextAt > clock.monotonic() && state.running === null;
      });
      if (changed > 0) onDidChangeLibrary(siteId);
    } catch (error) {
      if (signal.aborted) return;
      logger.info('mirror.files-ended', { siteId, error: this.#errorOf(siteId, store, error).toData() });
    }
  }

  #syncTools(siteId: string, store: MirrorStore, signal: AbortSignal): SyncTools {
    const { clock, mirrors, hasEdits } = this.#tools;
    return {
      client: this.#clientFor(siteId),
      store,
      rows: new SyncRows(store.database),
      clock,
      signal,
      hasOpenEdits: (id) => hasEdits(siteId, id),
      onProgress: () => this.#announceSoon(siteId),
      checkpoint: () => mirrors.checkpoint(siteId),
    };
  }

  /** Checks the mirror once in each process, for damage that no list has read yet. */
  async #checkOnce(siteId: string): Promise<void> {
    const state = this.#stateOf(siteId);
    if (state.isChecked) return;
    state.isChecked = true;
    await this.#tools.mirrors.check(siteId);
    if (this.#tools.mirrors.storeOf(siteId) === null) state.nextAt = Number.NEGATIVE_INFINITY;
  }

  #candidates(): MirrorOwner[] {
    const { owners, breakers } = this.#tools;
    return owners().filter(
      ({ siteId }) =>
        !breakers.blocksReads(siteId) && !this.#lane.has(siteId) && this.#stateOf(siteId).running === null,
    );
  }

  #stateOf(siteId: string): SiteState {
    let state = this.#sites.get(siteId);
    if (state === undefined) {
      const never = Number.NEGATIVE_INFINITY;
      state = {
        nextAt: never,
        endedAt: never,
        failures: 0,
        error: null,
        running: null,
        isChecked: false,
        files: Promise.resolve(),
        stop: new AbortController(),
      };
      this.#sites.set(siteId, state);
    }
    return state;
  }

  #passIn(siteId: string, inMs: number): void {
    if (!this.#tools.isOn()) return;
    const state = this.#stateOf(siteId);
    // After a failed pass, the backoff alone decides when the next one starts.
    if (state.failures > 0) return;
    state.nextAt = Math.min(state.nextAt, this.#tools.clock.monotonic() + inMs);
    this.#lane.wakeIn(inMs);
  }

  #pass(siteId: string, signal: AbortSignal, wishes: PassWishes): Promise<void> {
    const state = this.#stateOf(siteId);
    const pass = this.#runPass(siteId, state, AbortSignal.any([signal, state.stop.signal]), wishes).finally(() => {
      state.running = null;
      state.endedAt = this.#tools.clock.monotonic();
      this.#announce(siteId);
      if (this.#tools.isOn() && !state.stop.signal.aborted) this.#lane.wakeIn(0);
    });
    state.running = pass;
    this.#announce(siteId);
    return pass;
  }

  async #runPass(siteId: string, state: SiteState, signal: AbortSignal, wishes: PassWishes): Promise<void> {
    const { mirrors, clock, onDidChangeLibrary } = this.#tools;
    const owner = this.#tools.owners().find((each) => each.siteId === siteId);
    if (owner === undefined) throw appError('sign-in.required', { details: { siteId } });
    let store: MirrorStore | null = null;
    const dueAt = state.nextAt;
    // A pass that is requested from now on runs after this one; `state.nextAt` stores its time.
    state.nextAt = Number.POSITIVE_INFINITY;
    try {
      store = await mirrors.openFor(owner);
      signal.throwIfAborted();
      const changes = await syncPass(this.#syncTools(siteId, store, signal), {
        passMs: PASS_MS,
        ...wishes,
        onFirstSync: () => mirrors.setPhase(siteId, 'first-sync'),
        onReady: () => mirrors.setPhase(siteId, 'ready'),
      });
      const nextAt = Math.min(state.nextAt, clock.monotonic() + PASS_MS);
      Object.assign(state, { failures: 0, error: null, nextAt });
      if (changes.items > 0 || changes.collections) onDidChangeLibrary(siteId);
    } catch (error) {
      const failure = signal.aborted ? null : await this.#causeOf(siteId, store, error, signal);
      if (failure === null || signal.aborted) {
        state.nextAt = Math.min(state.nextAt, dueAt);
        throw signal.reason;
      }
      throw this.#noteFailure(siteId, state, failure);
    }
  }

  /** Returns the error of a pass: that of the whole site if a server in front of it answers all requests. */
  async #causeOf(siteId: string, store: MirrorStore | null, thrown: unknown, signal: AbortSignal): Promise<AppError> {
    const found = this.#errorOf(siteId, store, thrown);
    if (!isOfGateway(found)) return found;
    const ofSite = abortable(siteError(siteId, found, this.#tools), signal);
    try {
      return (await ofSite) ?? found;
    } catch (error) {
      // A pass that was stopped meanwhile doesn't wait for the probe.
      return signal.aborted ? found : this.#errorOf(siteId, store, error);
    }
  }

  #noteFailure(siteId: string, state: SiteState, failure: AppError): AppError {
    const { breakers, clock, logger } = this.#tools;
    const error = failure.toData();
    logger.warn('mirror.pass-ended', { siteId, error });
    breakers.report(siteId, error);
    state.failures += 1;
    state.error = error;
    const waitMs = retryWaitMs(Math.min(state.failures, LONGEST_BACKOFF, MAX_RETRIES), error) ?? PASS_MS;
    // A site that can't be reached is probed by its breaker; the first pass after that is due immediately.
    const isSiteWide = dispositionOf(error.code) === 'wait-network' || dispositionOf(error.code) === 'sign-in';
    if (isSiteWide) state.failures = 0;
    state.nextAt = isSiteWide ? Number.NEGATIVE_INFINITY : clock.monotonic() + waitMs;
    return failure;
  }

  /**
   * Returns the error of a pass. An SQLite error is reported as an error of the mirror; anything else that is no error of a
   * request is a programming error. That is logged, and waits for its backoff like any failure: otherwise the next pass would
   * start immediately, in an endless loop.
   */
  #errorOf(siteId: string, store: MirrorStore | null, thrown: unknown): AppError {
    const { mirrors, logger } = this.#tools;
    if (thrown instanceof AppError) return thrown;
    const wasReplaced = store !== null && mirrors.storeOf(siteId) !== store;
    if (wasReplaced) return appError('library.copy-damaged', { details: { siteId }, cause: thrown });
    if (sqliteCodeOf(thrown) === null) {
      const stack = thrown instanceof Error ? thrown.stack : String(thrown);
      logger.error('mirror.pass-fault', { siteId, stack });
      return toAppError(thrown);
    }
    mirrors.noteFault(siteId, thrown);
    return mirrors.damageOf(siteId) ?? appError('profile.store-failing', { cause: thrown });
  }

  #clientFor(siteId: string): SiteClient {
    const { clientFor, breakers } = this.#tools;
    return guardedClient(clientFor(siteId), siteId, { journal: { whenDurable: async () => {} }, breakers });
  }

  #announceSoon(siteId: string): void {
    if (this.#announcing.has(siteId)) return;
    const cancel = this.#tools.clock.schedule(PROGRESS_EVERY_MS, () => {
      this.#announcing.delete(siteId);
      this.onDidChange.emit(this.status(siteId));
    });
    this.#announcing.set(siteId, cancel);
  }

  #announce(siteId: string): void {
    this.#announcing.get(siteId)?.();
    this.#announcing.delete(siteId);
    this.onDidChange.emit(this.status(siteId));
  }
}
