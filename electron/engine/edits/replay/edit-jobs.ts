import type { Collection } from '../../../../shared/api/collections.ts';
import type { MediaItem } from '../../../../shared/api/media.ts';
import type { PodcastDetails } from '../../../../shared/api/podcasts.ts';
import { type AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/errors/error-catalog.ts';
import { netOpsOf } from '../../../../shared/model/edits/collection-fold.ts';
import { type AnyOp, isCollectionOp, isLocalId, localIdsOf } from '../../../../shared/model/edits/collection-ops.ts';
import { type EditableMedia, editableOf } from '../../../../shared/model/edits/edit-ops.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { Emitter } from '../../common/emitter.ts';
import type { SentCreation } from '../../library/collections/create-collection-once.ts';
import type { DeletionProgress } from '../../library/collections/deletion-progress.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Job, JobKind, Lane } from '../../scheduler/job-kind.ts';
import { DONE, failureOf, type JobResult } from '../../scheduler/job-result.ts';
import { guardedClient } from '../../sites/guarded-client.ts';
import type { SiteBreakers } from '../../sites/site-breakers.ts';
import { sqliteCodeOf } from '../../store/database.ts';
import type { EditJournal, OpenEntity } from '../journal/edit-journal.ts';
import { begunItemsOf, type EditRecord, type EntityKind, sentCreationsOf } from '../journal/edit-row.ts';
import { withValues } from '../journal/effective-items.ts';
import { AttemptNotes } from './attempt-notes.ts';
import {
  acceptedOf,
  afterFailure,
  afterReplay,
  type FailedRecords,
  type OpenOp,
  openOpsOf,
  otherBasesByPosition,
  type Rebase,
  rebaseOnCollection,
  rebaseOnItem,
  sentBefore,
  sentOps,
  withIdsOf,
  withWritten,
} from './record-replay.ts';
import { replayCollection } from './replay-collection.ts';
import { type ItemReplay, type Replay, replayItem } from './replay-item.ts';
import type { SendingLocks } from './sending-locks.ts';
import { acceptingUnanswered } from './unanswered.ts';

export interface EditJobTools {
  journal: EditJournal;
  breakers: SiteBreakers;
  /** Libraries to which no edit is sent while a command changes many edits. */
  locks: SendingLocks;
  clock: Clock;
  logger: Logger;
  mirrors: Mirrors;
  /** Throws `AppError` when the site is not known or not signed in. */
  clientFor(siteId: string): SiteClient;
  /** Resolves when the site answers; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
  /** The library's identifier of the user of an account; null when the library did not report it. */
  userIdOf(siteId: string): string | null;
  /** Edits of an item were sent: returns its values with these edits applied. */
  onWritten(siteId: string, entityId: string, change: (values: EditableMedia) => EditableMedia): void;
  /** An item was read after its edits were sent; null: the library does not have it any more. */
  onRead(siteId: string, entityId: string, item: MediaItem | null): void;
  deletions: DeletionProgress;
  /** A collection was read after its edits were sent. `collection` null: unknown, or no longer in the library. */
  onCollectionRead(siteId: string, collectionId: string, read: ReadCollection): void;
}

/** The values of a collection that a replay read; `podcast` null: its details were not read. */
export interface ReadCollection {
  collection: Collection | null;
  podcast: PodcastDetails | null;
  isGone: boolean;
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
 * Sends the edits of the journal: each job brings one item or collection to the wanted values, see `replayItem` and
 * `replayCollection`. The collections of a library are sent one after the other, because their order can matter.
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
  readonly #perSite = new Map<string, number>();
  readonly #running = new Set<string>();
  /**
   * By job: the id of a collection that this process requested and whose creation is not recorded yet; null: the id is unknown.
   */
  readonly #created = new Map<string, string | null>();

  constructor(tools: EditJobTools, lane: Lane) {
    this.#tools = tools;
    const { journal, clock, logger } = tools;
    this.#notes = new AttemptNotes({ store: journal.store, clock, logger });
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
      const { replay, rebase, announce, created } = await this.#replay(job, records, open, signal);
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
        this.#created.delete(job.id);
        this.#notes.syncSoon();
      }
      const sent = entityKind === 'media' ? sentOps(open, replay) : [];
      if (sent.length > 0) this.#tools.onWritten(siteId, entityId, (values) => sent.reduce(withWritten, values));
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

  /** Sends the ops, and stores the read values in the mirror. The caller calls `announce` once the result is recorded. */
  async #replay(
    { id, siteId, entityKind, entityId }: EditJob,
    records: readonly EditRecord[],
    open: readonly OpenOp[],
    signal: AbortSignal,
  ): Promise<Attempt> {
    const { journal, mirrors, clock, deletions, onRead, onCollectionRead, userIdOf } = this.#tools;
    const client = this.#clientFor(siteId);
    const sent = sentBefore(records, open);
    const accepted = acceptedOf(records, open);
    const otherBases = otherBasesByPosition(open);
    const onAccepted = (positions: readonly number[]) => this.#notes.accepted(open, positions);
    const onSending = (positions: readonly number[]) => {
      const seqs = new Set(positions.map((position) => open[position]?.seq));
      const serverNow = client.serverClock.now() ?? clock.now();
      this.#notes.sending(
        records.filter(({ seq }) => seqs.has(seq)),
        serverNow,
      );
    };
    const tools = { client, signal, sent, otherBases, accepted, onSending, onAccepted, clock };
    if (entityKind === 'media') {
      const ops = open.flatMap(({ op }) => (isCollectionOp(op) ? [] : [op]));
      const { syncWrites } = mirrors.readMoment(siteId);
      const copyOf = () => mirrors.items(siteId, [entityId]).get(entityId);
      const earlier = copyOf();
      const replay = await replayItem(entityId, ops, {
        ...tools,
        userId: userIdOf(siteId),
      });
      const item = itemAfter(open, replay);
      if (item !== null && !isOutdated(replay, earlier, copyOf())) {
        // The item was read after all requests of this computer, but a sync may have stored a later change since it began.
        mirrors.put(siteId, item, { ...mirrors.readMoment(siteId), syncWrites });
      } else if (item === null && replay.failure === null) mirrors.remove(siteId, entityId);
      const announce = () => onRead(siteId, entityId, item);
      return { replay, rebase: rebaseOnItem(replay), created: null, announce };
    }
    deletions.next(siteId);
    const replay = await replayCollection(
      entityId,
      open.flatMap(({ op }) => (isCollectionOp(op) ? [op] : [])),
      {
        ...tools,
        ...{
          earlier: this.#creationsOf(records),
          isOfAnother: (id) => journal.store.hasCreated(siteId, id, 'collection'),
          others: () => this.#otherCreations(siteId, entityId),
          stopDeleting: deletions.signalOf(siteId),
          begunItems: begunItemsOf(records),
        },
        isResumed: !this.#created.has(id),
        knownId: this.#created.get(id) ?? null,
        onCreating: (attempts) => {
          this.#created.set(id, null);
          this.#notes.creating(records, attempts);
        },
        onNotCreated: (earlier) => this.#notes.notCreated(records, earlier),
        onBeginDeleting: (items) => this.#notes.begunDeleting(records, items),
        onDeleted: (deletedItems, items) => deletions.note(siteId, deletedItems, items),
      },
    );
    const { collection, podcast, isGone, createdId: serverId } = replay;
    // The id is kept until it is recorded: with a full disk, the next attempt must not create another collection.
    if (serverId !== null) this.#created.set(id, serverId);
    const created = serverId === null ? null : { siteId, localId: entityId, serverId };
    const announce = () => onCollectionRead(siteId, serverId ?? entityId, { collection, podcast, isGone });
    return { replay, rebase: rebaseOnCollection, created, announce };
  }

  record({ id, siteId, entityKind, entityId }: EditJob, result: JobResult<FailedRecords>): void {
    if (result.kind === 'retry' || result.kind === 'ask' || result.kind === 'failed') {
      const { clock, journal } = this.#tools;
      const now = clock.now();
      const seqs = new Set(result.counted.seqs);
      const changes = journal.store
        .openOf(siteId, entityId, entityKind)
        .filter(({ seq, state }) => state === 'pending' && seqs.has(seq))
        .map((before) => ({ before, after: afterFailure(before, result, now) }));
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

  /** Returns the attempts that may have created a collection. */
  #creationsOf(records: readonly EditRecord[]): readonly SentCreation[] {
    const stored = records.flatMap(({ ops }) => ops ?? []).find(({ op }) => op.kind === 'create-collection');
    return stored === undefined ? [] : sentCreationsOf(stored, (id) => this.#tools.journal.idOf(id));
  }

  /** Returns the attempts to create other collections of a library whose results are not known. */
  #otherCreations(siteId: string, entityId: string): readonly SentCreation[] {
    const { journal } = this.#tools;
    const others = journal.store.openOfCollections(siteId).filter((each) => each.entityId !== entityId);
    return others.flatMap((each) => this.#creationsOf([each]));
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
    const { breakers, logger, probe } = this.#tools;
    if (error.code === 'internal') logger.error('edit.failed', { siteId, stack: String(error.cause ?? error.stack) });
    let usesRetry = dispositionOf(error.code) === 'retry';
    if (dispositionOf(error.code) === 'wait-network') {
      // Only the site itself shows whether the network is gone, or whether it fails with this edit alone.
      usesRetry = await probe(siteId).then(
        () => true,
        () => false,
      );
    }
    if (!usesRetry) breakers.report(siteId, error.toData());
    return failureOf(error, { seqs, usesRetry });
  }
}

/** The result of one attempt. */
interface Attempt {
  replay: Replay;
  /** The rebase of later edits of the same item or collection; null: none. */
  rebase: Rebase | null;
  /** The library's id of a collection that was created. */
  created: { siteId: string; localId: string; serverId: string } | null;
  announce(): void;
}

/** Returns the item after a replay; if it could not be read again, the item before with the sent values. */
function itemAfter(open: readonly OpenOp[], replay: ItemReplay): MediaItem | null {
  const { item, isUnread = false } = replay;
  if (!isUnread || item === null) return item;
  return withValues(item, sentOps(open, replay).reduce(withWritten, editableOf(item)));
}

/** Returns whether an op names a collection that was never created: its creation was dropped. */
function namesUncreated(op: AnyOp): boolean {
  return localIdsOf(op).length > 0;
}

/** Returns whether edits are about a collection that was never created. */
function namesUncreatedEntity(entityId: string, open: readonly OpenOp[]): boolean {
  return isLocalId(entityId) && !open.some(({ op }) => op.kind === 'create-collection');
}

/**
 * Returns whether the mirror has a newer item than a replay that could not read its item again: a sync has changed it since the
 * replay began, to other values than those that the replay read before it sent anything.
 */
function isOutdated(
  { before, isUnread = false }: ItemReplay,
  earlier: MediaItem | undefined,
  known: MediaItem | undefined,
): boolean {
  if (!isUnread || before === null || known === undefined) return false;
  if (JSON.stringify(known) === JSON.stringify(earlier)) return false;
  return JSON.stringify(editableOf(known)) !== JSON.stringify(editableOf(before));
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
