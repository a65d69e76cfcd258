import type { MediaFile } from '../../../../shared/api/files.ts';
import { AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/errors/error-catalog.ts';
import type { FailedStep, RetriedStep } from '../../../../shared/model/uploads/retries.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { SLOT_STATES } from '../../../../shared/model/uploads/upload-states.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Files } from '../../ports/files.ts';
import type { Logger } from '../../ports/logger.ts';
import {
  DONE,
  failureOf,
  type JobResult,
  pollAgain,
  RELEASE,
  type StepResult,
  waitFor,
} from '../../scheduler/job-result.ts';
import { guardedClient } from '../../sites/guarded-client.ts';
import { type SiteBreakers, wasBlocked } from '../../sites/site-breakers.ts';
import { siteError, siteWideCause } from '../../sites/site-wide-cause.ts';
import { sqliteCodeOf } from '../../store/database.ts';
import type { CandidateStore } from '../duplicates/candidate-store.ts';
import type { CollectionContents } from '../duplicates/collection-contents.ts';
import { checkDuplicates } from '../duplicates/duplicate-check.ts';
import type { HashCache } from '../duplicates/hash-cache.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import { explainFileError, type LocalFileTools, refreshFingerprint } from '../local-files/local-file.ts';
import { filesBelowRoot } from '../local-files/locate-file.ts';
import { cleanUp } from './clean-up-step.ts';
import type { CollectionLookups } from './collection-lookups.ts';
import { finish } from './completion-step.ts';
import type { Completions } from './completions.ts';
import { lookUpItem } from './items/item-lookup.ts';
import { UnansweredRequests } from './items/unanswered-requests.ts';
import { AFTER_DELIVERY, afterFailure, failedStep, isReading, nextStep, type UploadStep } from './planner.ts';
import type { StepTools } from './step-tools.ts';
import type { Transfers } from './transfers.ts';
import {
  checkFile,
  clearFiles,
  confirmRefusal,
  createItem,
  createPlaceholder,
  dropFile,
  poll,
  publish,
} from './upload-steps.ts';

export interface RunnerTools extends LocalFileTools {
  store: UploadStore;
  journal: UploadJournal;
  transfers: Transfers;
  hashes: HashCache;
  candidates: CandidateStore;
  collections: CollectionLookups;
  contents: CollectionContents;
  completions: Completions;
  breakers: SiteBreakers;
  clock: Clock;
  logger: Logger;
  /** Returns whether a step that begins something in the library may start now. */
  mayBegin(): boolean;
  /** Throws `AppError` when the site is unknown or not signed in. */
  clientFor(siteId: string): SiteClient;
  /** Resolves when the site answers at all; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
  /** Returns whether an edit of this computer created an item. */
  isOfEdit(siteId: string, mediaId: string): boolean;
}

/** How soon an upload is retried whose file was moved while it was opened. */
const MOVED_FILE_RETRY_MS = 1000;
/** The maximum number of consecutive steps. A normal delivery takes five, or six with `find-collection`. */
const MAX_STEPS = 40;
/** How long a removal waits that the breaker of its site blocks, or that needs the answer to a poll in flight. */
const CLEAN_UP_WAIT_MS = 1000;

/** Steps that begin something new in the library; later steps complete what it already has. */
const STARTS: ReadonlySet<UploadStep['kind']> = new Set(['create-item', 'create-file', 'send']);

/** The current step of an upload: what a failure is counted for, and whether the step made progress before it. */
class CurrentStep {
  step: RetriedStep = 'look-at-file';
  /** The row before the step; null: a failure is judged by the row after it alone. */
  before: Upload | null = null;
  /** The number of successful requests of the step. */
  answered = 0;

  begin(step: RetriedStep, before: Upload | null): void {
    this.step = step;
    this.before = before;
    this.answered = 0;
  }
}

/** Runs uploads step by step: plan from the stored row, execute, store, repeat. */
export class UploadRunner {
  readonly #tools: RunnerTools;
  readonly #unanswered = new UnansweredRequests();
  /** Uploads with a request of `pollOnce` in flight. */
  readonly #polled = new Set<string>();

  constructor(tools: RunnerTools) {
    this.#tools = tools;
  }

  /** Runs an upload in its slot: until its bytes are delivered, or it waits, or it ends. */
  async deliver(id: string, signal: AbortSignal): Promise<JobResult<FailedStep>> {
    const { journal, clock } = this.#tools;
    if (AFTER_DELIVERY.has(nextStep(this.#row(id), clock.now()).kind)) {
      // Its bytes are delivered, so it needs no slot: the poll lane continues it.
      journal.record(id, { kind: 'put-back', error: null });
      return DONE;
    }
    return this.#run(id, signal, async (current) => {
      await this.#refreshFile(journal.record(id, { kind: 'started' }));
      for (let count = 0; count < MAX_STEPS; count += 1) {
        signal.throwIfAborted();
        // Read again after every await: the user may have paused or ended it in the meantime.
        const upload = this.#row(id);
        const step = nextStep(upload, clock.now());
        if (!isInSlot(step)) return DONE;
        const ended = this.#mayNotTake(step, upload);
        if (ended !== null) return ended;
        current.begin(step.kind, upload);
        const result = await this.#take(step, upload, this.#stepTools(upload, signal, current));
        if (result.kind !== 'done') return result;
        if (step.kind !== 'check-file') continue;
        current.begin('look-at-file', null);
        await this.#refreshFile(this.#row(id));
      }
      throw appError('internal', { details: { reason: 'an upload went in circles' } });
    });
  }

  /** Returns how a delivery ends before this step; null when the step may run. */
  #mayNotTake(step: UploadStep, { id, siteId, state }: Upload): StepResult | null {
    if (!(SLOT_STATES as readonly string[]).includes(state)) return DONE;
    if (STARTS.has(step.kind) && !this.#tools.mayBegin()) return RELEASE;
    // While the site refuses changes, the upload waits and keeps its place. Its destination may still accept bytes.
    const blocked = this.#tools.breakers.blockedBy(siteId, true);
    if (blocked === null || isReading(step) || step.kind === 'send') return null;
    this.#tools.journal.record(id, { kind: 'put-back', error: blocked });
    return DONE;
  }

  /** Records how a delivery ended. */
  record(id: string, result: JobResult<FailedStep>): void {
    const { journal, clock, completions } = this.#tools;
    const row = this.#row(id);
    const instant = { monotonic: clock.monotonic(), now: clock.now() };
    switch (result.kind) {
      case 'done':
        return;
      case 'release':
        // An upload that the user paused stays paused; the others start again when they are due.
        if (row.state !== 'paused') journal.record(id, { kind: 'interrupted' });
        return;
      case 'wait':
        if (result.inMs === 0 || result.reason === null) return;
        journal.record(id, { kind: 'delayed', error: result.reason, until: instant.now + result.inMs, failed: null });
        return;
      default: {
        const event = afterFailure(row, result.error, instant.now, result.counted);
        journal.record(id, completions.pollMeanwhile(row, event, instant));
      }
    }
  }

  /**
   * Polls an upload with delivered bytes once, and records the result. Returns false when the file has to be polled again in the
   * usual interval, and true otherwise, also after an error. `known`: its file as the service has just returned it.
   */
  async pollOnce(id: string, signal: AbortSignal, known: MediaFile | null = null): Promise<boolean> {
    this.#polled.add(id);
    const run = this.#run(id, signal, async (current) => {
      for (;;) {
        const upload = this.#row(id);
        const step = nextStep(upload, this.#tools.clock.now());
        if (step.kind !== 'poll' && step.kind !== 'publish') return DONE;
        current.begin(step.kind, upload);
        const tools = this.#stepTools(upload, signal, current);
        const isKnown = step.kind === 'poll' && known?.id === upload.fileId;
        const result = isKnown ? await poll(upload, tools, known) : await this.#take(step, upload, tools);
        if (result.kind !== 'done') return result;
      }
    });
    const result = await run.finally(() => this.#polled.delete(id));
    if (!signal.aborted) this.record(id, result);
    return result.kind !== 'wait';
  }

  /** Removes what an ended upload left in the library. The upload stays ended, whatever the result. */
  async cleanUp(id: string, signal: AbortSignal): Promise<JobResult<null>> {
    const { store, clock, breakers, logger } = this.#tools;
    const upload = store.get(id);
    if (upload === null || nextStep(upload, clock.now()).kind !== 'clean-up') return DONE;
    // The reply to a request in flight may decide what to clean up.
    if (this.#polled.has(id)) return pollAgain(CLEAN_UP_WAIT_MS);
    try {
      return await cleanUp(upload, this.#stepTools(upload, signal));
    } catch (error) {
      if (signal.aborted) return DONE;
      if (sqliteCodeOf(error) !== null) throw error;
      const found = toAppError(error);
      if (wasBlocked(found)) return waitFor(CLEAN_UP_WAIT_MS, found);
      const failure = (await siteError(upload.siteId, found, this.#tools)) ?? found;
      logger.warn('upload.clean-up-failed', { id, code: failure.code });
      // A missing sign-in opens no breaker here: a clean-up alone is no reason to request a sign-in.
      if (dispositionOf(failure.code) !== 'sign-in') breakers.report(upload.siteId, failure.toData());
      return failureOf(failure, null);
    }
  }

  /** Runs `work`; an error that it throws becomes a failure of the upload. Throws database errors. */
  async #run(
    id: string,
    signal: AbortSignal,
    work: (current: CurrentStep) => Promise<StepResult>,
  ): Promise<JobResult<FailedStep>> {
    const current = new CurrentStep();
    try {
      const result = await work(current);
      // The requests of the step succeeded, so its earlier failures no longer count.
      if (
        result.kind === 'wait' &&
        !result.keepsRetryCount &&
        this.#row(id).retriesByStep[current.step] !== undefined
      ) {
        this.#tools.journal.record(id, { kind: 'answered', step: current.step });
      }
      return result;
    } catch (error) {
      if (signal.aborted) return DONE;
      // The database can't be written: that is no failure of this upload, and nothing can be recorded now.
      if (sqliteCodeOf(error) !== null) throw error;
      return this.#failure(id, error, current);
    }
  }

  async #failure(id: string, thrown: unknown, { step, before, answered }: CurrentStep): Promise<JobResult<FailedStep>> {
    const classified = toAppError(thrown);
    if (classified.code === 'internal') this.#tools.logger.error('upload.fault', { id, stack: stackOf(thrown) });
    const upload = this.#row(id);
    const found = await explainFileError(upload, classified, this.#tools);
    if (found.code === 'file.followed') return waitFor(MOVED_FILE_RETRY_MS, found);
    const error = await siteWideCause(upload.siteId, found, this.#tools);
    this.#tools.breakers.report(upload.siteId, error.toData());
    const after = this.#row(id);
    return failureOf(error, failedStep(step, answered, before ?? after, after));
  }

  /**
   * Updates the row's fingerprint from the file before anything is sent. If bytes may have arrived already, the library is
   * checked first: until then the row has to describe the file from which these bytes were read.
   */
  async #refreshFile(upload: Upload): Promise<void> {
    if (upload.sendStartedAt === null && upload.sentAt === null) await refreshFingerprint(upload, this.#tools);
  }

  async #take(step: UploadStep, upload: Upload, tools: StepTools): Promise<StepResult> {
    switch (step.kind) {
      case 'find-collection':
        return this.#tools.collections.find(upload, tools);
      case 'check-duplicates':
        return checkDuplicates(upload, { ...this.#tools, ...tools, files: this.#filesOf(upload) });
      case 'create-item':
        return createItem(upload, tools);
      case 'look-up-item':
        return lookUpItem(upload, step.intendedAt, tools);
      case 'create-file':
        return createPlaceholder(upload, tools);
      case 'clear-files':
        return clearFiles(upload, tools);
      case 'check-file':
        return checkFile(upload, tools);
      case 'drop-file':
        return dropFile(upload, tools);
      case 'send':
        return this.#send(upload, tools);
      case 'finish':
        return finish(upload, tools);
      case 'poll':
        return poll(upload, tools);
      case 'publish':
        return publish(upload, tools);
      case 'clean-up':
        return cleanUp(upload, tools);
      case 'await-follow-ups':
      case 'none':
        return DONE;
    }
  }

  async #send(upload: Upload, tools: StepTools): Promise<StepResult> {
    try {
      return await this.#tools.transfers.send(upload, tools.signal);
    } catch (error) {
      const isRefusal = error instanceof AppError && error.code === 'upload.refused' && error.details?.allSent === true;
      if (!isRefusal) throw error;
      await confirmRefusal(upload, error, tools);
      return DONE;
    }
  }

  #stepTools(upload: Upload, signal: AbortSignal, current = new CurrentStep()): StepTools {
    const { store, journal, clock, clientFor, transfers, completions, hashes, isOfEdit } = this.#tools;
    const client = guardedClient(clientFor(upload.siteId), upload.siteId, this.#tools, () => {
      current.answered += 1;
    });
    const wasCutShort = (fileId: string) => transfers.wasCutShort(fileId);
    const own = { unanswered: this.#unanswered, completions, hashes, wasCutShort, isOfEdit };
    return { client, journal, store, clock, signal, ...own };
  }

  #filesOf(upload: Upload): Files {
    return filesBelowRoot(upload, this.#tools.placesOf(upload), this.#tools.files);
  }

  #row(id: string): Upload {
    const upload = this.#tools.store.get(id);
    if (!upload) throw appError('upload.unknown', { details: { id } });
    return upload;
  }
}

/** A step of a delivery. */
type SlotStep = Extract<UploadStep, { kind: Exclude<RetriedStep, 'poll' | 'publish'> }>;

/** Returns whether a delivery does this step, in its slot. Steps of ended uploads belong to the clean-up lane. */
function isInSlot(step: UploadStep): step is SlotStep {
  return !AFTER_DELIVERY.has(step.kind) && step.kind !== 'none' && step.kind !== 'clean-up';
}

function stackOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
