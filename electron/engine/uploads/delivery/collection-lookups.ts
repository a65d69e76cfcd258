import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/errors/error-catalog.ts';
import { retryAfterMsOf } from '../../../../shared/model/backoff.ts';
import { isLocalId } from '../../../../shared/model/edits/collection-ops.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { collectionBelow } from '../../library/collections/collection-below.ts';
import { resolveCollection } from '../../library/collections/find-collection.ts';
import type { NewCollections } from '../../library/collections/new-collections-port.ts';
import type { Clock } from '../../ports/clock.ts';
import { DONE, type StepResult, waitFor } from '../../scheduler/job-result.ts';
import type { BatchRecord, BatchStore } from '../journal/batch-store.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';

/** How long a refusal by the library is used for all uploads of the batch: a new request would be refused, too. */
const REFUSAL_HOLDS_MS = 60_000;
/** How long any other error is used: for the uploads of the batch that start right after the one that got it. */
const FAULT_HOLDS_MS = 1000;

/** How often uploads check whether their new collection was created. Usually its creation wakes them. */
const CREATION_RECHECK_MS = 60_000;

/** For an engine that has no edits, so no collections that wait to be created. */
export const NO_NEW_COLLECTIONS: NewCollections = {
  stateOf: () => ({ kind: 'not-created', name: '', reason: null }),
  onDidChange: () => () => {},
};

export interface CollectionLookupTools {
  batches: BatchStore;
  journal: UploadJournal;
  clock: Clock;
  newCollections: NewCollections;
}

interface Failure {
  ref: string;
  error: AppError;
  /** On the monotonic clock. */
  until: number;
}

/**
 * Resolves the collections that the user named for batches. One request answers for all uploads of a batch: the answer
 * is stored with the batch, and the uploads read it from there.
 */
export class CollectionLookups {
  readonly #batches: BatchStore;
  readonly #journal: UploadJournal;
  readonly #newCollections: NewCollections;
  readonly #clock: Clock;
  readonly #running = new Map<string, Promise<string>>();
  readonly #failures = new Map<string, Failure>();
  /** The latest search for, or creation of, collections below another one, by site: the next waits for it. */
  readonly #lastBelow = new Map<string, Promise<unknown>>();

  constructor({ batches, journal, clock, newCollections }: CollectionLookupTools) {
    this.#batches = batches;
    this.#journal = journal;
    this.#newCollections = newCollections;
    this.#clock = clock;
    // After a retry by the user a new request is sent, because the cause of the error may be corrected.
    journal.onDidChange.on(({ before, after }) => {
      if (before === 'failed' && after.state !== 'failed') this.#failures.delete(after.batchId);
    });
  }

  /**
   * Runs the step of an upload. Throws what `resolveCollection` and `collectionBelow` throw, or `collection.not-created`.
   */
  async find(upload: Upload, { client, signal }: { client: SiteClient; signal: AbortSignal }): Promise<StepResult> {
    const wait = this.#adoptNew(upload.batchId);
    if (wait !== null) return wait;
    const collectionId = await this.#idOf(upload.batchId, client, signal);
    this.#journal.record(upload.id, { kind: 'collection-found', collectionId });
    return DONE;
  }

  /**
   * Stores the id of a new collection that the library has now. Returns how long to wait if it is not there yet; null when
   * the upload can continue. Throws `collection.not-created`.
   */
  #adoptNew(batchId: string): StepResult | null {
    const { collectionRef, collectionName, siteId, collectionId } = this.#batch(batchId);
    if (collectionId !== '' || collectionRef === null || !isLocalId(collectionRef)) return null;
    const state = this.#newCollections.stateOf(siteId, collectionRef);
    if (state.kind === 'created') {
      this.#batches.setCollection(batchId, { collectionId: state.id, collectionName });
      return null;
    }
    const name = state.name || collectionName;
    if (state.kind === 'waiting') {
      const message = `Waiting for the collection “${name}”, which isn’t in the library yet.`;
      return waitFor(CREATION_RECHECK_MS, appError('upload.waits-for-collection', { message }));
    }
    throw appError('collection.not-created', {
      message: `The collection “${name}” wasn’t created in the library.`,
      details: state.reason === null ? {} : { reason: state.reason },
    });
  }

  async #idOf(batchId: string, client: SiteClient, signal: AbortSignal): Promise<string> {
    const known = this.#batch(batchId).collectionId;
    if (known !== '') return known;
    let running = this.#running.get(batchId);
    if (running === undefined) {
      running = this.#ask(batchId, client, signal).finally(() => this.#running.delete(batchId));
      this.#running.set(batchId, running);
    }
    return running;
  }

  async #ask(batchId: string, client: SiteClient, signal: AbortSignal): Promise<string> {
    for (;;) {
      const { collectionRef, siteId, below } = this.#batch(batchId);
      const ref = collectionRef ?? '';
      const failure = this.#failures.get(batchId);
      if (failure?.ref === ref && this.#clock.monotonic() < failure.until) throw failure.error;
      try {
        const top = await resolveCollection(client, ref, signal);
        const id = below === null ? top.id : await this.#below(siteId, top.id, below, { client, signal });
        const displayName = [top.displayName, ...(below?.names ?? [])].join(' / ');
        // The user has named another collection in the meantime.
        if (this.#batch(batchId).collectionRef !== collectionRef) continue;
        this.#batches.setCollection(batchId, { collectionId: id, collectionName: displayName });
        this.#failures.delete(batchId);
        return id;
      } catch (thrown) {
        // Only errors of the library are stored; one of the database says nothing about the collection.
        if (!signal.aborted && thrown instanceof AppError) this.#note(batchId, ref, thrown);
        throw thrown;
      }
    }
  }

  /** Runs the searches of a site one after the other: two batches may need the same collection, which is created once. */
  #below(
    siteId: string,
    parentId: string,
    way: NonNullable<BatchRecord['below']>,
    { client, signal }: { client: SiteClient; signal: AbortSignal },
  ): Promise<string> {
    const before = this.#lastBelow.get(siteId) ?? Promise.resolve();
    const finding = before.catch(() => {}).then(() => collectionBelow(client, parentId, way, signal));
    this.#lastBelow.set(siteId, finding);
    return finding;
  }

  #note(batchId: string, ref: string, error: AppError): void {
    // A site-wide error is not stored: it opens the breaker, and when the breaker closes, a new request is sent at once.
    const holdsMs = holdsFor(error);
    if (holdsMs === null) return;
    this.#failures.set(batchId, { ref, error, until: this.#clock.monotonic() + holdsMs });
  }

  #batch(id: string): BatchRecord {
    const batch = this.#batches.get(id);
    if (batch === null) throw appError('upload.unknown', { details: { batchId: id } });
    return batch;
  }
}

function holdsFor(error: AppError): number | null {
  switch (dispositionOf(error.code)) {
    case 'ask':
    case 'permanent':
      return REFUSAL_HOLDS_MS;
    case 'retry':
      return Math.max(FAULT_HOLDS_MS, retryAfterMsOf(error) ?? 0);
    default:
      return null;
  }
}
