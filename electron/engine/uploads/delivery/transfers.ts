import { basename } from 'node:path';
import { appError, toAppError } from '../../../../shared/contract/app-error.ts';
import { mimeTypeOf } from '../../../../shared/model/media-types.ts';
import type { Destination, Upload } from '../../../../shared/model/uploads/upload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Files, OpenFile } from '../../ports/files.ts';
import { HashLost } from '../../ports/hashes.ts';
import type { Random } from '../../ports/random.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import { DONE, RELEASE, type StepResult } from '../../scheduler/job-result.ts';
import type { HashCache } from '../duplicates/hash-cache.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import { LONGEST_HOLD_MS } from './hold-limit.ts';
import { DESTINATION_FRESH_MS, destinationSince } from './planner.ts';
import type { BandwidthLimit } from './sender/bandwidth-limit.ts';
import { ExpiredDestinations } from './sender/expired-destinations.ts';
import { type HoldReason, TransferGate } from './sender/send-gate.ts';
import type { SendForm, SendFormOptions } from './sender/send-options.ts';
import { SpeedMeter } from './speed-meter.ts';
import type { UploadConnections } from './upload-connections.ts';

/**
 * Why a transfer is aborted. `cancelled`: the user paused or ended the upload, which the row shows already.
 * `held-too-long`: destinations close idle connections, so the file starts again from zero when it is resumed.
 * `connection-dead`: the computer slept, or the network changed, and nothing was sent since.
 */
type TransferEnd = 'cancelled' | 'held-too-long' | 'connection-dead';

/** A running transfer; only in memory. */
export interface LiveTransfer {
  sentBytes: number;
  readonly speed: SpeedMeter;
  readonly gate: TransferGate;
  /** Ends the transfer at once: `send` returns `done` when it was cancelled, `release` otherwise. */
  abort(end: TransferEnd): void;
  /** The first reason for which it was aborted; null when it was not. */
  end: TransferEnd | null;
  /** True after `abort`, until its resources are released. */
  isEnding(): boolean;
  /** True until the file is read to its end. */
  isReading: boolean;
  readonly sizeBytes: number;
  /** Monotonic times: of the creation of its placeholder, of its start or the end of its last hold, and of its last progress. */
  readonly placeholderSince: number;
  movingSince: number;
  movedAt: number;
  /** Stops the timer that aborts the transfer after a long hold. */
  cancelHoldLimit(): void;
}

/** What the form of a transfer is made of. */
interface Sending {
  upload: Upload;
  destination: Destination;
  file: OpenFile;
  live: LiveTransfer;
  stop: AbortController;
}

export interface TransferTools {
  journal: UploadJournal;
  /** Returns the files as the work on an upload may read them, see `filesBelowRoot`. */
  filesOf(upload: Upload): Files;
  clock: Clock;
  random: Random;
  limit: BandwidthLimit;
  connections: UploadConnections;
  hashes: HashCache;
  /** Sends a form; a simulation supplies its own network. */
  sendForm: SendForm;
  /** Called after every written block: listeners have to limit how often they react. */
  onProgress(id: string): void;
  /** Called before a transfer starts: pacing may put it on hold. */
  onBegin(id: string): void;
  /** Called when the file was read completely, before the answer has arrived. */
  onAllSent(id: string): void;
}

/** The running transfers, by upload. */
export class Transfers {
  readonly #tools: TransferTools;
  readonly #live = new Map<string, LiveTransfer>();
  /** Media files whose transfer ended before the last byte was sent. */
  readonly #cutShort = new Set<string>();
  readonly #expired = new ExpiredDestinations();

  constructor(tools: TransferTools) {
    this.#tools = tools;
  }

  get(id: string): LiveTransfer | undefined {
    return this.#live.get(id);
  }

  entries(): IterableIterator<[string, LiveTransfer]> {
    return this.#live.entries();
  }

  /**
   * Returns true when the last transfer to this media file certainly did not send everything. Returns false for transfers of
   * an earlier process: they may have.
   */
  wasCutShort(fileId: string): boolean {
    return this.#cutShort.has(fileId);
  }

  /** The number of transfers that the user paused. Their connections stay open, and their slots are free. */
  heldCount(): number {
    let held = 0;
    for (const transfer of this.#live.values()) if (transfer.gate.isHeldBy('user')) held += 1;
    return held;
  }

  /** Sends the file's bytes to the row's destination. Throws what `sendForm` throws. */
  async send(upload: Upload, signal: AbortSignal): Promise<StepResult> {
    const { journal, filesOf, clock, limit, sendForm, onProgress, onBegin } = this.#tools;
    const { destination } = upload;
    if (destination === null) throw appError('upload.destination-lost');
    const stop = new AbortController();
    const live = this.#liveTransfer(upload, stop);
    const onStop = () => stop.abort(signal.reason);
    signal.addEventListener('abort', onStop, { once: true });
    // From here on commands find the transfer, also while the file is being opened.
    this.#live.set(upload.id, live);
    const leave = limit.join();
    onBegin(upload.id);
    let file: OpenFile | null = null;
    try {
      signal.throwIfAborted();
      file = await filesOf(upload).open(upload.path);
      // Another file may have got the path since its facts were read.
      const { identity } = await file.facts();
      if (identity !== upload.identity) throw appError('file.changed', { details: { path: upload.path } });
      stop.signal.throwIfAborted();
      journal.record(upload.id, { kind: 'send-started', at: clock.now() });
      await journal.whenDurable();
      stop.signal.throwIfAborted();
      // This attempt may deliver all bytes, even if an earlier one to the same media file did not.
      if (upload.fileId !== null) this.#cutShort.delete(upload.fileId);
      const form = this.#formOf({ upload, destination, file, live, stop });
      const { sha256 } = await this.#expired.guard(upload.id, () => sendForm(form));
      journal.record(upload.id, { kind: 'sent', at: clock.now(), sha256 });
      await this.#noteMove(upload, file);
      return DONE;
    } catch (error) {
      if (live.isReading && upload.fileId !== null) this.#cutShort.add(upload.fileId);
      if (error instanceof HashLost) return RELEASE;
      if (live.end === null || error !== stop.signal.reason) throw error;
      return live.end === 'cancelled' ? DONE : RELEASE;
    } finally {
      this.#live.delete(upload.id);
      // The display also changes without an event: a paused upload has no sent bytes any more.
      onProgress(upload.id);
      leave();
      live.cancelHoldLimit();
      signal.removeEventListener('abort', onStop);
      // Not awaited: a disk or share that never answers would block the slot. A failed close of a read-only file loses
      // nothing.
      file?.close().catch(() => {});
    }
  }

  /** Creates the state of a transfer that begins now. `stop` ends it. */
  #liveTransfer(upload: Upload, stop: AbortController): LiveTransfer {
    const { clock, limit } = this.#tools;
    const startedAt = clock.monotonic();
    const destinationAgeMs = Math.max(0, clock.now() - destinationSince(upload));
    const live: LiveTransfer = {
      sentBytes: 0,
      speed: new SpeedMeter(clock),
      gate: new TransferGate(limit),
      abort: (reason) => {
        live.end ??= reason;
        stop.abort(new Error(`the transfer was ended: ${reason}`));
      },
      end: null,
      isEnding: () => stop.signal.aborted,
      isReading: true,
      sizeBytes: upload.sizeBytes,
      // No older destination is used: a greater age comes from a wall clock that was set forward.
      placeholderSince: startedAt - Math.min(destinationAgeMs, DESTINATION_FRESH_MS),
      movingSince: startedAt,
      movedAt: startedAt,
      cancelHoldLimit: () => {},
    };
    return live;
  }

  /** Returns the form of a transfer, which keeps its state up to date while it is sent. */
  #formOf({ upload, destination, file, live, stop }: Sending): SendFormOptions {
    const { clock, random, connections, hashes, onProgress, onAllSent } = this.#tools;
    return {
      url: new URL(destination.upload_url),
      fields: destination.upload_post_params,
      fileParam: destination.upload_file_param,
      fileName: upload.fileName,
      contentType: mimeTypeOf(upload.fileName),
      file,
      expected: upload,
      hash: true,
      gate: live.gate,
      signal: stop.signal,
      clock,
      random,
      connections,
      onProgress: (sentBytes) => {
        // A redirect starts again with no byte sent.
        if (sentBytes < live.sentBytes || sentBytes === 0) live.isReading = true;
        live.speed.add(Math.max(0, sentBytes - live.sentBytes));
        live.sentBytes = sentBytes;
        live.movedAt = clock.monotonic();
        onProgress(upload.id);
      },
      onHashed: (sha256) => {
        try {
          // Stored before the answer: if the answer is lost, `hashSentOf` finds the hash, also in the next process.
          hashes.put(upload, sha256);
        } catch (error) {
          // Aborts with the error itself: a fault of the database must not be reported as one of the connection.
          stop.abort(error);
          throw error;
        }
      },
      onAllSent: () => {
        live.isReading = false;
        onAllSent(upload.id);
      },
    };
  }

  /**
   * Checks connections after a sleep: they can be broken without an error. A transfer without progress within `withinMs`
   * is aborted; one that waits for its answer has `answerWithinMs`.
   */
  proveAlive(withinMs: number, answerWithinMs: number): void {
    const { clock } = this.#tools;
    const askedAt = clock.monotonic();
    for (const [id, live] of this.#live) {
      const judge = () => {
        if (this.#live.get(id) !== live || live.isEnding() || live.gate.isHeld() || live.movedAt > askedAt) return;
        live.abort('connection-dead');
      };
      clock.schedule(live.isReading ? withinMs : answerWithinMs, judge);
    }
  }

  /** A file that was renamed or moved during the transfer is still valid; the row gets its new path. */
  async #noteMove(upload: Upload, file: OpenFile): Promise<void> {
    const { filesOf, journal } = this.#tools;
    try {
      if ((await filesOf(upload).facts(upload.path)).identity === upload.identity) return;
    } catch (error) {
      if (toAppError(error).code !== 'file.missing') return;
    }
    const path = await file.path().catch(() => null);
    if (path !== null && path !== upload.path) {
      journal.record(upload.id, { kind: 'file-moved', path, fileName: shownName(basename(path)) });
    }
  }

  /** Puts a transfer on hold, and aborts it when that lasts too long. Returns false when none runs. */
  hold(id: string, reason: HoldReason = 'user'): boolean {
    const live = this.#live.get(id);
    if (!live) return false;
    if (live.gate.isHeldBy(reason)) return true;
    if (!live.gate.isHeld()) {
      live.speed.reset();
      live.cancelHoldLimit = this.#tools.clock.schedule(LONGEST_HOLD_MS, () => live.abort('held-too-long'));
    }
    live.gate.hold(reason);
    return true;
  }

  /**
   * Ends the hold of a transfer for one reason; the transfer continues when it has no other. Returns false when it is not on hold
   * for this reason, or is ending.
   */
  release(id: string, reason: HoldReason = 'user'): boolean {
    const live = this.#live.get(id);
    if (!live?.gate.isHeldBy(reason) || live.isEnding()) return false;
    live.gate.release(reason);
    if (!live.gate.isHeld()) {
      live.cancelHoldLimit();
      live.movingSince = this.#tools.clock.monotonic();
      live.movedAt = live.movingSince;
    }
    return true;
  }
}
