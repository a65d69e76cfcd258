import type { MediaFile } from '../../../../shared/api/files.ts';
import { AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf, endsTries } from '../../../../shared/contract/error-catalog.ts';
import type { RetriedStep } from '../../../../shared/model/retries.ts';
import type { Upload } from '../../../../shared/model/upload-machine.ts';
import { SLOT_STATES } from '../../../../shared/model/upload-states.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { STORE_REST_MS } from '../../scheduler/when-store-works.ts';
import { notedWrites } from '../../sites/noted-writes.ts';
import type { SiteGates } from '../../sites/site-gates.ts';
import { siteWideCause } from '../../sites/site-wide-cause.ts';
import { sqliteCodeOf } from '../../store/database.ts';
import { cleanUp } from '../clean-up/clean-up-step.ts';
import type { CleanUpEnd } from '../clean-up/clean-ups.ts';
import type { CollectionContents } from '../duplicates/collection-contents.ts';
import { checkDuplicates, TwinAhead } from '../duplicates/duplicate-check.ts';
import type { HashCache } from '../duplicates/hash-cache.ts';
import type { TwinStore } from '../duplicates/twin-store.ts';
import { TWIN_PATIENCE_MS } from '../duplicates/twin-waits.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import { explainFileError, type LocalFileTools, lookAtFile } from '../local-files/local-file.ts';
import type { CollectionLookups } from './collection-lookups.ts';
import { type Completions, finish, Unconfirmed } from './completion-step.ts';
import { Creations } from './items/creations.ts';
import { lookUpItem } from './items/item-lookup.ts';
import { NotYet } from './not-yet.ts';
import { afterFailure, failedTry, isReading, nextStep, type UploadStep } from './planner.ts';
import { Cancelled, ConnectionDead, HeldTooLong, type Transfers } from './transfers.ts';
import {
  checkFile,
  clearFiles,
  confirmRefusal,
  createItem,
  createPlaceholder,
  dropFile,
  poll,
  publish,
  type StepTools,
} from './upload-steps.ts';

export interface RunnerTools extends LocalFileTools {
  store: UploadStore;
  journal: UploadJournal;
  transfers: Transfers;
  hashes: HashCache;
  twins: TwinStore;
  collections: CollectionLookups;
  contents: CollectionContents;
  completions: Completions;
  gates: SiteGates;
  clock: Clock;
  logger: Logger;
  /** Whether anything new may begin now. */
  isOpen(): boolean;
  /** Throws `AppError` when the site is not known or nobody is signed in. */
  clientFor(siteId: string): SiteClient;
  /** Resolves when the site answers at all; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
}

/** A file that was moved while it was being opened is tried again at once. */
const FOLLOW_AFTER_MS = 1000;
/** Steps in one go before something must be wrong: a healthy upload takes eight. */
const MAX_STEPS = 40;
/** How soon a removal that the site's gate held back is tried again, at the earliest. */
const HELD_BACK_MS = 1000;

/** Steps that begin something: what the library already has of an upload is seen to its end. */
const STARTS: ReadonlySet<UploadStep['kind']> = new Set(['create-item', 'create-file', 'send']);

/** What is being done for an upload, so that a failure is counted against it. */
interface Doing {
  step: RetriedStep;
  /** The row as the step met it; null before the first one. */
  before: Upload | null;
  /** Requests of the step that were answered with success. */
  answered: number;
}

/** Takes uploads one step at a time: plan from the stored row, do, store, and again. */
export class UploadRunner {
  readonly #tools: RunnerTools;
  readonly #creations = new Creations();

  constructor(tools: RunnerTools) {
    this.#tools = tools;
  }

  /** Works on an upload for as long as it holds a slot: until its bytes are delivered, or it waits, or it ends. */
  async deliver(id: string, signal: AbortSignal): Promise<void> {
    await this.#guarded(id, signal, async (doing) => {
      const { kind } = nextStep(this.#row(id), this.#tools.clock.now());
      if (kind === 'poll' || kind === 'publish' || kind === 'follow-ups') {
        // Its bytes are delivered and only its last question failed: it needs no slot, the watch goes on with it.
        this.#tools.journal.record(id, { kind: 'put-back', error: null });
        return;
      }
      await this.#refreshFile(this.#tools.journal.record(id, { kind: 'started' }));
      for (let count = 0; count < MAX_STEPS; count += 1) {
        signal.throwIfAborted();
        // Read anew after all that was awaited: a person may have paused or ended it meanwhile.
        const upload = this.#row(id);
        if (!(SLOT_STATES as readonly string[]).includes(upload.state)) return;
        const step = nextStep(upload, this.#tools.clock.now());
        if (isWithoutSlot(step)) return;
        if (STARTS.has(step.kind) && !this.#tools.isOpen()) {
          this.#tools.journal.record(id, { kind: 'interrupted' });
          return;
        }
        // The site takes no changes: it waits in its place. What its destination takes is another question.
        const held = this.#tools.gates.holdingBack(upload.siteId, true);
        if (held !== null && !isReading(step) && step.kind !== 'send') {
          this.#tools.journal.record(id, { kind: 'put-back', error: held });
          return;
        }
        Object.assign(doing, { step: step.kind, before: upload, answered: 0 } satisfies Doing);
        await this.#take(step, upload, this.#stepTools(upload, signal, doing));
        if (step.kind !== 'check-file') continue;
        Object.assign(doing, { step: 'look-at-file', before: null, answered: 0 } satisfies Doing);
        await this.#refreshFile(this.#row(id));
      }
      throw appError('internal', { details: { reason: 'an upload went in circles' } });
    });
  }

  /**
   * One look at an upload whose bytes are delivered. Answers true when there is nothing more to look at. `known`: its
   * file as the service has just shown it.
   */
  async follow(id: string, signal: AbortSignal, known: MediaFile | null = null): Promise<boolean> {
    return this.#guarded(id, signal, async (doing) => {
      for (;;) {
        const upload = this.#row(id);
        const step = nextStep(upload, this.#tools.clock.now());
        if (step.kind === 'none') return;
        if (step.kind !== 'poll' && step.kind !== 'publish') return;
        Object.assign(doing, { step: step.kind, before: upload, answered: 0 } satisfies Doing);
        const tools = this.#stepTools(upload, signal, doing);
        const isDone =
          step.kind === 'poll' && known?.id === upload.fileId
            ? await poll(upload, tools, known)
            : await this.#take(step, upload, tools);
        if (!isDone) throw new NotYet(0);
      }
    });
  }

  /** Removes what an ended upload left in the library. Never throws: the row is ended either way. */
  async cleanUp(id: string, signal: AbortSignal): Promise<CleanUpEnd> {
    const { store, clock, gates, logger } = this.#tools;
    let upload: Upload | null = null;
    try {
      upload = store.get(id);
      if (upload === null || nextStep(upload, clock.now()).kind !== 'clean-up') return 'ended';
      await cleanUp(upload, this.#stepTools(upload, signal));
      return 'ended';
    } catch (error) {
      if (signal.aborted) return 'ended';
      if (error instanceof NotYet) return { inMs: error.inMs };
      if (isHeldBack(error)) return { inMs: HELD_BACK_MS };
      if (sqliteCodeOf(error) !== null) return { inMs: STORE_REST_MS };
      const failure = toAppError(error);
      logger.warn('upload.clean-up-failed', { id, code: failure.code });
      // Nobody is asked to sign in for this alone.
      if (dispositionOf(failure.code) === 'sign-in') return 'needs-sign-in';
      if (upload !== null) gates.report(upload.siteId, failure.toData());
      return endsTries(failure.code) ? 'ended' : 'failed';
    }
  }

  /** Runs `work` and turns what it throws into a fact about the row. True unless there is reason to look again soon. */
  async #guarded(id: string, signal: AbortSignal, work: (doing: Doing) => Promise<void>): Promise<boolean> {
    const doing: Doing = { step: 'look-at-file', before: null, answered: 0 };
    try {
      await work(doing);
      return true;
    } catch (error) {
      if (signal.aborted || error instanceof Cancelled) return true;
      if (error instanceof HeldTooLong || error instanceof ConnectionDead) {
        // What a person paused stays so; the others begin again when their time has come.
        if (this.#row(id).state !== 'paused') this.#tools.journal.record(id, { kind: 'interrupted' });
        return true;
      }
      if (error instanceof TwinAhead) {
        const { id: uploadId, path } = error.twin;
        this.#waitWithoutFault(
          id,
          TWIN_PATIENCE_MS,
          appError('upload.duplicate-under-way', { details: { uploadId, path } }),
        );
        return true;
      }
      if (error instanceof NotYet) {
        // Its requests were answered: errors that came before were other ones.
        if (this.#row(id).tries[doing.step] !== undefined) {
          this.#tools.journal.record(id, { kind: 'answered', step: doing.step });
        }
        if (error.inMs > 0) this.#waitWithoutFault(id, error.inMs, appError(error.reason));
        return false;
      }
      if (error instanceof Unconfirmed) {
        const until = this.#tools.clock.now() + error.inMs;
        this.#tools.journal.record(id, { kind: 'delayed', error: error.error, until, failed: null });
        return true;
      }
      // The store can't be written: that is no fault of this upload, and nothing can be noted about it now.
      if (sqliteCodeOf(error) !== null) throw error;
      const classified = toAppError(error);
      if (classified.code === 'internal') this.#tools.logger.error('upload.fault', { id, stack: stackOf(error) });
      await this.#noteFailure(id, classified, doing);
      return true;
    }
  }

  async #noteFailure(id: string, error: AppError, { step, before, answered }: Doing): Promise<void> {
    const { journal, gates, clock, completions } = this.#tools;
    const upload = this.#row(id);
    const found = await explainFileError(upload, error, this.#tools);
    if (found.code === 'file.followed') return this.#waitWithoutFault(id, FOLLOW_AFTER_MS, found);
    const data = (await siteWideCause(upload.siteId, found, this.#tools.probe)).toData();
    gates.report(upload.siteId, data);
    const after = this.#row(id);
    const instant = { monotonic: clock.monotonic(), now: clock.now() };
    const event = afterFailure(after, data, instant.now, failedTry(step, answered, before ?? after, after));
    journal.record(id, completions.pollMeanwhile(after, event, instant));
  }

  #waitWithoutFault(id: string, inMs: number, reason: AppError): void {
    const { journal, clock } = this.#tools;
    journal.record(id, { kind: 'delayed', error: reason.toData(), until: clock.now() + inMs, failed: null });
  }

  /**
   * Before anything is sent, the row's fingerprint is what the file is now. Bytes that may have arrived already are
   * asked about first: until then the row describes the file that they came from.
   */
  async #refreshFile(upload: Upload): Promise<void> {
    if (upload.sendStartedAt === null && upload.sentAt === null) await lookAtFile(upload, this.#tools);
  }

  /** Does one step. False means: not there yet, ask again. */
  async #take(step: UploadStep, upload: Upload, tools: StepTools): Promise<boolean> {
    switch (step.kind) {
      case 'find-collection':
        await this.#tools.collections.find(upload, tools);
        return true;
      case 'check-duplicates':
        await checkDuplicates(upload, { ...this.#tools, ...tools });
        return true;
      case 'create-item':
        await createItem(upload, tools);
        return true;
      case 'look-up-item':
        await lookUpItem(upload, step.intendedAt, tools);
        return true;
      case 'create-file':
        await createPlaceholder(upload, tools);
        return true;
      case 'clear-files':
        await clearFiles(upload, tools);
        return true;
      case 'check-file':
        await checkFile(upload, tools);
        return true;
      case 'drop-file':
        await dropFile(upload, tools);
        return true;
      case 'send':
        await this.#send(upload, tools);
        return true;
      case 'finish':
        await finish(upload, tools);
        return true;
      case 'poll':
        return poll(upload, tools);
      case 'publish':
        await publish(upload, tools);
        return true;
      case 'clean-up':
        await cleanUp(upload, tools);
        return true;
      case 'follow-ups':
      case 'none':
        return true;
    }
  }

  async #send(upload: Upload, tools: StepTools): Promise<void> {
    try {
      await this.#tools.transfers.send(upload, tools.signal);
    } catch (error) {
      const isRefusal = error instanceof AppError && error.code === 'upload.refused' && error.details?.allSent === true;
      if (!isRefusal) throw error;
      await confirmRefusal(upload, error, tools);
    }
  }

  #stepTools(upload: Upload, signal: AbortSignal, doing: Pick<Doing, 'answered'> = { answered: 0 }): StepTools {
    const { store, journal, clock, clientFor, transfers, completions } = this.#tools;
    const client = notedWrites(clientFor(upload.siteId), upload.siteId, this.#tools, () => {
      doing.answered += 1;
    });
    const wasCutShort = (fileId: string) => transfers.wasCutShort(fileId);
    return { client, journal, store, clock, signal, creations: this.#creations, completions, wasCutShort };
  }

  #row(id: string): Upload {
    const upload = this.#tools.store.get(id);
    if (!upload) throw appError('upload.unknown', { details: { id } });
    return upload;
  }
}

/** Steps that the watches take, once the bytes are delivered, and those of uploads that have ended. */
function isWithoutSlot(
  step: UploadStep,
): step is Extract<UploadStep, { kind: Exclude<UploadStep['kind'], RetriedStep> | 'poll' }> {
  return step.kind === 'none' || step.kind === 'poll' || step.kind === 'follow-ups' || step.kind === 'clean-up';
}

function isHeldBack(error: unknown): boolean {
  return error instanceof AppError && error.details?.held === true;
}

function stackOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
