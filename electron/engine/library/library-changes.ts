import type { EventData } from '../../../shared/contract/contract.ts';
import { Emitter } from '../common/emitter.ts';
import type { Clock } from '../ports/clock.ts';

/** A change in a library. `collectionId` null: any collection; `mediaId` null: any item. */
export type LibraryChange = EventData<'onDidChangeLibrary'>;

export interface LibraryChangeTools {
  clock: Clock;
  /** Clears the cached data of a library. */
  forget(siteId: string): void;
  /** Requests a pass that reads the changes into the copy of a library. */
  passSoon(siteId: string): void;
}

const NOTE_EVERY_MS = 1000;

/** Announces changes of libraries, after their cached data was cleared. */
export class LibraryChanges {
  readonly #tools: LibraryChangeTools;
  readonly #changed = new Emitter<LibraryChange>();
  readonly #noted = new Map<string, { change: LibraryChange; cancel: () => void }>();

  constructor(tools: LibraryChangeTools) {
    this.#tools = tools;
  }

  on(listener: (change: LibraryChange) => void): () => void {
    return this.#changed.on(listener);
  }

  /** Announces a change of a whole library, whose caches the caller has cleared. */
  announceAll(siteId: string): void {
    this.#changed.emit({ siteId, collectionId: null, mediaId: null });
  }

  /** Runs a task that changes a library. Whatever its outcome, the cached data is no longer used. */
  async changing<T>(change: LibraryChange, task: () => Promise<T>): Promise<T> {
    const { forget, passSoon } = this.#tools;
    try {
      return await task();
    } finally {
      forget(change.siteId);
      passSoon(change.siteId);
      this.#changed.emit(change);
    }
  }

  /** Notes a change by another part of the engine. Announced with others of the same library, at most once a second. */
  note(change: LibraryChange): void {
    const { clock, forget, passSoon } = this.#tools;
    forget(change.siteId);
    passSoon(change.siteId);
    const pending = this.#noted.get(change.siteId);
    if (pending !== undefined) {
      pending.change = merge(pending.change, change);
      return;
    }
    const cancel = clock.schedule(NOTE_EVERY_MS, () => {
      const due = this.#noted.get(change.siteId);
      this.#noted.delete(change.siteId);
      if (due === undefined) return;
      forget(change.siteId);
      this.#changed.emit(due.change);
    });
    this.#noted.set(change.siteId, { change, cancel });
  }

  stop(): void {
    for (const { cancel } of this.#noted.values()) cancel();
    this.#noted.clear();
  }
}

/** Returns a change that covers both: `collectionId` null means any collection, `mediaId` null any item. */
function merge(one: LibraryChange, other: LibraryChange): LibraryChange {
  return {
    siteId: one.siteId,
    collectionId: one.collectionId === other.collectionId ? one.collectionId : null,
    mediaId: one.mediaId === other.mediaId ? one.mediaId : null,
  };
}
