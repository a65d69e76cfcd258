import type { MediaFile } from '../../../../shared/api/files.ts';
import { type AppError, toAppError } from '../../../../shared/contract/app-error.ts';
import { endsRetries } from '../../../../shared/contract/errors/error-catalog.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { type MediaFiles, mediaFilesPages } from '../../api/media.ts';
import { inParallel } from '../../common/in-parallel.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { UploadRunner } from '../delivery/upload-runner.ts';
import { NOTICE_TIMEOUT_MS } from '../delivery/upload-steps.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { PolledUpload, UploadStore } from '../journal/upload-store.ts';
import { pollWaitMs, RequestBudget } from './poll-schedule.ts';

export interface SitePollTools {
  store: UploadStore;
  journal: UploadJournal;
  runner: UploadRunner;
  clock: Clock;
  logger: Logger;
  clientFor(siteId: string): SiteClient;
  /** Reports an error to the site's breaker. */
  report(siteId: string, error: AppError): Promise<void>;
}

/** When a file is polled next, on the monotonic clock, and for how long it has been polled. */
interface PlannedPoll {
  at: number;
  lastAt: number;
  watchedMs: number;
  /** Whether the file is polled by a request of its own, because a list of the latest items does not show its state. */
  alone: boolean;
}

const FIRST_POLL_MS = 400;
const PARALLEL_POLLS = 4;
/** The number of due files of a collection from which on one list of its items costs less than a request for each. */
const LIST_FROM = 4;
const PER_PAGE = 100;
/** The minimum number of polled items on a page that justifies its request. */
const WORTHWHILE = 2;
/**
 * The number of pages in a row with fewer polled items after which a list is abandoned; more if very many files would have to be
 * polled one by one.
 */
const POOR_PAGES = 2;
const MISSING_PER_POOR_PAGE = 10;
/** The number of processed files on a page from which on it isn't counted in the budget. */
const PRODUCTIVE = 10;
/** The minimum interval at which the polled time of a file is stored, so that polling writes little. */
const NOTE_EVERY_MS = 30_000;
/** The maximum that one poll adds to `watchedMs`: while the computer slept, nothing was polled. */
const MOST_PER_POLL_MS = 5 * 60_000;

/**
 * Polls the processing of one site's delivered uploads, within a budget of requests. Many files of one collection are polled
 * together: the list of its latest items contains their files if the library supports that. Files whose state such a list does
 * not show are polled one by one.
 */
export class SitePolls {
  readonly #siteId: string;
  readonly #tools: SitePollTools;
  readonly #budget: RequestBudget;
  readonly #planned = new Map<string, PlannedPoll>();
  /** False once the library has shown that its lists contain no files. */
  #listsHaveFiles = true;

  constructor(siteId: string, tools: SitePollTools) {
    this.#siteId = siteId;
    this.#tools = tools;
    this.#budget = new RequestBudget(tools.clock.monotonic());
  }

  /** Sets which uploads are polled. Returns the milliseconds until a poll is due; null for never. */
  setPolled(uploads: readonly PolledUpload[]): number | null {
    const now = this.#tools.clock.monotonic();
    const there = new Set(uploads.map(({ id }) => id));
    for (const id of this.#planned.keys()) if (!there.has(id)) this.#planned.delete(id);
    for (const { id, watchedMs, isAddition } of uploads) {
      if (!this.#planned.has(id)) {
        this.#planned.set(id, { at: now + FIRST_POLL_MS, lastAt: now, watchedMs, alone: isAddition });
      }
    }
    if (this.#planned.size === 0) return null;
    return Math.max(0, Math.min(...Array.from(this.#planned.values(), ({ at }) => at)) - now);
  }

  /** Polls due files. One request may cover only a part: the rest is due again right after. */
  async poll(uploads: readonly PolledUpload[], signal: AbortSignal): Promise<void> {
    const now = this.#tools.clock.monotonic();
    const due = uploads
      .filter(({ id }) => (this.#planned.get(id)?.at ?? Number.POSITIVE_INFINITY) <= now)
      .sort((a, b) => (this.#planned.get(a.id)?.at ?? 0) - (this.#planned.get(b.id)?.at ?? 0));
    const lists = this.#listsHaveFiles ? longLists(due.filter((each) => this.#fitsAList(each))) : [];
    // The longest due file comes first, so that no list, however long, delays the others.
    const [first] = due;
    const list = lists.find((each) => each.some(({ id }) => id === first?.id));
    if (list !== undefined) return this.#pollList(list, uploads, signal);
    const listed = new Set(lists.flat());
    const single = due.filter((each) => !listed.has(each)).slice(0, PARALLEL_POLLS * 2);
    await inParallel(single, PARALLEL_POLLS, async ({ id }) => {
      await this.#pollOne(id, null, signal);
    });
  }

  #fitsAList({ id, state }: PolledUpload): boolean {
    return state === 'processing' && this.#planned.get(id)?.alone === false;
  }

  /**
   * Reads the latest items of a collection with their files, page by page, until the due ones are found or further pages are not
   * worth it. States of other polled files on a page are used as well.
   */
  async #pollList(due: readonly PolledUpload[], all: readonly PolledUpload[], signal: AbortSignal): Promise<void> {
    const collectionId = due[0]?.collectionId ?? '';
    const missing = new Map(due.map((each) => [each.mediaId, each]));
    const others = all.filter((each) => each.collectionId === collectionId && this.#fitsAList(each));
    const polled = new Map(others.map((each) => [each.mediaId, each]));
    try {
      await this.#pay(signal);
      const client = this.#tools.clientFor(this.#siteId);
      const query = { collection_id: collectionId, sort: 'created_on', order: 'desc' } as const;
      let poorPages = 0;
      for await (const { items, hasNext } of mediaFilesPages(client, { ...query, per_page: PER_PAGE }, signal)) {
        const found = await this.#takePage(items, polled, signal);
        if (found === null) return;
        for (const id of found) missing.delete(id);
        poorPages = found.length < WORTHWHILE ? poorPages + 1 : 0;
        const isPoor = poorPages >= Math.max(POOR_PAGES, missing.size / MISSING_PER_POOR_PAGE);
        if (missing.size === 0 || isPoor || !hasNext) break;
        await this.#pay(signal);
      }
      for (const { id } of missing.values()) this.#update(id, { alone: true });
    } catch (error) {
      if (signal.aborted) return;
      const failure = toAppError(error);
      await this.#tools.report(this.#siteId, failure);
      // A service that refuses such a list is asked about each file instead.
      if (endsRetries(failure.code)) this.#listsHaveFiles = false;
      for (const { id } of missing.values()) this.#planNext(id);
    }
  }

  /**
   * Processes one page of a list. Returns the ids of the polled items on it, which it removes from `polled`; null when the list
   * contains no files, so that every file has to be polled one by one.
   */
  async #takePage(
    items: readonly MediaFiles[],
    polled: Map<string | null, PolledUpload>,
    signal: AbortSignal,
  ): Promise<string[] | null> {
    const found: string[] = [];
    let ended = 0;
    for (const { id, files } of items) {
      const upload = polled.get(id);
      if (upload === undefined) continue;
      if (files === null) {
        this.#listsHaveFiles = false;
        return null;
      }
      polled.delete(id);
      found.push(id);
      if (await this.#judge(upload, files, signal)) ended += 1;
    }
    if (ended >= PRODUCTIVE) this.#budget.giveBack();
    return found;
  }

  /**
   * Judges an upload by the files of its item in a list, which is sufficient when there is no problem. Otherwise the file is
   * polled by a request of its own, and soon. Returns whether no further poll is needed.
   */
  async #judge({ id, fileId }: PolledUpload, files: readonly MediaFile[], signal: AbortSignal): Promise<boolean> {
    const file = files.find((each) => each.id === fileId);
    if (file?.status === 'complete') return this.#pollOne(id, file, signal);
    if (file !== undefined && isUnderWay(file, this.#planned.get(id))) {
      if (this.#tools.store.get(id)?.retriesByStep.poll !== undefined) {
        this.#tools.journal.record(id, { kind: 'answered', step: 'poll' });
      }
      this.#planNext(id);
    } else this.#update(id, { alone: true });
    return false;
  }

  async #pollOne(id: string, known: MediaFile | null, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (known === null) await this.#pay(signal);
    const ended = await this.#tools.runner.pollOnce(id, signal, known).catch((error: unknown) => {
      // Only a database that can't be written leads here; the row is unchanged and is polled again.
      this.#tools.logger.error('poll.fault', { id, error: toAppError(error).toData() });
      return false;
    });
    if (ended) this.#planned.delete(id);
    else this.#planNext(id);
    if (ended && known === null) this.#budget.giveBack();
    return ended;
  }

  async #pay(signal: AbortSignal): Promise<void> {
    const waitMs = this.#budget.take(this.#tools.clock.monotonic());
    if (waitMs > 0) await sleep(this.#tools.clock, waitMs, signal);
  }

  #planNext(id: string): void {
    const planned = this.#planned.get(id);
    if (!planned) return;
    const now = this.#tools.clock.monotonic();
    const watchedMs = planned.watchedMs + Math.min(now - planned.lastAt, MOST_PER_POLL_MS);
    this.#update(id, { watchedMs, lastAt: now, at: now + pollWaitMs(watchedMs) });
    const known = this.#tools.store.get(id);
    if (known?.state === 'processing' && watchedMs - known.watchedMs >= NOTE_EVERY_MS) {
      this.#tools.journal.record(id, { kind: 'watched', ms: Math.round(watchedMs) });
    }
  }

  #update(id: string, change: Partial<PlannedPoll>): void {
    const planned = this.#planned.get(id);
    if (planned) this.#planned.set(id, { ...planned, ...change });
  }
}

/** Returns whether a file has no problem: it is being processed, or its bytes were not detected yet. */
function isUnderWay({ status }: MediaFile, planned: PlannedPoll | undefined): boolean {
  if (status === 'processing') return true;
  return status === 'uploading' && (planned?.watchedMs ?? 0) < NOTICE_TIMEOUT_MS;
}

/** Returns the due files of each collection that has many of them. */
function longLists(due: readonly PolledUpload[]): PolledUpload[][] {
  return [...Map.groupBy(due, ({ collectionId }) => collectionId).values()].filter(({ length }) => length >= LIST_FROM);
}
