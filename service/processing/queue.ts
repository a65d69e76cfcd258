import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Site } from '../site/site.ts';
import { createWaker } from '../site/waker.ts';
import { StorageUnavailable } from '../storage/storage-unavailable.ts';
import { type Claim, expireClaims, extendClaims, isClaimed, LEASE_MS, removeProducts, renewClaim } from './claims.ts';
import { processFile } from './process-file.ts';
import { takeNext } from './take-next.ts';
import type { Tools } from './tools/find-tools.ts';
import { createPictureMaker } from './tools/picture-maker.ts';
import { PlaceFailed } from './tools/place-failed.ts';

const CONCURRENCY = 2;
/**
 * A file can be deleted in many ways (by itself, with its item or collection, because its upload was abandoned); its processing
 * stops within this time.
 */
const CHECK_MS = 500;
const RENEW_MS = LEASE_MS / 3;
/** When `collect` was not called for longer, or the clock differs by more, the service or its computer stood still, or the clock was set. */
const STILL_MS = 15_000;
/** After a failure of the storage, or of this computer. */
const RETRY_MS = 10_000;

/**
 * Processes the files in state `processing`, oldest first, two at a time. The rows are the queue, so it survives a
 * restart.
 */
export interface ProcessingQueue {
  /** Starts work that is due. */
  wake(): void;
  /** Gives work back whose worker is gone, and deletes what it left. To be called each second. */
  collect(): Promise<void>;
  /** Aborts running work; its files stay in `processing`. */
  stop(): Promise<void>;
}

interface Running {
  claim: Claim;
  renewedAt: number;
  controller: AbortController;
  ended: Promise<void>;
}

/**
 * Creates the queue. `isWorker`: whether files are processed here. Otherwise, the queue only takes over content that clients have sent
 * to the storage, and workers do the rest.
 */
export function createProcessingQueue(site: () => Site, tools: Tools, isWorker: boolean): ProcessingQueue {
  const running = new Set<Running>();
  /** Files whose outcome could not be written; they stay unprocessed until the next start of the service. */
  const unsaved = new Set<number>();
  /** Files whose content the storage could not give or take, or for which this computer had no room; they are tried again. */
  const waiting = new Set<number>();
  const pictures = createPictureMaker();
  /**
   * Whether files without work are finished without a claim. Not after a failure, until a file is taken: the failure of one file then
   * counts for that file alone, and that of the drive for all.
   */
  let finishes = true;
  let isStopping = false;
  let collecting: Promise<void> | undefined;
  let collectedMs = Date.now();
  let checking: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;

  function start(claim: Claim): void {
    const controller = new AbortController();
    const ended = processFile(site(), claim, isWorker ? { tools, pictures } : null, controller.signal)
      .catch((error) => {
        if (error instanceof StorageUnavailable || error instanceof PlaceFailed) {
          waiting.add(claim.file.id);
          tryLater();
        } else unsaved.add(claim.file.id);
        site().log('processing broke off', { file_id: claim.file.id, error: String(error) });
      })
      .finally(() => {
        running.delete(entry);
        waker.wake();
      });
    const entry: Running = { claim, renewedAt: Date.now(), controller, ended };
    running.add(entry);
    checking ??= setInterval(keeper.wake, CHECK_MS).unref();
  }

  function tryLater(): void {
    retry ??= setTimeout(() => {
      retry = undefined;
      waiting.clear();
      waker.wake();
    }, RETRY_MS).unref();
  }

  /** Returns `again` when a claim is to be tried instead. */
  async function next(): Promise<Claim | 'finished' | 'again' | undefined> {
    try {
      const taken = await takeNext(site(), { isWorker, except: [...unsaved, ...waiting], finishes });
      finishes = true;
      return taken;
    } catch (error) {
      // The drive may be full: what has called `wake` is done nevertheless.
      site().log(finishes ? 'no file could be taken' : 'no file could be claimed', { error: String(error) });
      if (finishes) {
        finishes = false;
        return 'again';
      }
      tryLater();
      return undefined;
    }
  }

  const waker = createWaker(async () => {
    while (!isStopping && running.size < CONCURRENCY) {
      const taken = await next();
      if (taken === undefined) break;
      if (typeof taken === 'object') start(taken);
      // Requests and renewals go on while thousands of files are finished.
      else await nextTurn();
    }
    if (running.size === 0 || isStopping) stopChecking();
  });

  /** Renews what is claimed, and aborts the work whose claim is lost. */
  const keeper = createWaker(async () => {
    const nowMs = Date.now();
    for (const entry of [...running]) {
      const { id } = entry.claim;
      const isDue = nowMs - entry.renewedAt >= RENEW_MS;
      if (isDue) entry.renewedAt = nowMs;
      if (!(await isKept(id, isDue))) entry.controller.abort(new Error('The file was deleted.'));
    }
  });

  async function collect(): Promise<void> {
    if ((await expireClaims(site())) > 0) waker.wake();
    await removeProducts(site());
  }

  async function isKept(id: string, isDue: boolean): Promise<boolean> {
    try {
      return isDue ? await renewClaim(site(), id) : await isClaimed(site().store, id);
    } catch (error) {
      // The drive of the database may be full: the claim lasts for some more tries.
      site().log('a claim could not be renewed', { error: String(error) });
      return true;
    }
  }

  function stopChecking(): void {
    clearInterval(checking);
    checking = undefined;
  }

  return {
    wake: waker.wake,
    async collect() {
      // Before any renewal that waits is read.
      const nowMs = Date.now();
      if (Math.abs(nowMs - collectedMs) > STILL_MS) await extendClaims(site());
      collectedMs = nowMs;
      collecting ??= collect().finally(() => {
        collecting = undefined;
      });
      await collecting;
    },
    async stop() {
      isStopping = true;
      stopChecking();
      clearTimeout(retry);
      // What it has claimed meanwhile is running then.
      await waker.ended();
      for (const { controller } of running) controller.abort(new Error('The service stops.'));
      await Promise.all([...running].map(({ ended }) => ended));
      await Promise.all([waker.ended(), keeper.ended(), collecting?.catch(() => {})]);
      pictures.stop();
    },
  };
}
