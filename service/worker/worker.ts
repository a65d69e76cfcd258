import { rm } from 'node:fs/promises';
import { checkScratch } from '../processing/check-scratch.ts';
import type { Makers } from '../processing/derive.ts';
import type { Workshop } from '../processing/order.ts';
import { pause } from '../processing/pause.ts';
import { PlaceFailed } from '../processing/tools/place-failed.ts';
import { workOn } from '../processing/work.ts';
import { ClaimLost } from '../processing/work-ended.ts';
import type { Log } from '../site/site.ts';
import type { Scratch } from '../storage/scratch.ts';
import type { ClaimAnswer } from '../workers/protocol.ts';
import { createMemory, type WorkerMemory } from './memory.ts';
import { contentSizeOf, type ServiceLink, WorkerRefused } from './service-link.ts';

/** Without work, the service is asked again after this time. */
const IDLE_MS = 1000;
/** After a failure of this computer. */
const FAILED_MS = 10_000;
/** The time in which the answer to a question for work may still arrive when the worker is stopped. */
const LAST_ANSWER_MS = 3000;

export interface WorkerOptions {
  link: ServiceLink;
  makers: Makers;
  /** Opens the folder of temporary files, which is created if it is not there. */
  openScratch: () => Pick<Scratch, 'path' | 'tryWrite' | 'space'>;
  log: Log;
  /** The number of files that are processed at the same time. */
  parallel: number;
  /** Ends the work: files that are not finished are given back. */
  signal: AbortSignal;
}

/** Processes files for a service until the signal is aborted. Rejects with `WorkerRefused`. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { link, log, parallel, signal } = options;
  const refused = new AbortController();
  const stopping = AbortSignal.any([signal, refused.signal]);
  const running = new Map<string, Promise<void>>();
  const memory = createMemory();
  // The service counts a claim as a crash when its answer is not received. So the answer is awaited, and the claim is given back.
  const asking = later(stopping, LAST_ANSWER_MS);
  while (!stopping.aborted) {
    if (running.size >= parallel) {
      await Promise.race(running.values());
      continue;
    }
    if (!(await hasPlace(options))) {
      await pause(FAILED_MS, stopping);
      continue;
    }
    const answer = await nextClaim(link, memory, [...running.keys()], asking, (error) => refused.abort(error));
    if (answer === null) {
      await Promise.race([pause(IDLE_MS, stopping), ...running.values()]);
      continue;
    }
    const { claim, order } = answer;
    const work = processOne(options, memory, answer, stopping)
      .catch((error) => {
        if (error instanceof WorkerRefused) refused.abort(error);
        else log('work was given back', { file_id: order.file.id, error: String(error) });
      })
      .finally(() => running.delete(claim));
    running.set(claim, work);
  }
  await Promise.all(running.values());
  if (refused.signal.aborted) throw refused.signal.reason;
}

/** Returns a signal that is aborted this time after another one. */
function later(signal: AbortSignal, ms: number): AbortSignal {
  const controller = new AbortController();
  const abort = () => void setTimeout(() => controller.abort(signal.reason), ms).unref();
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}

/** Whether temporary files can be written. A cleaner of the system may have deleted their folder, which is made again. */
async function hasPlace({ openScratch, log }: WorkerOptions): Promise<boolean> {
  try {
    await checkScratch(openScratch());
    return true;
  } catch (error) {
    log('no work is taken', { error: String(error) });
    return false;
  }
}

async function nextClaim(
  link: ServiceLink,
  memory: WorkerMemory,
  holds: readonly string[],
  signal: AbortSignal,
  onRefused: (error: unknown) => void,
): Promise<ClaimAnswer | null> {
  const returns = memory.returns();
  try {
    const answer = await link.claim({ holds, returns, avoids: memory.avoids() }, signal);
    memory.returned(returns);
    return answer;
  } catch (error) {
    if (!signal.aborted) onRefused(error);
    return null;
  }
}

/** Processes one file. Rejects when it was given back. */
async function processOne(
  { link, makers, openScratch, log }: WorkerOptions,
  memory: WorkerMemory,
  answer: ClaimAnswer,
  stopping: AbortSignal,
): Promise<void> {
  const { claim, order } = answer;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const renewal = keepClaim(link, answer, signal, () => lost.abort(new ClaimLost()));
  const scratch = openScratch();
  const original = scratch.path();
  const workshop: Workshop = {
    scratch,
    log,
    async original() {
      await link.download(answer, original, signal);
      return { path: original, release: () => rm(original, { force: true }) };
    },
    async check() {
      await checkScratch(scratch);
      if ((await contentSizeOf(original)) !== order.file.size)
        throw new PlaceFailed('The copy of the original is gone.');
    },
    keep: (path) => link.sendProduct(claim, path, signal),
  };
  let isFinished = false;
  let isSuspect = false;
  try {
    await pause(order.delayMs, signal);
    const outcome = await workOn(order, workshop, makers, signal);
    signal.throwIfAborted();
    await link.finish(claim, outcome, signal);
    isFinished = true;
  } catch (error) {
    if (error instanceof PlaceFailed) {
      isSuspect = error.isSuspect;
      memory.avoid(order.file.id);
    }
    throw error;
  } finally {
    lost.abort(new ClaimLost());
    await renewal;
    await rm(original, { force: true });
    if (!isFinished) await giveBack(claim, isSuspect);
  }

  /** A service that does not answer takes the file back by itself, when the claim has expired. */
  async function giveBack(id: string, mayBeReason: boolean): Promise<void> {
    try {
      await link.release(id, mayBeReason);
    } catch (error) {
      log('a claim was not given back', { error: String(error) });
      if (!mayBeReason) memory.returnLater(id);
    }
  }
}

/** Renews a claim until `signal` is aborted. `onLost`: it is lost, or the service may have given it to another worker. */
async function keepClaim(
  link: ServiceLink,
  answer: ClaimAnswer,
  signal: AbortSignal,
  onLost: () => void,
): Promise<void> {
  const { claim, lease_ms: leaseMs } = answer;
  let renewedAt = performance.now();
  while (!signal.aborted) {
    await pause(leaseMs / 4, signal);
    if (signal.aborted) return;
    const askedAt = performance.now();
    try {
      if (!(await link.renew(claim, AbortSignal.any([signal, AbortSignal.timeout(leaseMs / 4)])))) return onLost();
      renewedAt = askedAt;
    } catch {
      // The service is asked again; until the lease has passed, nobody else has the file.
      if (performance.now() - renewedAt > leaseMs) return onLost();
    }
  }
}
