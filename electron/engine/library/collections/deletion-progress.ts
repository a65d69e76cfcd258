import type { EventData } from '../../../../shared/contract/contract.ts';
import { Emitter } from '../../common/emitter.ts';

/** A deletion whose caller waits: one or more collections, one after the other. */
interface Run {
  stop: AbortController;
  items: number;
  /** The number of items that were deleted with the earlier collections of the run. */
  before: number;
  /** The number of items of the current collection that were deleted. */
  present: number;
}

const NEVER = new AbortController().signal;

/** The progress of deletions of collections, and their stop. Only one caller at a time deletes in a library. */
export class DeletionProgress {
  readonly onDidProgress = new Emitter<EventData<'onDidProgressDeletion'>>();
  readonly #runs = new Map<string, Run>();

  isRunning(siteId: string): boolean {
    return this.#runs.has(siteId);
  }

  begin(siteId: string, items: number): void {
    this.#runs.set(siteId, { stop: new AbortController(), items, before: 0, present: 0 });
  }

  /** Returns the number of items that were deleted. */
  end(siteId: string): number {
    const run = this.#runs.get(siteId);
    this.#runs.delete(siteId);
    return run === undefined ? 0 : run.before + run.present;
  }

  stop(siteId: string): void {
    this.#runs.get(siteId)?.stop.abort();
  }

  /** Returns a signal that ends the deletion of a collection between two items. */
  signalOf(siteId: string): AbortSignal {
    return this.#runs.get(siteId)?.stop.signal ?? NEVER;
  }

  /** Starts to count the deletion of the next collection. */
  next(siteId: string): void {
    const run = this.#runs.get(siteId);
    if (run === undefined) return;
    run.before += run.present;
    run.present = 0;
  }

  note(siteId: string, deletedItems: number, items: number): void {
    const run = this.#runs.get(siteId);
    if (run !== undefined) run.present = deletedItems;
    const before = run?.before ?? 0;
    this.onDidProgress.emit({ siteId, deletedItems: before + deletedItems, items: run?.items ?? items });
  }
}
