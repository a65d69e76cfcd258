import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import type { FollowUpKind } from '../../../../shared/model/uploads/follow-up-kinds.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/uploads/upload.ts';
import { applyUploadEvent } from '../../../../shared/model/uploads/upload-machine.ts';
import type { UploadState } from '../../../../shared/model/uploads/upload-states.ts';
import { Emitter } from '../../common/emitter.ts';
import { type Failpoints, NO_FAILPOINTS } from '../../ports/failpoints.ts';
import type { Logger } from '../../ports/logger.ts';
import { sqliteCodeOf } from '../../store/database.ts';
import type { FollowUpRows } from './follow-up-rows.ts';
import type { UploadStore } from './upload-store.ts';
import { type StateCounts, type Tally, UploadTally, type WorkBytes } from './upload-tally.ts';

export interface UploadChange {
  before: UploadState | null;
  after: Upload;
  /** The kind of the follow-up that was done with this change; null: none. */
  done: FollowUpKind | null;
}

/**
 * The only writer of events of uploads: it takes an event, stores the new row, then announces the change. Apart from it,
 * `UploadOrder` writes the place in the queue, and `failDamagedRows` replaces unreadable values when the profile is opened.
 *
 * A stored event survives a crash of the process at once, and a power cut after `whenDurable`. No external effect (a request that
 * changes something, bytes that are sent, the answer to a user's command) begins before that. So a power cut only undoes events
 * that can be found out again from the service or the disk.
 */
export class UploadJournal {
  readonly onDidChange = new Emitter<UploadChange>();
  readonly onDidChangeStoreFault = new Emitter<AppErrorData | null>();
  #storeFault: AppErrorData | null = null;
  readonly #store: UploadStore;
  readonly #logger: Logger;
  readonly #failpoints: Failpoints;
  readonly #tally: UploadTally;
  readonly #followUps: { pending: number; failed: number };

  constructor(store: UploadStore, logger: Logger, followUps: FollowUpRows, failpoints: Failpoints = NO_FAILPOINTS) {
    this.#store = store;
    this.#logger = logger;
    this.#failpoints = failpoints;
    this.#tally = new UploadTally(store.tally());
    this.#followUps = followUps.counts();
  }

  /** The numbers of listed rows that have pending, and that have failed, follow-ups. */
  get followUps(): Readonly<{ pending: number; failed: number }> {
    return this.#followUps;
  }

  /** The number of rows by state of one batch, or of all (null); updated with every change instead of counted again. */
  tally(batchId: string | null): Readonly<Tally> {
    return this.#tally.of(batchId);
  }

  /** The number of rows by state of one account. */
  tallyOfSite(siteId: string): Readonly<Tally> {
    return this.#tally.ofSite(siteId);
  }

  /** Returns the ids of batches with listed rows. */
  listedBatches(): string[] {
    return this.#tally.listedBatches();
  }

  /** The bytes of the batches that have open rows; see `UploadTally.work`. */
  get work(): Readonly<WorkBytes> {
    return this.#tally.work;
  }

  /** Returns the bytes of one batch as in `work`. */
  workOf(batchId: string): Readonly<WorkBytes> {
    return this.#tally.workOf(batchId);
  }

  /** Returns whether an account other than these has a row in one of `states`. */
  hasOpen(states: readonly UploadState[], exceptSites: readonly string[]): boolean {
    return this.#tally.hasAny(states, exceptSites);
  }

  /** The number of all listed rows by state. */
  get counts(): Readonly<StateCounts> {
    return this.#tally.of(null).counts;
  }

  /**
   * Adds rows. `rankOf` returns the position of each row inside its priority. `alongside`: other writes of the same transaction.
   */
  add(uploads: readonly Upload[], rankOf: (upload: Upload, index: number) => number, alongside?: () => void): void {
    this.#store.insert(uploads, rankOf, alongside);
    for (const upload of uploads) this.#announce(null, upload);
  }

  /** Stores an event of an upload and returns the row after it. */
  record(id: string, event: UploadEvent): Upload {
    const before = this.#store.get(id);
    if (!before) throw new Error(`no upload ${id}`);
    const after = applyUploadEvent(before, event);
    this.#stored(() => this.#failpoints.run(`journal.${event.kind}`, () => this.#store.save(before, after)));
    this.#logger.debug('upload.changed', { id, event: event.kind, state: after.state, ...errorCode(after) });
    this.#announce(before, after);
    return after;
  }

  /**
   * Stores one event for each of many uploads, all of them or none. `before`: the rows as they are stored; `alongside`
   * is part of the same transaction.
   */
  recordMany(facts: readonly { before: Upload; event: UploadEvent }[], alongside?: () => void): void {
    if (facts.length === 0 && alongside === undefined) return;
    const changes = facts.map(({ before, event }) => ({ before, after: applyUploadEvent(before, event) }));
    const kinds = new Set(facts.map(({ event }) => event.kind));
    let effect = () => this.#store.saveMany(changes, alongside);
    for (const kind of kinds) {
      const inner = effect;
      effect = () => this.#failpoints.run(`journal.${kind}`, inner);
    }
    this.#stored(effect);
    for (const [index, { before, after }] of changes.entries()) {
      const event = facts[index]?.event.kind;
      this.#logger.debug('upload.changed', { id: after.id, event, state: after.state, ...errorCode(after) });
      this.#announce(before, after);
    }
  }

  /** Runs a write, and announces a database error. */
  #stored(effect: () => void): void {
    try {
      effect();
    } catch (error) {
      this.#setStoreFault(appError('profile.store-failing', { details: { sqliteCode: sqliteCodeOf(error) } }).toData());
      throw error;
    }
    this.#setStoreFault(null);
  }

  /** The database error of the last write; null when it succeeded. */
  get storeFault(): AppErrorData | null {
    return this.#storeFault;
  }

  #setStoreFault(fault: AppErrorData | null): void {
    if (this.#storeFault?.code === fault?.code) return;
    this.#storeFault = fault;
    this.onDidChangeStoreFault.emit(fault);
  }

  /** Resolves when every event recorded so far would survive a power cut. */
  whenDurable(): Promise<void> {
    return this.#store.whenDurable();
  }

  #announce(before: Upload | null, after: Upload): void {
    if (before) this.#countFollowUps(before, -1);
    this.#countFollowUps(after, 1);
    this.#tally.note(before, after);
    const done = after.followUps.find(({ state }, at) => state === 'done' && before?.followUps[at]?.state !== 'done');
    this.onDidChange.emit({
      before: before?.state ?? null,
      after,
      done: before === null ? null : (done?.kind ?? null),
    });
  }

  #countFollowUps(upload: Upload, by: 1 | -1): void {
    if (upload.clearedAt !== null) return;
    if (upload.state !== 'complete' && upload.state !== 'publishing') return;
    if (upload.followUpAt !== null) this.#followUps.pending += by;
    if (upload.followUps.some(({ state }) => state === 'failed')) this.#followUps.failed += by;
  }
}

function errorCode(upload: Upload): { code?: string } {
  return upload.error === null ? {} : { code: upload.error.code };
}
