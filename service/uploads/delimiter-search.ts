/** Finds a sequence of bytes in a stream of chunks, wherever the chunks are cut. */
export interface DelimiterSearch {
  /**
   * Looks through a chunk from `from`. Everything before the delimiter goes to `emit`, as views that must not be changed;
   * what may be its beginning waits for the next chunk. Returns the position behind the delimiter, or -1 when it did not
   * end in this chunk.
   */
  next(chunk: Buffer, from: number, emit: (bytes: Buffer) => void): number;
  /** Begins anew, as if the first bytes of the delimiter, as many as given, had just come. */
  restart(alreadyThere: number): void;
}

export function createDelimiterSearch(delimiter: Buffer): DelimiterSearch {
  /** Bytes at the end of what has come that are the beginning of the delimiter. They are not kept: it has the same. */
  let held = 0;

  function next(whole: Buffer, start: number, emit: (bytes: Buffer) => void): number {
    let [chunk, from, shift] = [whole, start, 0];
    if (held > 0 && chunk.length > from) {
      // A match that begins in what is held ends within the length of the delimiter.
      const seam = Buffer.concat([delimiter.subarray(0, held), chunk.subarray(from, from + delimiter.length)]);
      const isAll = seam.length - held === chunk.length - from;
      const at = seam.indexOf(delimiter);
      if (isAll) {
        [chunk, from, shift] = [seam, 0, from - held];
      } else if (at >= 0 && at < held) {
        if (at > 0) emit(delimiter.subarray(0, at));
        const end = from - held + at + delimiter.length;
        held = 0;
        return end;
      } else {
        emit(delimiter.subarray(0, held));
      }
      held = 0;
    }
    const at = chunk.indexOf(delimiter, from);
    if (at >= 0) {
      if (at > from) emit(chunk.subarray(from, at));
      return at + delimiter.length + shift;
    }
    if (chunk.length > from) hold(chunk, from, emit);
    return -1;
  }

  /** Emits a chunk without its end where that may be the beginning of the delimiter. */
  function hold(chunk: Buffer, from: number, emit: (bytes: Buffer) => void): void {
    held = beginningAtEnd(chunk, from);
    if (chunk.length - held > from) emit(chunk.subarray(from, chunk.length - held));
  }

  /** How many of the last bytes may be the beginning of the delimiter; the most that fit. */
  function beginningAtEnd(chunk: Buffer, from: number): number {
    const first = delimiter[0] ?? 0;
    let at = chunk.indexOf(first, Math.max(from, chunk.length - delimiter.length + 1));
    while (at >= 0) {
      const length = chunk.length - at;
      if (chunk.compare(delimiter, 0, length, at) === 0) return length;
      at = chunk.indexOf(first, at + 1);
    }
    return 0;
  }

  return {
    next,
    restart(alreadyThere) {
      held = alreadyThere;
    },
  };
}
