import { StorageUnavailable } from '../storage/storage-unavailable.ts';
import { type DerivedFile, type DerivedThumb, type Makers, makeEncodings, makeThumb } from './derive.ts';
import { examine } from './examine.ts';
import { BrokenFile, type Facts } from './headers/facts.ts';
import type { Order, Workshop } from './order.ts';
import { placeFailureOf } from './tools/place-failed.ts';
import { WorkEnded } from './work-ended.ts';

/** What the work has found out and made. */
export interface Outcome {
  facts: Facts | null;
  encodings: DerivedFile[];
  thumb: DerivedThumb | null;
  /** Why the file is unusable; null when all work succeeded. */
  reason: string | null;
}

/** Returns the outcome of a file of which nothing was found out or made. */
export function outcomeWithout(reason: string | null): Outcome {
  return { facts: null, encodings: [], thumb: null, reason };
}

/**
 * Examines an original and makes its encodings and its thumbnail. Rejects when that says nothing about the file, so that the work is
 * to be repeated: `StorageUnavailable` of the storage, `PlaceFailed` of the computer, `WorkEnded` when there is no use in it. When
 * `signal` is aborted, the outcome does not count.
 */
export async function workOn(order: Order, workshop: Workshop, found: Makers, signal: AbortSignal): Promise<Outcome> {
  const outcome = outcomeWithout(order.decided?.reason ?? null);
  if (order.decided !== null) return outcome;
  const makers = order.usesTools ? found : { ...found, tools: { ffprobe: null, ffmpeg: null } };
  try {
    const { path, release } = await workshop.original(signal);
    try {
      outcome.facts = await examine(order.file, path, makers.tools, signal);
      outcome.thumb = (await makeThumb(workshop, order, path, outcome.facts, makers, signal)) ?? null;
      outcome.encodings = await makeEncodings(workshop, order, path, outcome.facts, makers.tools, signal);
    } catch (error) {
      if (!signal.aborted) await workshop.check();
      throw error;
    } finally {
      await release();
    }
  } catch (error) {
    if (!signal.aborted) throwIfBrokenOff(error);
    if (!(error instanceof BrokenFile) && !signal.aborted)
      workshop.log('processing failed', { file_id: order.file.id, error: String(error) });
    outcome.reason = error instanceof Error ? error.message : String(error);
  }
  return outcome;
}

/** Throws an error again that says nothing about the file. */
function throwIfBrokenOff(error: unknown): void {
  if (error instanceof StorageUnavailable || error instanceof WorkEnded) throw error;
  const failure = placeFailureOf(error);
  if (failure !== undefined) throw failure;
}
