/**
 * Caches the recently visible rows of a long list, in chunks. It does not load rows: it reports which chunks are missing and
 * accepts loaded ones.
 */
export class WindowCache<T> {
  readonly chunkSize: number;
  readonly #maxChunks: number;
  /** By chunk number, the least recently used first. */
  readonly #chunks = new Map<number, { rows: readonly (T | undefined)[]; generation: number }>();
  readonly #inFlight = new Map<number, number>();
  #generation = 0;
  #total: number | null = null;

  constructor(options: { chunkSize?: number; maxChunks?: number } = {}) {
    this.chunkSize = options.chunkSize ?? 100;
    this.#maxChunks = options.maxChunks ?? 60;
  }

  get generation(): number {
    return this.#generation;
  }

  rowAt(index: number): T | undefined {
    const chunk = this.#chunks.get(Math.floor(index / this.chunkSize));
    return chunk?.rows[index % this.chunkSize];
  }

  /** Returns the chunks of `first..last` (both included) to load: chunks that are absent or stale, and not in flight. */
  missing(first: number, last: number): number[] {
    // An empty list may have grown, so its first chunk is loaded again.
    const end = this.#total === null ? last : Math.max(0, Math.min(last, this.#total - 1));
    const result: number[] = [];
    for (let chunk = Math.floor(Math.max(0, first) / this.chunkSize); chunk * this.chunkSize <= end; chunk += 1) {
      if (this.#chunks.get(chunk)?.generation === this.#generation) continue;
      if (this.#inFlight.get(chunk) === this.#generation) continue;
      result.push(chunk);
    }
    return result;
  }

  /** Marks a chunk as in flight. Returns the generation to pass to `fill` or `drop`. */
  begin(chunk: number): number {
    this.#inFlight.set(chunk, this.#generation);
    return this.#generation;
  }

  /** Stores the rows of a chunk. Returns false when they were requested before the last `invalidate` or `clear`. */
  fill(chunk: number, generation: number, total: number, rows: readonly T[]): boolean {
    if (generation !== this.#generation) return false;
    this.#inFlight.delete(chunk);
    this.#total = total;
    this.#chunks.delete(chunk);
    this.#chunks.set(chunk, { rows, generation });
    for (const [key, kept] of this.#chunks) {
      const beyondEnd = key * this.chunkSize >= total;
      if (beyondEnd && kept.generation !== this.#generation) this.#chunks.delete(key);
    }
    while (this.#chunks.size > this.#maxChunks) {
      const oldest = this.#chunks.keys().next().value;
      if (oldest === undefined) break;
      this.#chunks.delete(oldest);
    }
    return true;
  }

  /** Marks a chunk as no longer in flight, after its load failed. */
  drop(chunk: number, generation: number): void {
    if (this.#inFlight.get(chunk) === generation) this.#inFlight.delete(chunk);
  }

  /** Marks the chunks of visible rows as recently used. */
  touch(first: number, last: number): void {
    for (let chunk = Math.floor(first / this.chunkSize); chunk * this.chunkSize <= last; chunk += 1) {
      const kept = this.#chunks.get(chunk);
      if (kept === undefined) continue;
      this.#chunks.delete(chunk);
      this.#chunks.set(chunk, kept);
    }
  }

  /** Marks all rows as stale. They stay in the cache until newer ones replace them. */
  invalidate(): void {
    this.#generation += 1;
    this.#inFlight.clear();
  }

  /** Removes all rows, for another list. */
  clear(): void {
    this.invalidate();
    this.#chunks.clear();
    this.#total = null;
  }

  /** Returns every loaded row with its index, in no particular order. */
  *loaded(): Iterable<{ index: number; row: T }> {
    for (const [chunk, { rows }] of this.#chunks) {
      for (const [at, row] of rows.entries()) {
        if (row !== undefined) yield { index: chunk * this.chunkSize + at, row };
      }
    }
  }

  /** Replaces loaded rows by what `change` returns; undefined: the row is not loaded any more. Returns whether any row changed. */
  map(change: (row: T) => T | undefined): boolean {
    let changed = false;
    for (const [key, chunk] of this.#chunks) {
      let touched = false;
      const rows = chunk.rows.map((row) => {
        const next = row === undefined ? row : change(row);
        if (next !== row) touched = true;
        return next;
      });
      if (touched) {
        this.#chunks.set(key, { rows, generation: chunk.generation });
        changed = true;
      }
    }
    return changed;
  }
}
