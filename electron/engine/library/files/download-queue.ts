import type { Encoding, MediaFile } from '../../../../shared/api/files.ts';
import { toAppError } from '../../../../shared/contract/app-error.ts';
import type { Download } from '../../../../shared/contract/downloads.ts';
import { downloadName } from '../../../../shared/model/download-name.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { Emitter } from '../../common/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { type DownloadTools, downloadFile } from './download-file.ts';

export interface DownloadsOptions extends DownloadTools {
  clock: Clock;
  random: Random;
  clientFor(siteId: string): SiteClient;
  /** The SHA-256 of a file that was uploaded from this computer; null when it is unknown. */
  knownSha256(siteId: string, fileId: string): string | null;
  /** The title of an item; null when this computer doesn't have the item. */
  titleOf(siteId: string, mediaId: string): string | null;
}

interface Entry {
  row: Download;
  folder: string;
  /** The size that the library promises; null when it is unknown. */
  sizeBytes: number | null;
  sha256: string | null;
  part: string | null;
  controller: AbortController | null;
  /** Settles when the running attempt has ended. */
  work: Promise<void>;
}

const MAX_RUNNING = 3;
const ANNOUNCE_EVERY_MS = 200;
const ENDED: ReadonlySet<Download['state']> = new Set(['complete', 'failed', 'cancelled']);

/** The downloads of a session, in the order in which they were added. A few run at a time. */
export class DownloadQueue {
  /** All downloads, after each change; at most five times a second. */
  readonly onDidChange = new Emitter<Download[]>();
  readonly #options: DownloadsOptions;
  readonly #entries = new Map<string, Entry>();
  #cancelAnnouncement: (() => void) | null = null;
  #isStopped = false;

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  list(): Download[] {
    return [...this.#entries.values()].map(({ row }) => row);
  }

  /** Adds files of an item, and starts those for which there is room. */
  add(
    siteId: string,
    files: readonly (readonly [mediaId: string, MediaFile | Encoding])[],
    folder: string,
  ): Download[] {
    const rows = files.map(([mediaId, file]) => this.#addOne(siteId, mediaId, file, folder));
    this.#startNext();
    this.#announce();
    return rows;
  }

  /** Pauses the given downloads that run or wait. Returns their number. */
  pause(ids: readonly string[]): Promise<number> {
    return this.#changeEach(ids, async (entry) => {
      if (entry.row.state !== 'running' && entry.row.state !== 'queued') return false;
      await this.#interrupt(entry, 'paused');
      return true;
    });
  }

  /** Queues the given downloads again that are paused or failed. Returns their number. */
  resume(ids: readonly string[]): Promise<number> {
    return this.#changeEach(ids, async (entry) => {
      if (entry.row.state !== 'paused' && entry.row.state !== 'failed') return false;
      this.#update(entry, { state: 'queued', error: null });
      return true;
    });
  }

  /** Cancels the given downloads that are not complete, and removes their incomplete files. Returns their number. */
  cancel(ids: readonly string[]): Promise<number> {
    return this.#changeEach(ids, async (entry) => {
      if (entry.row.state === 'complete' || entry.row.state === 'cancelled') return false;
      await this.#interrupt(entry, 'cancelled');
      if (entry.part !== null) await this.#options.parts.discard(entry.part);
      return true;
    });
  }

  /** Removes ended downloads from the list. Returns how many. */
  clear(): number {
    const ended = [...this.#entries.values()].filter(({ row }) => ENDED.has(row.state));
    for (const { row } of ended) this.#entries.delete(row.id);
    this.#announce();
    return ended.length;
  }

  /** Ends all attempts, and waits until they have closed their files. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelAnnouncement?.();
    for (const { controller } of this.#entries.values()) controller?.abort(new Error('the engine stops'));
    await Promise.all([...this.#entries.values()].map(({ work }) => work));
  }

  #addOne(siteId: string, mediaId: string, file: MediaFile | Encoding, folder: string): Download {
    const { random, knownSha256, titleOf } = this.#options;
    const { id: fileId, display_name, container, size } = file;
    const row: Download = {
      id: random.uuid(),
      siteId,
      mediaId,
      title: titleOf(siteId, mediaId),
      fileId,
      name: downloadName(display_name, container),
      path: null,
      doneBytes: 0,
      totalBytes: size,
      state: 'queued',
      isVerified: false,
      error: null,
    };
    const sha256 = knownSha256(siteId, fileId);
    this.#entries.set(row.id, {
      row,
      folder,
      sizeBytes: size,
      sha256,
      part: null,
      controller: null,
      work: Promise.resolve(),
    });
    return row;
  }

  #startNext(): void {
    let running = [...this.#entries.values()].filter(({ row }) => row.state === 'running').length;
    for (const entry of this.#entries.values()) {
      if (this.#isStopped || running >= MAX_RUNNING) return;
      if (entry.row.state !== 'queued') continue;
      running += 1;
      entry.work = this.#run(entry);
    }
  }

  async #run(entry: Entry): Promise<void> {
    const { clientFor } = this.#options;
    const controller = new AbortController();
    entry.controller = controller;
    this.#update(entry, { state: 'running', error: null });
    const { siteId, mediaId, fileId, name } = entry.row;
    try {
      const { path, sizeBytes, sha256 } = await downloadFile(
        {
          ref: { client: clientFor(siteId), mediaId, fileId },
          folder: entry.folder,
          name,
          sizeBytes: entry.sizeBytes,
          sha256: entry.sha256,
          signal: controller.signal,
          onProgress: (doneBytes, totalBytes) => this.#update(entry, { doneBytes, totalBytes }),
          onPart: (part) => {
            entry.part = part;
          },
        },
        this.#options,
      );
      this.#update(entry, {
        state: 'complete',
        path,
        doneBytes: sizeBytes,
        totalBytes: sizeBytes,
        isVerified: sha256 !== null,
      });
    } catch (error) {
      // A pause or a cancel has set the state before.
      if (!controller.signal.aborted) this.#update(entry, { state: 'failed', error: toAppError(error).toData() });
    } finally {
      if (entry.controller === controller) entry.controller = null;
      this.#startNext();
    }
  }

  /** Ends the running attempt, and waits until it has closed its file. */
  async #interrupt(entry: Entry, state: 'paused' | 'cancelled'): Promise<void> {
    this.#update(entry, { state, error: null });
    entry.controller?.abort(new Error(state));
    await entry.work;
  }

  async #changeEach(ids: readonly string[], change: (entry: Entry) => Promise<boolean>): Promise<number> {
    let count = 0;
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry !== undefined && (await change(entry))) count += 1;
    }
    this.#startNext();
    return count;
  }

  #update(entry: Entry, change: Partial<Download>): void {
    entry.row = { ...entry.row, ...change };
    this.#announce();
  }

  #announce(): void {
    if (this.#isStopped) return;
    this.#cancelAnnouncement ??= this.#options.clock.schedule(ANNOUNCE_EVERY_MS, () => {
      this.#cancelAnnouncement = null;
      this.onDidChange.emit(this.list());
    });
  }
}
