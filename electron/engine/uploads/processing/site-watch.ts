import type { MediaFile } from '../../../../shared/api/files.ts';
import { type AppError, toAppError } from '../../../../shared/contract/app-error.ts';
import { endsTries } from '../../../../shared/contract/error-catalog.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { mediaFilesPages } from '../../api/media.ts';
import { inParallel } from '../../in-parallel.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { UploadRunner } from '../delivery/upload-runner.ts';
import { NOTICE_PATIENCE_MS } from '../delivery/upload-steps.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { FollowedUpload, UploadStore } from '../journal/upload-store.ts';
import { lookWaitMs, RequestBudget } from './look-schedule.ts';

export interface SiteWatchTools {
  store: UploadStore;
  journal: UploadJournal;
  runner: UploadRunner;
  clock: Clock;
  logger: Logger;
  clientFor(siteId: string): SiteClient;
  /** Notes a cause that concerns the whole site. */
  report(siteId: string, error: AppError): void;
}

/** When a file is looked at next, on the monotonic clock, and for how long it has been watched. */
interface Look {
  at: number;
  lastAt: number;
  watchedMs: number;
  /** Not found among the latest items of its collection: asked for by itself. */
  alone: boolean;
}

const FIRST_LOOK_MS = 400;
const PARALLEL_LOOKS = 4;
/** From so many due files of a collection on, a list of its items tells more than questions about each. */
const LIST_FROM = 4;
const PER_PAGE = 100;
/** A page with fewer followed items than this is not worth its request. */
const WORTHWHILE = 2;
/** A list is left after so many such pages in a row, and more where very many would have to be asked about by themselves. */
const POOR_PAGES = 2;
const MISSING_PER_POOR_PAGE = 10;
/** A page that shows the end of so many is no mere looking. */
const PRODUCTIVE = 10;
/** Waiting that is told: no more often than this, so that watching writes little. */
const NOTE_EVERY_MS = 30_000;
/** A computer that slept has not watched meanwhile. */
const MOST_PER_LOOK_MS = 5 * 60_000;

/**
 * Follows the delivered uploads of one site through the service's processing, within a budget of requests. Many files of
 * one collection are looked at together: the list of its latest items carries their files where the service bundles
 * them. What such a list does not tell for certain is asked about by itself.
 */
export class SiteWatch {
  readonly #siteId: string;
  readonly #tools: SiteWatchTools;
  readonly #signal: AbortSignal;
  readonly #budget: RequestBudget;
  readonly #looks = new Map<string, Look>();
  /** False once the service has shown that its lists carry no files. */
  #listsTell = true;
  #round: Promise<void> | null = null;

  constructor(siteId: string, tools: SiteWatchTools, signal: AbortSignal) {
    this.#siteId = siteId;
    this.#tools = tools;
    this.#signal = signal;
    this.#budget = new RequestBudget(tools.clock.monotonic());
  }

  get isBusy(): boolean {
    return this.#round !== null;
  }

  async whenDone(): Promise<void> {
    await this.#round;
  }

  /** What is followed now. Answers in how many milliseconds something is due; null for never. */
  follow(uploads: readonly FollowedUpload[]): number | null {
    const now = this.#tools.clock.monotonic();
    const there = new Set(uploads.map(({ id }) => id));
    for (const id of this.#looks.keys()) if (!there.has(id)) this.#looks.delete(id);
    for (const { id, watchedMs } of uploads) {
      if (!this.#looks.has(id)) {
        this.#looks.set(id, { at: now + FIRST_LOOK_MS, lastAt: now, watchedMs, alone: false });
      }
    }
    if (this.#looks.size === 0) return null;
    return Math.max(0, Math.min(...Array.from(this.#looks.values(), ({ at }) => at)) - now);
  }

  /** Looks at what is due, and tells when it has. A part of it is enough: the rest has its turn in the next round. */
  start(uploads: readonly FollowedUpload[], onEnd: () => void): void {
    const now = this.#tools.clock.monotonic();
    const due = uploads
      .filter(({ id }) => (this.#looks.get(id)?.at ?? Number.POSITIVE_INFINITY) <= now)
      .sort((a, b) => (this.#looks.get(a.id)?.at ?? 0) - (this.#looks.get(b.id)?.at ?? 0));
    if (this.#round !== null || due.length === 0) return;
    this.#round = this.#lookAt(due, uploads)
      .catch((error: unknown) => {
        if (!this.#signal.aborted) this.#tools.logger.error('watch.fault', { error: toAppError(error).toData() });
      })
      .finally(() => {
        this.#round = null;
        onEnd();
      });
  }

  async #lookAt(due: readonly FollowedUpload[], all: readonly FollowedUpload[]): Promise<void> {
    const lists = this.#listsTell ? longLists(due.filter((each) => this.#fitsAList(each))) : [];
    // Whoever is due longest goes first, so that no list, however long, keeps the others from their turn.
    const [first] = due;
    const list = lists.find((each) => each.some(({ id }) => id === first?.id));
    if (list !== undefined) return this.#lookAtList(list, all);
    const listed = new Set(lists.flat());
    const single = due.filter((each) => !listed.has(each)).slice(0, PARALLEL_LOOKS * 2);
    await inParallel(single, PARALLEL_LOOKS, async ({ id }) => {
      await this.#lookAtOne(id, null);
    });
  }

  #fitsAList({ id, state }: FollowedUpload): boolean {
    return state === 'processing' && this.#looks.get(id)?.alone === false;
  }

  /**
   * The latest items of a collection with their files, page by page, until the due ones are found or that is not worth
   * it any more. What a page tells of others that are followed is taken as well.
   */
  async #lookAtList(due: readonly FollowedUpload[], all: readonly FollowedUpload[]): Promise<void> {
    const collectionId = due[0]?.collectionId ?? '';
    const missing = new Map(due.map((each) => [each.mediaId, each]));
    const others = all.filter((each) => each.collectionId === collectionId && this.#fitsAList(each));
    const followed = new Map(others.map((each) => [each.mediaId, each]));
    try {
      await this.#pay();
      const client = this.#tools.clientFor(this.#siteId);
      const query = { collection_id: collectionId, sort: 'created_on', order: 'desc' } as const;
      let poorPages = 0;
      for await (const { items, hasNext } of mediaFilesPages(client, { ...query, per_page: PER_PAGE }, this.#signal)) {
        let found = 0;
        let ended = 0;
        for (const { id, files } of items) {
          const upload = followed.get(id);
          if (upload === undefined) continue;
          if (files === null) {
            this.#listsTell = false;
            return;
          }
          followed.delete(id);
          missing.delete(id);
          found += 1;
          if (await this.#judge(upload, files)) ended += 1;
        }
        if (ended >= PRODUCTIVE) this.#budget.giveBack();
        poorPages = found < WORTHWHILE ? poorPages + 1 : 0;
        const isPoor = poorPages >= Math.max(POOR_PAGES, missing.size / MISSING_PER_POOR_PAGE);
        if (missing.size === 0 || isPoor || !hasNext) break;
        await this.#pay();
      }
      for (const { id } of missing.values()) this.#update(id, { alone: true });
    } catch (error) {
      if (this.#signal.aborted) return;
      const failure = toAppError(error);
      this.#tools.report(this.#siteId, failure);
      // A service that refuses such a list is asked about each file instead.
      if (endsTries(failure.code)) this.#listsTell = false;
      for (const { id } of missing.values()) this.#planNext(id);
    }
  }

  /**
   * What a list says is enough when all is well; everything else is asked about by itself, and soon. Answers whether
   * there is nothing more to look at.
   */
  async #judge({ id, fileId }: FollowedUpload, files: readonly MediaFile[]): Promise<boolean> {
    const file = files.find((each) => each.id === fileId);
    if (file?.status === 'complete') return this.#lookAtOne(id, file);
    if (file !== undefined && isUnderWay(file, this.#looks.get(id))) {
      if (this.#tools.store.get(id)?.tries.poll !== undefined) {
        this.#tools.journal.record(id, { kind: 'answered', step: 'poll' });
      }
      this.#planNext(id);
    } else this.#update(id, { alone: true });
    return false;
  }

  async #lookAtOne(id: string, known: MediaFile | null): Promise<boolean> {
    if (this.#signal.aborted) return false;
    if (known === null) await this.#pay();
    const ended = await this.#tools.runner.follow(id, this.#signal, known).catch((error: unknown) => {
      // Only a store that can't be written ends up here; the row is as it was and is looked at again.
      this.#tools.logger.error('watch.fault', { id, error: toAppError(error).toData() });
      return false;
    });
    if (ended) this.#looks.delete(id);
    else this.#planNext(id);
    if (ended && known === null) this.#budget.giveBack();
    return ended;
  }

  async #pay(): Promise<void> {
    const waitMs = this.#budget.take(this.#tools.clock.monotonic());
    if (waitMs > 0) await sleep(this.#tools.clock, waitMs, this.#signal);
  }

  #planNext(id: string): void {
    const look = this.#looks.get(id);
    if (!look) return;
    const now = this.#tools.clock.monotonic();
    const watchedMs = look.watchedMs + Math.min(now - look.lastAt, MOST_PER_LOOK_MS);
    this.#update(id, { watchedMs, lastAt: now, at: now + lookWaitMs(watchedMs) });
    const known = this.#tools.store.get(id);
    if (known?.state === 'processing' && watchedMs - known.watchedMs >= NOTE_EVERY_MS) {
      this.#tools.journal.record(id, { kind: 'watched', ms: Math.round(watchedMs) });
    }
  }

  #update(id: string, change: Partial<Look>): void {
    const look = this.#looks.get(id);
    if (look) this.#looks.set(id, { ...look, ...change });
  }
}

/** Nothing is wrong with it: it is processed, or its bytes were not noticed yet. */
function isUnderWay({ status }: MediaFile, look: Look | undefined): boolean {
  if (status === 'processing') return true;
  return status === 'uploading' && (look?.watchedMs ?? 0) < NOTICE_PATIENCE_MS;
}

/** The due files of each collection that has many of them. */
function longLists(due: readonly FollowedUpload[]): FollowedUpload[][] {
  return [...Map.groupBy(due, ({ collectionId }) => collectionId).values()].filter(({ length }) => length >= LIST_FROM);
}
