import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes between two collections; see the decision on receiving uploads for the figures. */
const BYTES_BETWEEN = 16 * 1024 * 1024;

type Collect = (options: { type: 'minor' }) => void;

let since = 0;
let collect: Collect | undefined;

/**
 * Counts bytes that have come in and are done with, and has their buffers freed from time to time.
 *
 * Node hands every 64 KiB from a socket over in a memory block of its own. V8 counts such blocks towards a limit after
 * which it marks the whole heap, some twenty times for each GiB; the small collection, which would free them nearly for
 * nothing, it begins only when its own young objects have filled up, and they are few. So the small one is asked for
 * here, before the large one is due.
 */
export function doneWith(bytes: number): void {
  since += bytes;
  if (since < BYTES_BETWEEN) return;
  since = 0;
  collect ??= findCollect();
  collect({ type: 'minor' });
}

/** V8 gives the function to a context that is made while the flag is set. Nothing else here is in that context. */
function findCollect(): Collect {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  return typeof found === 'function' ? (found as Collect) : () => {};
}
