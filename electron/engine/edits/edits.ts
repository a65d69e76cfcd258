import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MediaItem } from '../../../shared/api/media.ts';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { EventData } from '../../../shared/contract/contract.ts';
import type { EditSelection, EditTotals } from '../../../shared/contract/edits.ts';
import type { MediaQuery } from '../../../shared/contract/library.ts';
import { type EditableMedia, type EditOp, editableOf } from '../../../shared/model/edits/edit-ops.ts';
import type { SiteClient } from '../api/http-client.ts';
import { Emitter } from '../common/emitter.ts';
import { DeletionProgress } from '../library/collections/deletion-progress.ts';
import type { NewCollections } from '../library/collections/new-collections-port.ts';
import type { LibraryEdits } from '../library/edit-port.ts';
import type { Mirrors } from '../mirror/mirrors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { SiteBreakers } from '../sites/site-breakers.ts';
import type { Database } from '../store/database.ts';
import { AppliedEdits } from './apply-edits.ts';
import { BulkEdits } from './commands/bulk-edits.ts';
import { EditCommands } from './commands/edit-commands.ts';
import { PlanCache } from './commands/plan-cache.ts';
import { type Plan, readSelectedItems, type SelectedItems, type SelectionLimit } from './commands/plan-selection.ts';
import { Restorations, type UploadedItems } from './commands/restore-as-new.ts';
import { SlicedCommands } from './commands/sliced-commands.ts';
import { type EditHandlers, type EditHandlerTools, editHandlers } from './edit-handlers.ts';
import { EditJournal, type OpenEntity } from './journal/edit-journal.ts';
import { EditNumbers } from './journal/edit-numbers.ts';
import { EditStore } from './journal/edit-store.ts';
import { effectiveOf, pendingOpsOf } from './journal/effective-items.ts';
import { newCollectionsOf } from './journal/new-collections.ts';
import { EditsOfLibrary } from './library-edits.ts';
import { EditJobs, type EditJobTools } from './replay/edit-jobs.ts';
import type { ReadCollection } from './replay/replays.ts';
import { SendingLocks } from './replay/sending-locks.ts';
import { EditFeed } from './reports/edit-feed.ts';
import { Overlays } from './reports/overlays.ts';

export interface EditsOptions {
  database: Database;
  clock: Clock;
  random: Random;
  logger: Logger;
  breakers: SiteBreakers;
  mirrors: Mirrors;
  clientFor(siteId: string): SiteClient;
  /** Resolves when the site answers; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
  /** The library's identifier of the user of an account; null when the library did not report it. */
  userIdOf(siteId: string): string | null;
  itemsOf(query: MediaQuery): AsyncIterable<MediaItem>;
  /** The items that uploads create, so that no edit uses one of them as its own. */
  uploads: UploadedItems;
  /** Edits that a drop of many changes in one slice; tests use many slices of few edits. */
  sliceRows?: number;
  /** Sends the edits, in a lane of its own. */
  scheduler: Pick<Scheduler, 'add'>;
  /** Starts the lane, if it does not run yet. */
  startLane(): void;
  /** An item of a library changed; null: its collections. */
  onChanged(siteId: string, entityId: string | null): void;
  /** A collection was read from the library after its edits were sent. */
  onCollectionRead(siteId: string, collectionId: string, read: ReadCollection): void;
}

export interface Edits {
  handlers: EditHandlers;
  feed: EditFeed;
  onDidProgress: Emitter<EventData<'onDidProgressEditPlan'>>;
  /** For the library's calls. */
  ofLibrary: LibraryEdits;
  /** For uploads into collections that are not in the library yet. */
  newCollections: NewCollections;
  onDidProgressDeletion: Emitter<EventData<'onDidProgressDeletion'>>;
  /** For imports: reads items as the user sees them, and keeps a plan for `edits.plan` and `edits.apply`. */
  readItems(selection: EditSelection, limit?: SelectionLimit): Promise<SelectedItems>;
  keepPlan(plan: Plan): string;
  /** The values of an item of the library as the user sees them: with the open edits. null: one of them deletes it. */
  effective(siteId: string, item: MediaItem): EditableMedia | null;
  /** Whether an item has open edits, also those that are being stored. */
  hasOpen(siteId: string, mediaId: string): boolean;
  /** Returns whether any edit of an item, in whatever state, had an op of one of these kinds. */
  hadOp(siteId: string, mediaId: string, kinds: readonly EditOp['kind'][]): boolean;
  /** Whether an edit created an item of the library, in any of its accounts. */
  hasCreatedItem(siteId: string, mediaId: string): boolean;
  /**
   * Shows pending edits in the copies of the libraries, and continues undos, redos and drops that a crash interrupted. Called once
   * the copies are open, and before anything is sent.
   */
  resume(): void;
  /** Resolves when no edit can be sent without the user or a library that can't be reached now. */
  whenIdle(): Promise<void>;
  /** Resolves when each edit waits: like `whenIdle`, or until the time of its next attempt. */
  whenWaiting(): Promise<void>;
  /** Open edits of one account by state. */
  unsentOf(siteId: string): EditTotals;
  /**
   * Refuses all edits of a site that would be sent without a decision, once none of them is being sent. The site is on hold. Returns
   * their number.
   */
  refuseAll(siteId: string, error: AppErrorData): Promise<number>;
  /** The account of a site changed. */
  forgetSite(siteId: string): void;
  stop(): void;
}

/** An edit that is tried again sooner is not one that waits. The first step of the backoff is longer. */
const SHORT_WAIT_MS = 2000;

/** Wires the journal of edits, the lane that sends them, and the calls about them. */
export function createEdits(options: EditsOptions): Edits {
  const { database, clock, breakers, mirrors } = options;
  const journal = new EditJournal(new EditStore(database), options);
  const plans = new PlanCache(clock);
  const onDidProgress = new Emitter<EventData<'onDidProgressEditPlan'>>();
  const deletions = new DeletionProgress();
  const locks = new SendingLocks();
  const pendingOps = (siteId: string, entityId: string) => pendingOpsOf(journal, siteId, entityId);
  const waitsFor = (siteId: string): AppErrorData | null => breakers.errorOf(siteId);
  // A cycle at run time: edits that are waited for need the lane that sends them, and the lane reports what it sent.
  const reports = sentReports(options, { applied: () => applied, ofLibrary: () => ofLibrary });
  const jobs = options.scheduler.add(
    (lane) => new EditJobs({ ...options, journal, deletions, locks, ...reports }, lane),
  );
  const onProgress = (listener: () => void) => {
    const ends = [jobs.onDidAttempt.on(listener), breakers.onDidOpen.on(listener), locks.onDidUnlock.on(listener)];
    return () => {
      for (const end of ends) end();
    };
  };
  const isRunning = (key: string) => jobs.isRunning(key);
  const whenNoneIsDue = (isLater: (entity: OpenEntity) => boolean) =>
    until(onProgress, () => {
      for (const entity of journal.openEntities()) {
        const mustWait = entity.isBlocked || journal.isWaiting(entity) || breakers.isOpen(entity.siteId);
        if (isRunning(entity.key) || !(mustWait || isLater(entity))) return false;
      }
      return true;
    });
  const whenNotRunning = (keys: readonly string[]) => until(onProgress, () => !keys.some(isRunning));
  const commandTools = {
    journal,
    clock,
    locks,
    isRunning,
    whenNotRunning,
    wake: () => jobs.wakeSoon(),
    onUnanswered: (siteId: string) => options.onChanged(siteId, null),
    shownItem(siteId: string, mediaId: string) {
      const item = mirrors.items(siteId, [mediaId]).get(mediaId);
      return item === undefined ? null : editableOf(item);
    },
  };
  const commands = new EditCommands(commandTools);
  const numbers = new EditNumbers(database);
  const bulk = new BulkEdits(commands, { ...options, ...commandTools, numbers });
  const sliced = new SlicedCommands(commands, { ...options, journal, numbers });
  const start = () => {
    options.startLane();
    jobs.wakeSoon();
  };
  const applied = new AppliedEdits({ journal, commands, waitsFor, onProgress, start });
  const ofLibrary = new EditsOfLibrary({ ...options, journal, commands, applied, deletions });
  const feed = new EditFeed({ ...options, journal, waitsFor });
  const overlays = new Overlays(journal, mirrors);
  const disconnect = connect({ options, journal, plans, overlays, feed, jobs, locks, ofLibrary });

  const tools: EditHandlerTools = {
    ...options,
    journal,
    commands,
    bulk,
    sliced,
    applied,
    ofLibrary,
    plans,
    start,
    waitsFor,
    pendingOps,
    restorations: new Restorations(),
    onProgress: (progress) => onDidProgress.emit(progress),
    onDidEdit: (listener) =>
      journal.onDidChange.on((changes) => {
        for (const { siteId, entityKind, entityId } of changes) if (entityKind === 'media') listener(siteId, entityId);
      }),
  };
  return {
    handlers: editHandlers(tools),
    readItems: (selection, limit) => readSelectedItems(selection, tools, limit),
    keepPlan(plan) {
      const planId = options.random.uuid();
      plans.keep(planId, plan);
      return planId;
    },
    effective: (siteId, item) => effectiveOf(journal, siteId, item),
    hasOpen: (siteId, mediaId) => journal.openOrStoringOf(siteId, mediaId).length > 0,
    hadOp: (siteId, mediaId, kinds) => journal.store.hadOp(siteId, mediaId, kinds),
    hasCreatedItem: (siteId, mediaId) => journal.store.hasCreated(siteId, mediaId, 'media'),
    feed,
    onDidProgress,
    ofLibrary,
    newCollections: newCollectionsOf(journal),
    onDidProgressDeletion: deletions.onDidProgress,
    resume() {
      overlays.noteAll();
      bulk.resume();
    },
    whenIdle: () => whenNoneIsDue(() => false),
    whenWaiting: () => whenNoneIsDue(({ nextAt }) => nextAt !== null && nextAt > clock.now() + SHORT_WAIT_MS),
    unsentOf: (siteId) => journal.store.totals(siteId),
    async refuseAll(siteId, error) {
      const ofSite = [...journal.openEntities()].filter((entity) => entity.siteId === siteId);
      await whenNotRunning(ofSite.map(({ key }) => key));
      let refused = await sliced.refuseAll(siteId, error);
      // A large edit is stored in parts, and is open when all are stored.
      while (journal.isStoring) await nextTurn();
      refused += await sliced.refuseAll(siteId, error);
      return refused;
    },
    forgetSite: (siteId) => ofLibrary.forgetSite(siteId),
    stop() {
      disconnect();
      bulk.stop();
      sliced.stop();
      applied.stop();
      overlays.stop();
      feed.dispose();
    },
  };
}

/** Reports sent edits: to the caller who waits for them, otherwise to the screens. */
function sentReports(
  options: EditsOptions,
  { applied, ofLibrary }: { applied(): AppliedEdits; ofLibrary(): EditsOfLibrary },
): Pick<EditJobTools, 'onWritten' | 'onRead' | 'onCollectionRead'> {
  return {
    onWritten: (siteId, entityId, change) => ofLibrary().noteWritten(siteId, entityId, change),
    onRead(siteId, entityId, item) {
      if (item === null) ofLibrary().forget(siteId, entityId);
      // The caller of a single edit shows the item and announces the change; other views have not seen the new values.
      if (!applied().isAwaited(siteId, entityId, 'media')) options.onChanged(siteId, entityId);
      else if (item !== null) ofLibrary().noteSeen(siteId, item);
    },
    onCollectionRead(siteId, collectionId, read) {
      options.onCollectionRead(siteId, collectionId, read);
      if (!applied().isAwaited(siteId, collectionId, 'collection')) options.onChanged(siteId, null);
    },
  };
}

/**
 * Keeps plans, overlays and lists up to date with the journal, and wakes the lane. Returns a function that ends all of these
 * subscriptions.
 */
function connect(parts: {
  options: EditsOptions;
  journal: EditJournal;
  plans: PlanCache;
  overlays: Overlays;
  feed: EditFeed;
  jobs: EditJobs;
  locks: SendingLocks;
  ofLibrary: EditsOfLibrary;
}): () => void {
  const { options, journal, plans, overlays, feed, jobs, locks, ofLibrary } = parts;
  const { mirrors, breakers } = options;
  const ends = [
    mirrors.onDidRebuild((siteId) => {
      plans.forgetItems();
      overlays.noteSite(siteId);
    }),
    journal.onDidChange.on((changes) => {
      plans.forgetItems();
      for (const { siteId, entityKind, entityId } of changes) {
        if (entityKind === 'media') overlays.note(siteId, entityId);
        else ofLibrary.noteCollectionChange(siteId);
      }
      const touched = new Set(changes.flatMap((each) => (each.entityKind === 'collection' ? [each.siteId] : [])));
      for (const siteId of touched) options.onChanged(siteId, null);
      // Edits that waited for a group that could not be stored can be sent now.
      jobs.wakeSoon();
    }),
    breakers.onDidOpen.on(() => feed.touchOpenGroups()),
    breakers.onDidClose.on(() => feed.touchOpenGroups()),
    locks.onDidUnlock.on(() => jobs.wakeSoon()),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Resolves when the condition is met, which is checked at every progress. */
function until(onProgress: (listener: () => void) => () => void, isMet: () => boolean): Promise<void> {
  if (isMet()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = onProgress(() => {
      if (!isMet()) return;
      end();
      resolve();
    });
  });
}
