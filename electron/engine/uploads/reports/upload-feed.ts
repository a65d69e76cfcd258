import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import type { EventData } from '../../../../shared/contract/contract.ts';
import type { Disposition } from '../../../../shared/contract/errors/catalog-entry.ts';
import { dispositionOf } from '../../../../shared/contract/errors/error-catalog.ts';
import type { ListedBatch, UploadRow, UploadTotals } from '../../../../shared/contract/uploads.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { pendingOf } from '../../../../shared/model/uploads/upload-counts.ts';
import { isDelivered } from '../../../../shared/model/uploads/upload-machine.ts';
import { isEnded, OPEN_UPLOAD_STATES } from '../../../../shared/model/uploads/upload-states.ts';
import { Emitter } from '../../common/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { whenStoreWorks } from '../../scheduler/when-store-works.ts';
import type { SiteBreakers } from '../../sites/site-breakers.ts';
import type { LiveTransfer, Transfers } from '../delivery/transfers.ts';
import type { BatchRecord, BatchStore } from '../journal/batch-store.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import type { DeadlineKeeper } from '../pacing/deadline-keeper.ts';
import type { Pacing } from '../pacing/pacing.ts';
import type { QueuePause } from '../pacing/queue-pause.ts';
import { UNUSUALLY_LONG_MS } from '../processing/poll-schedule.ts';
import { type LiveBytes, listedBatch } from './batch-report.ts';
import { shownFollowUp } from './shown-follow-up.ts';

type UploadsChanged = EventData<'onDidChangeUploads'>;

export interface FeedTools {
  store: UploadStore;
  batches: BatchStore;
  journal: UploadJournal;
  transfers: Transfers;
  breakers: SiteBreakers;
  clock: Clock;
  logger: Logger;
  pause: QueuePause;
  pacing: Pacing;
  deadlines: DeadlineKeeper;
}

type ShownCollection = Pick<UploadRow, 'collectionId' | 'collectionName'>;

/** The causes for which all uploads of a site wait together. */
const SITE_WIDE: ReadonlySet<Disposition> = new Set(['wait-network', 'wait-site', 'wait-keychain', 'sign-in']);
const MOVING = { blockedBy: null, blockedSiteId: null } as const;
/** The interval of ticks while rows change. */
const INTERVAL_MS = 100;
/** The maximum number of changed rows that one tick sends; with more, the screens read the rows again. */
const MOST_ROWS = 200;
/** The maximum number of changed batches that one tick sends; with more, the screens load all of them. */
const MOST_BATCHES = 200;

/** Rows and totals as a screen shows them: the stored values combined with the running transfers. */
export class UploadFeed {
  readonly onDidChange = new Emitter<UploadsChanged>();
  readonly #tools: FeedTools;
  readonly #changed = new Set<string>();
  /** The collections of batches, once they are resolved. */
  readonly #collections = new Map<string, ShownCollection>();
  readonly #unsubscribe: readonly (() => void)[];
  readonly #changedBatches = new Set<string>();
  /** Batches that had open transfers at the last tick. */
  #liveBatches: string[] = [];
  #structure = false;
  #relist = false;
  #cancelTick: (() => void) | null = null;
  #cancelRetry: (() => void) | null = null;

  constructor(tools: FeedTools) {
    this.#tools = tools;
    this.#unsubscribe = [
      tools.journal.onDidChange.on(({ before, after }) => {
        if (before !== after.state) this.#structure = true;
        this.#changedBatches.add(after.batchId);
        this.touch(after.id);
      }),
      tools.journal.onDidChangeStoreFault.on(() => this.touchTotals()),
      // A list or an edit can detect why the uploads of a site wait: no row changes, but all of them show the reason.
      tools.breakers.onDidChangeReason.on(() => this.touchOrder()),
      // The totals change although no row does when nothing can start, for example in a paused queue.
      tools.breakers.onDidClose.on(() => this.touchTotals()),
    ];
  }

  /**
   * Returns the error that a row shows: the cause that its whole site waits for comes before the error of its own last request.
   */
  #errorOf(upload: Upload): AppErrorData | null {
    const { error, state } = upload;
    if (error === null || state !== 'waiting' || !SITE_WIDE.has(dispositionOf(error.code))) return error;
    return this.#tools.breakers.errorOf(upload.siteId) ?? error;
  }

  /** Records that a row made progress; it is sent with the next tick. */
  touch(id: string): void {
    this.#changed.add(id);
    this.touchTotals();
  }

  touchTotals(): void {
    this.#cancelTick ??= this.#tools.clock.schedule(INTERVAL_MS, () => this.#tick());
  }

  /** Notes that rows were moved or cleared: the screens load their lists again. */
  touchOrder(): void {
    this.#structure = true;
    this.#relist = true;
    this.touchTotals();
  }

  dispose(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#cancelTick?.();
    this.#cancelRetry?.();
  }

  row(upload: Upload): UploadRow {
    const live = this.#tools.transfers.get(upload.id);
    const speed = upload.state === 'sending' ? (live?.speed.bytesPerSecond() ?? null) : null;
    const sentBytes = sentBytesOf(upload, live?.sentBytes);
    return {
      id: upload.id,
      batchId: upload.batchId,
      siteId: upload.siteId,
      ...this.#collectionOf(upload.batchId),
      path: upload.path,
      fileName: upload.fileName,
      sizeBytes: upload.sizeBytes,
      mtimeMs: upload.mtimeMs,
      title: upload.title,
      state: upload.state,
      priority: upload.priority,
      sentBytes,
      bytesPerSecond: speed,
      secondsLeft: speed !== null && speed > 0 ? (upload.sizeBytes - sentBytes) / speed : null,
      attempts: upload.retries,
      // Uploads of a missing drive wait for its return, not until a time.
      nextAttemptAt: dispositionOf(upload.error?.code ?? '') === 'wait-disk' ? null : upload.nextAttemptAt,
      mediaId: upload.mediaId,
      fileId: upload.fileId,
      sha256: upload.sha256,
      error: this.#errorOf(upload),
      notice: live?.gate.isHeldBy('schedule')
        ? this.#tools.pacing.notice()
        : (this.#tools.deadlines.notice(upload) ??
          slowProcessing(upload) ??
          restartNotice(upload, live) ??
          moveNotice(upload) ??
          upload.titleNotice),
      movedFrom: upload.movedFrom,
      followUps: upload.followUps.map(shownFollowUp),
      ...(upload.addition === null ? {} : { addition: upload.addition }),
      addedAt: upload.addedAt,
      endedAt: upload.endedAt,
    };
  }

  totals(): UploadTotals {
    const { journal, pause, pacing } = this.#tools;
    const { counts, duplicates } = journal.tally(null);
    const { totalBytes, sentBytes: deliveredBytes } = journal.work;
    let moving = 0;
    let bytesPerSecond = 0;
    for (const live of this.#liveBytes().values()) {
      moving += live.sentBytes;
      bytesPerSecond += live.bytesPerSecond;
    }
    const sentBytes = Math.min(totalBytes, deliveredBytes + moving);
    return {
      counts: { ...counts },
      totalBytes,
      sentBytes,
      bytesPerSecond,
      secondsLeft: bytesPerSecond > 0 ? (totalBytes - sentBytes) / bytesPerSecond : null,
      paused: pause.isIndefinite || pause.until !== null,
      pausedUntil: pause.until,
      limitBytesPerSecond: pacing.activeLimit.bytesPerSecond,
      limitUntil: pacing.activeLimit.until,
      followUps: { ...journal.followUps },
      duplicates,
      ...(pendingOf(counts) > 0 ? this.#standstill() : MOVING),
    };
  }

  /** Returns every batch with listed rows, the newest first. */
  outline(): ListedBatch[] {
    const listed = new Set(this.#tools.journal.listedBatches());
    const live = this.#liveBytes();
    return this.#tools.batches
      .newest(-1)
      .filter(({ id }) => listed.has(id))
      .map((batch) => this.#listedBatch(batch, live));
  }

  #listedBatches(ids: ReadonlySet<string>, live: ReadonlyMap<string, LiveBytes>): ListedBatch[] {
    return [...ids].flatMap((id) => {
      const batch = this.#tools.batches.get(id);
      return batch === null ? [] : [this.#listedBatch(batch, live)];
    });
  }

  #listedBatch(batch: BatchRecord, live: ReadonlyMap<string, LiveBytes>): ListedBatch {
    const { journal } = this.#tools;
    const work = journal.workOf(batch.id);
    return listedBatch(batch, journal.tally(batch.id), { work, live: live.get(batch.id) });
  }

  /** Returns the sums of the open transfers by batch. */
  #liveBytes(): Map<string, LiveBytes> {
    const { transfers, store } = this.#tools;
    const byBatch = new Map<string, LiveBytes>();
    for (const [id, live] of transfers.entries()) {
      const upload = store.get(id);
      if (upload === null) continue;
      const sum = byBatch.get(upload.batchId) ?? { sentBytes: 0, bytesPerSecond: 0 };
      // An aborted transfer starts again; a delivered one is counted by its row.
      const isCounted = !isEnded(upload.state) && !isDelivered(upload) && !live.isEnding();
      if (isCounted) sum.sentBytes += Math.min(live.sentBytes, upload.sizeBytes);
      if (!live.gate.isHeld()) sum.bytesPerSecond += live.speed.bytesPerSecond() ?? 0;
      byBatch.set(upload.batchId, sum);
    }
    return byBatch;
  }

  /** Returns what blocks the whole queue. One account's open breaker does not count while another one's uploads continue. */
  #standstill(): Pick<UploadTotals, 'blockedBy' | 'blockedSiteId'> {
    const { breakers, journal } = this.#tools;
    const reason = breakers.reason();
    if (reason !== null && !journal.hasOpen(OPEN_UPLOAD_STATES, breakers.blockedSites())) {
      return { blockedBy: reason.error, blockedSiteId: reason.siteId };
    }
    return { blockedBy: journal.storeFault, blockedSiteId: null };
  }

  #tick(): void {
    this.#cancelTick = null;
    // Changes stay recorded, and are sent when the database can be read again.
    this.#cancelRetry?.();
    this.#cancelRetry = whenStoreWorks(
      this.#tools,
      'feed',
      () => this.#tellChanges(),
      () => this.touchTotals(),
    );
  }

  #tellChanges(): void {
    const ids = [...this.#changed];
    const tooMany = ids.length > MOST_ROWS;
    const shown = tooMany ? ids.filter((id) => this.#tools.transfers.get(id) !== undefined) : ids;
    const rows = shown.flatMap((id) => {
      const upload = this.#tools.store.get(id);
      return upload ? [this.row(upload)] : [];
    });
    const live = this.#liveBytes();
    // A batch whose transfers have ended is sent once more, because its speed is zero now.
    const batchIds = new Set([...this.#changedBatches, ...this.#liveBatches, ...live.keys()]);
    const batches = batchIds.size > MOST_BATCHES ? [] : this.#listedBatches(batchIds, live);
    const structure = this.#structure || tooMany;
    const relist = this.#relist || tooMany;
    const totals = this.totals();
    this.#changed.clear();
    this.#changedBatches.clear();
    this.#liveBatches = [...live.keys()];
    this.#structure = false;
    this.#relist = false;
    const outline = batchIds.size > MOST_BATCHES;
    this.onDidChange.emit({ rows, batches, totals, structure, relist, outline });
    // Running transfers are sent with every tick: a stalled one reports no progress, but its speed falls.
    for (const [id, live] of this.#tools.transfers.entries()) if (!live.gate.isHeld()) this.#changed.add(id);
    if (this.#changed.size > 0) this.#cancelTick = this.#tools.clock.schedule(INTERVAL_MS, () => this.#tick());
  }

  #collectionOf(batchId: string): ShownCollection {
    const known = this.#collections.get(batchId);
    if (known !== undefined) return known;
    const { collectionId, collectionName } = this.#tools.batches.get(batchId) ?? {
      collectionId: '',
      collectionName: '',
    };
    if (collectionId !== '') this.#collections.set(batchId, { collectionId, collectionName });
    return { collectionId, collectionName };
  }
}

function moveNotice({ movedFrom, path }: Upload): AppErrorData | null {
  return movedFrom === null ? null : appError('file.followed', { details: { from: movedFrom, path } }).toData();
}

/**
 * Returns the notice about a transfer that was paused for longer than destinations permit: its sent bytes do not count any more.
 */
function restartNotice({ state, sendStartedAt, sentAt }: Upload, live: LiveTransfer | undefined): AppErrorData | null {
  const isIdle = (state === 'paused' || state === 'queued') && live === undefined;
  return isIdle && sendStartedAt !== null && sentAt === null ? appError('upload.starts-again').toData() : null;
}

function sentBytesOf(upload: Upload, live: number | undefined): number {
  if (isDelivered(upload) || upload.state === 'complete') return upload.sizeBytes;
  return Math.min(live ?? 0, upload.sizeBytes);
}

/**
 * Returns the notice about a file that the library processes for very long: this is no error, but the user may ask its
 * administrator.
 */
function slowProcessing({ state, watchedMs, mediaId, fileId }: Upload): AppErrorData | null {
  if (state !== 'processing' || watchedMs < UNUSUALLY_LONG_MS) return null;
  const minutes = Math.floor(watchedMs / 60_000);
  return appError('upload.processing-slow', { details: { mediaId, fileId, minutes } }).toData();
}
