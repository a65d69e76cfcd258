import { type AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/errors/error-catalog.ts';
import { netOpsOf } from '../../../../shared/model/edits/collection-fold.ts';
import { type AnyOp, isLocalId, localIdsOf } from '../../../../shared/model/edits/collection-ops.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { Emitter } from '../../common/emitter.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Job, JobKind, Lane } from '../../scheduler/job-kind.ts';
import { DONE, failureOf, type JobResult } from '../../scheduler/job-result.ts';
import { guardedClient } from '../../sites/guarded-client.ts';
import type { SiteBreakers } from '../../sites/site-breakers.ts';
import { siteError } from '../../sites/site-wide-cause.ts';
import { sqliteCodeOf } from '../../store/database.ts';
import type { EditJournal, OpenEntity } from '../journal/edit-journal.ts';
import type { EditRecord, EntityKind } from '../journal/edit-row.ts';
import { AttemptNotes } from './attempt-notes.ts';
import {
  afterReplay,
  type FailedRecords,
  type OpenOp,
  openOpsOf,
  recordAfterFailure,
  withIdsOf,
} from './record-replay.ts';
import { Replays, type ReplaysTools } from './replays.ts';
import type { SendingLocks } from './sending-locks.ts';
import { acceptingUnanswered } from './unanswered.ts';

export interface EditJobTools extends ReplaysTools {
  breakers: SiteBreakers;
  /** Libraries to which no edit is sent while a command changes many edits. */
  locks: SendingLocks;
  logger: Logger;
  /** Throws `AppError` when the site is not known or not signed in. */
  clientFor(siteId: string): SiteClient;
  /** Resolves when the site answers; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
}

/** One item or collection: its open edits are sent together, in order. */
interface EditJob extends Job {
  readonly siteId: string;
  readonly entityKind: EntityKind;
  readonly entityId: string;
}

/** The name of the lane. */
export const EDIT_LANE = 'edit';
/** The maximum number of items and collections whose edits are sent at the same time: to all libraries, and to one. */
const EDITS_AT_ONCE = 8;
const EDITS_PER_SITE = 4;
/** Closing a site's breaker wakes this lane; the minute is a fallback. */
const CLOSED_AGAIN_MS = 60_000;
/** No edit waits longer than the longest step of the backoff: a later time means that the clock was set. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/**
 * Sends the edits of the journal: each job brings one item or collection to the wanted values, see `Replays`. The collections of a
 * library are sent one after the other, because their order can matter.
 */
export class EditJobs implements JobKind<EditJob> {
  readonly name = EDIT_LANE;
  /** An attempt ended and is recorded, whatever its result. */
  readonly onDidAttempt = new Emitter<{ siteId: string; entityId: string }>();
  /** Libraries of which a collection is being sent. */
  readonly #collectionsOf = new Set<string>();
  readonly #tools: EditJobTools;
  readonly #lane: Lane;
  readonly #notes: AttemptNotes;
  readonly #replays: Replays;
  readonly #perSite = new Map<string, number>();
  readonly #running = new Set<string>();

  constructor(tools: EditJobTools, lane: Lane) {
    this.#tools = tools;
    const { journal, clock, logger } = tools;
    this.#notes = new AttemptNotes({ store: journal.store, clock, logger });
    this.#replays = new Replays(tools, this.#notes);
    this.#lane = lane;
  }

  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  /** Wakes the lane: edits were added or released. May be called during a transaction. */
  wakeSoon(): void {
    this.#lane.wakeIn(0);
  }

  slots(): number {
    return EDITS_AT_ONCE;
  }

  due(free: number): EditJob[] {
    const jobs: EditJob[] = [];
    const now = this.#tools.clock.now();
    const full = new Set<string>();
    const { journal, locks } = this.#tools;
    for (const entity of inOrder(journal)) {
      if (jobs.length >= free) break;
      if (full.has(entity.siteId) || !isDue(entity, now) || this.#running.has(entity.key)) continue;
      if (locks.isLocked(entity.siteId)) continue;
      const isCollection = entity.entityKind === 'collection';
      if (journal.isWaiting(entity) || (isCollection && this.#collectionsOf.has(entity.siteId))) continue;
      if (!this.#mayBegin(entity.siteId)) {
        full.add(entity.siteId);
        continue;
      }
      this.#perSite.set(entity.siteId, (this.#perSite.get(entity.siteId) ?? 0) + 1);
      this.#running.add(entity.key);
      if (isCollection) this.#collectionsOf.add(entity.siteId);
      const { key: id, siteId, entityKind, entityId } = entity;
      jobs.push({ id, siteId, entityKind, entityId });
    }
    return jobs;
  }

  nextInMs(): number | null {
    const { journal, clock, breakers } = this.#tools;
    if (journal.openCount === 0) return null;
    const now = clock.now();
    let nextAt = Number.POSITIVE_INFINITY;
    for (const entity of journal.openEntities()) {
      if (!entity.isBlocked && entity.nextAt !== null && entity.nextAt > now) nextAt = Math.min(nextAt, entity.nextAt);
    }
    const waits = breakers.blockedSites().length > 0 ? [CLOSED_AGAIN_MS] : [];
    if (Number.isFinite(nextAt)) waits.push(nextAt - now);
    return waits.length === 0 ? null : Math.min(...waits);
  }

  async run(job: EditJob, signal: AbortSignal): Promise<JobResult<FailedRecords>> {
    const { siteId, entityKind, entityId } = job;
    const { journal, clock } = this.#tools;
    const all = journal.openOf(siteId, entityId, entityKind);
    const records = sendableRecords(all);
    const behind = all.slice(records.length);
    const idOf = (id: string) => journal.idOf(id);
    const dropped = journal.store.unansweredOf(siteId, entityId, entityKind);
    const open = acceptingUnanswered(openOpsOf(records), { dropped, behind }).map((each) => withIdsOf(each, idOf));
    if (open.length === 0) return this.#refuseUnreadable(records);
    const unresolved = netOpsOf(open.map(({ op }) => op)).some(namesUncreated);
    if (unresolved || namesUncreatedEntity(entityId, open)) {
      const error = appError('edit.collection-not-created');
      const seqs = open.filter(({ op }) => !unresolved || namesUncreated(op)).map(({ seq }) => seq);
      return failureOf(error, { seqs, usesRetry: false });
    }
    try {
      const sending = { ...job, records, open };
      const { replay, rebase, announce, created } = await this.#replays.send(sending, this.#clientFor(siteId), signal);
      const now = journal.openOrStoringOf(siteId, entityId, entityKind);
      const taken = new Set(records.map(({ seq }) => seq));
      const undos = new Map(records.map(({ groupSeq }) => [groupSeq, journal.store.groupBySeq(groupSeq)?.undoes]));
      const wasSent = ({ seq }: EditRecord) => records.some((each) => each.seq === seq && each.sentAt !== null);
      const isUndo = ({ groupSeq }: EditRecord) => typeof undos.get(groupSeq) === 'string';
      const changes = afterReplay(
        now.filter(({ seq }) => taken.has(seq)),
        open,
        replay,
        { behind: now.filter(({ seq }) => !taken.has(seq)), rebase, isUndo, wasSent, now: clock.now() },
      );
      journal.record(changes, { created });
      this.#notes.read(replay, dropped);
      if (created !== null) {
        this.#replays.noteRecorded(job);
        this.#notes.syncSoon();
      }
      announce();
      if (replay.failure === null) return DONE;
      const { positions, error } = replay.failure;
      return await this.#failure(
        siteId,
        error,
        positions.flatMap((position) => open[position]?.seq ?? []),
      );
    } catch (error) {
      if (signal.aborted) return DONE;
      if (sqliteCodeOf(error) !== null) throw error;
      return await this.#failure(
        siteId,
        toAppError(error),
        records.map(({ seq }) => seq),
      );
    }
  }

  record({ id, siteId, entityKind, entityId }: EditJob, result: JobResult<FailedRecords>): void {
    if (result.kind === 'retry' || result.kind === 'ask' || result.kind === 'failed') {
      const { clock, journal } = this.#tools;
      const now = clock.now();
      const seqs = new Set(result.counted.seqs);
      const changes = journal.store
        .openOf(siteId, entityId, entityKind)
        .filter(({ seq, state }) => state === 'pending' && seqs.has(seq))
        .map((before) => ({ before, after: recordAfterFailure(before, result, now) }));
      journal.record(changes);
    }
    this.#running.delete(id);
    if (entityKind === 'collection') this.#collectionsOf.delete(siteId);
    this.#perSite.set(siteId, Math.max(0, (this.#perSite.get(siteId) ?? 0) - 1));
    this.#tools.logger.debug('edit.attempted', { id, result: result.kind });
    this.onDidAttempt.emit({ siteId, entityId });
  }

  /**
   * Returns whether a job of a site may start: its breaker is closed and it has less than the maximum of jobs. Half-open: only
   * one job, a probe.
   */
  #mayBegin(siteId: string): boolean {
    const { breakers } = this.#tools;
    const running = this.#perSite.get(siteId) ?? 0;
    if (breakers.isOpen(siteId) || running >= EDITS_PER_SITE) return false;
    return !breakers.halfOpenSites().has(siteId) || running === 0;
  }

  #clientFor(siteId: string): SiteClient {
    const { clientFor, breakers, journal } = this.#tools;
    return guardedClient(clientFor(siteId), siteId, { breakers, journal: journal.store });
  }

  /** Refuses records that this version can't read; they are kept and never sent. */
  #refuseUnreadable(records: readonly EditRecord[]): JobResult<FailedRecords> {
    const { journal } = this.#tools;
    const changes = records
      .filter(({ ops }) => ops === null)
      .map((before) => ({ before, after: { ...before, state: 'refused' as const } }));
    journal.record(changes);
    return DONE;
  }

  async #failure(siteId: string, error: AppError, seqs: readonly number[]): Promise<JobResult<FailedRecords>> {
    const { breakers, logger } = this.#tools;
    if (error.code === 'internal') logger.error('edit.failed', { siteId, stack: String(error.cause ?? error.stack) });
    const ofSite = await siteError(siteId, error, this.#tools);
    const disposition = dispositionOf((ofSite ?? error).code);
    // If the site answers, a network error is that of this edit alone.
    const usesRetry = disposition === 'retry' || (ofSite === null && disposition === 'wait-network');
    if (!usesRetry) breakers.report(siteId, (ofSite ?? error).toData());
    return failureOf(ofSite ?? error, { seqs, usesRetry });
  }
}

/** Returns whether an op names a collection that was never created: its creation was dropped. */
function namesUncreated(op: AnyOp): boolean {
  return localIdsOf(op).length > 0;
}

/** Returns whether edits are about a collection that was never created. */
function namesUncreatedEntity(entityId: string, open: readonly OpenOp[]): boolean {
  return isLocalId(entityId) && !open.some(({ op }) => op.kind === 'create-collection');
}

function* inOrder(journal: EditJournal): Generator<OpenEntity> {
  yield* journal.urgentEntities();
  yield* journal.openEntities();
}

/**
 * Returns the records that can be sent: those before the first record that waits for a decision or that this version can't read.
 * If an unreadable record is the first, it is returned alone, to be refused.
 */
function sendableRecords(records: readonly EditRecord[]): EditRecord[] {
  const end = records.findIndex(({ state, ops }) => state !== 'pending' || ops === null);
  if (end < 0) return [...records];
  const [first] = records;
  if (end === 0 && first?.state === 'pending') return [first];
  return records.slice(0, end);
}

function isDue({ isBlocked, nextAt }: OpenEntity, now: number): boolean {
  return !isBlocked && (nextAt === null || nextAt <= now || nextAt > now + LONGEST_WAIT_MS);
}
