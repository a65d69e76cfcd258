import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import type { EventData } from '../../../../shared/contract/contract.ts';
import { dispositionOf } from '../../../../shared/contract/error-catalog.ts';
import type { UploadRow, UploadTotals } from '../../../../shared/contract/uploads.ts';
import type { Upload } from '../../../../shared/model/upload.ts';
import { pendingOf } from '../../../../shared/model/upload-counts.ts';
import { isDelivered } from '../../../../shared/model/upload-machine.ts';
import { isEnded, UPLOAD_STATES } from '../../../../shared/model/upload-states.ts';
import { Emitter } from '../../common/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { whenStoreWorks } from '../../scheduler/when-store-works.ts';
import type { SiteBreakers } from '../../sites/site-breakers.ts';
import type { LiveTransfer, Transfers } from '../delivery/transfers.ts';
import type { BatchStore } from '../journal/batch-store.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import type { DeadlineKeeper } from '../pacing/deadline-keeper.ts';
import type { Pacing } from '../pacing/pacing.ts';
import type { QueuePause } from '../pacing/queue-pause.ts';
import { UNUSUALLY_LONG_MS } from '../processing/poll-schedule.ts';
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

const OPEN_STATES = UPLOAD_STATES.filter((state) => !isEnded(state));
const MOVING = { blockedBy: null, blockedSiteId: null } as const;
/** No more than ten a second. */
const INTERVAL_MS = 100;
/** More changed rows than this in one tick are not sent one by one: the screens read them again. */
const MOST_ROWS = 200;

/** Rows and totals as a screen shows them: what is stored, with what moves right now laid over it. */
export class UploadFeed {
  readonly onDidChange = new Emitter<UploadsChanged>();
  readonly #tools: FeedTools;
  readonly #changed = new Set<string>();
  /** By batch, once it is known. */
  readonly #collections = new Map<string, ShownCollection>();
  readonly #unsubscribe: () => void;
  #structure = false;
  #cancelTick: (() => void) | null = null;
  #cancelRetry: (() => void) | null = null;

  constructor(tools: FeedTools) {
    this.#tools = tools;
    this.#unsubscribe = tools.journal.onDidChange.on(({ before, after }) => {
      if (before !== after.state) this.#structure = true;
      this.touch(after.id);
    });
    tools.journal.onDidChangeStoreFault.on(() => this.touchTotals());
  }

  /** Notes that a row moved; it goes out with the next tick. */
  touch(id: string): void {
    this.#changed.add(id);
    this.touchTotals();
  }

  touchTotals(): void {
    this.#cancelTick ??= this.#tools.clock.schedule(INTERVAL_MS, () => this.#tick());
  }

  /** Rows changed places: what is shown has to be asked for again. */
  touchOrder(): void {
    this.#structure = true;
    this.touchTotals();
  }

  dispose(): void {
    this.#unsubscribe();
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
      title: upload.title,
      state: upload.state,
      priority: upload.priority,
      sentBytes,
      bytesPerSecond: speed,
      secondsLeft: speed !== null && speed > 0 ? (upload.sizeBytes - sentBytes) / speed : null,
      attempts: upload.attempts,
      // A drive that is back wakes its uploads: they wait for that, not for an instant.
      nextAttemptAt: dispositionOf(upload.error?.code ?? '') === 'wait-disk' ? null : upload.nextAttemptAt,
      mediaId: upload.mediaId,
      fileId: upload.fileId,
      sha256: upload.sha256,
      error: upload.error,
      notice: live?.gate.isHeldBy('schedule')
        ? this.#tools.pacing.notice()
        : (this.#tools.deadlines.notice(upload) ??
          slowProcessing(upload) ??
          restartNotice(upload, live) ??
          moveNotice(upload)),
      movedFrom: upload.movedFrom,
      followUps: upload.followUps.map(shownFollowUp),
      addedAt: upload.addedAt,
      endedAt: upload.endedAt,
    };
  }

  totals(): UploadTotals {
    const { journal, transfers, pause, pacing } = this.#tools;
    const { counts, duplicates } = journal.tally(null);
    const { totalBytes, sentBytes: deliveredBytes } = journal.work;
    let moving = 0;
    let bytesPerSecond = 0;
    for (const [id, live] of transfers.entries()) {
      const upload = this.#tools.store.get(id);
      // One that is being given up is sent anew; one that was sent to its end is counted by its row.
      const isCounted = upload !== null && !isEnded(upload.state) && !isDelivered(upload) && !live.isEnding();
      if (isCounted) moving += Math.min(live.sentBytes, upload.sizeBytes);
      if (!live.gate.isHeld()) bytesPerSecond += live.speed.bytesPerSecond() ?? 0;
    }
    const sentBytes = Math.min(totalBytes, deliveredBytes + moving);
    return {
      counts: { ...counts },
      totalBytes,
      sentBytes,
      bytesPerSecond,
      secondsLeft: bytesPerSecond > 0 ? (totalBytes - sentBytes) / bytesPerSecond : null,
      paused: pause.isForGood || pause.until !== null,
      pausedUntil: pause.until,
      limitBytesPerSecond: pacing.activeLimit.bytesPerSecond,
      limitUntil: pacing.activeLimit.until,
      followUps: { ...journal.followUps },
      duplicates,
      ...(pendingOf(counts) > 0 ? this.#standstill() : MOVING),
    };
  }

  /** One account's open breaker does not count while another one's uploads continue. */
  #standstill(): Pick<UploadTotals, 'blockedBy' | 'blockedSiteId'> {
    const { breakers, journal } = this.#tools;
    const reason = breakers.reason();
    if (reason !== null && !journal.hasOpen(OPEN_STATES, breakers.blockedSites())) {
      return { blockedBy: reason.error, blockedSiteId: reason.siteId };
    }
    return { blockedBy: journal.storeFault, blockedSiteId: null };
  }

  #tick(): void {
    this.#cancelTick = null;
    // What changed stays noted, and goes out when the store can be read again.
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
    const structure = this.#structure || tooMany;
    this.#changed.clear();
    this.#structure = false;
    this.onDidChange.emit({ rows, totals: this.totals(), structure });
    // A standing transfer makes no noise: its speed has to fall all the same.
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

/** It was held for longer than destinations bear: what was sent does not count any more. */
function restartNotice({ state, sendStartedAt, sentAt }: Upload, live: LiveTransfer | undefined): AppErrorData | null {
  const isIdle = (state === 'paused' || state === 'queued') && live === undefined;
  return isIdle && sendStartedAt !== null && sentAt === null ? appError('upload.starts-again').toData() : null;
}

function sentBytesOf(upload: Upload, live: number | undefined): number {
  if (isDelivered(upload) || upload.state === 'complete') return upload.sizeBytes;
  return Math.min(live ?? 0, upload.sizeBytes);
}

/** A file that the service works on for very long: nothing is wrong here, and a person may want to ask over there. */
function slowProcessing({ state, watchedMs, mediaId, fileId }: Upload): AppErrorData | null {
  if (state !== 'processing' || watchedMs < UNUSUALLY_LONG_MS) return null;
  const minutes = Math.floor(watchedMs / 60_000);
  return appError('upload.processing-slow', { details: { mediaId, fileId, minutes } }).toData();
}
