/**
 * Rows of a long list, kept in chunks around what was looked at. Knows nothing of where rows come from: it says which
 * chunks are missing and takes what was fetched.
 */
export class WindowCache<T> {
  readonly chunkSize: number;
  readonly #maxChunks: number;
  /** In order of use, the least recent first. */
  readonly #chunks = new Map<number, { rows: readonly T[]; generation: number }>();
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

  /** Chunks of `first..last` (both included) that have to be fetched: absent or stale, and not on their way. */
  missing(first: number, last: number): number[] {
    // An empty list may have grown since: its beginning is always worth a question.
    const end = this.#total === null ? last : Math.max(0, Math.min(last, this.#total - 1));
    const result: number[] = [];
    for (let chunk = Math.floor(Math.max(0, first) / this.chunkSize); chunk * this.chunkSize <= end; chunk += 1) {
      if (this.#chunks.get(chunk)?.generation === this.#generation) continue;
      if (this.#inFlight.get(chunk) === this.#generation) continue;
      result.push(chunk);
    }
    return result;
  }

  /** Marks a chunk as on its way; the generation returned goes back into `fill` or `drop`. */
  begin(chunk: number): number {
    this.#inFlight.set(chunk, this.#generation);
    return this.#generation;
  }

  /** Takes the rows of a chunk; false when they were asked for before the last `invalidate` or `clear`. */
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

  /** A fetch that failed: the chunk may be asked for again. */
  drop(chunk: number, generation: number): void {
    if (this.#inFlight.get(chunk) === generation) this.#inFlight.delete(chunk);
  }

  /** Keeps chunks that are looked at from being the first to go. */
  touch(first: number, last: number): void {
    for (let chunk = Math.floor(first / this.chunkSize); chunk * this.chunkSize <= last; chunk += 1) {
      const kept = this.#chunks.get(chunk);
      if (kept === undefined) continue;
      this.#chunks.delete(chunk);
      this.#chunks.set(chunk, kept);
    }
  }

  /** The rows may have changed: they stay on the screen until their successors arrive. */
  invalidate(): void {
    this.#generation += 1;
    this.#inFlight.clear();
  }

  /** Another list: nothing of the old one may show. */
  clear(): void {
    this.invalidate();
    this.#chunks.clear();
    this.#total = null;
  }

  /** Every loaded row with its index, in no order. */
  *loaded(): Iterable<{ index: number; row: T }> {
    for (const [chunk, { rows }] of this.#chunks) {
      for (const [at, row] of rows.entries()) yield { index: chunk * this.chunkSize + at, row };
    }
  }

  /** Changes loaded rows in place of their old selves; true when any changed. */
  map(change: (row: T) => T): boolean {
    let changed = false;
    for (const [key, chunk] of this.#chunks) {
      let touched = false;
      const rows = chunk.rows.map((row) => {
        const next = change(row);
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
