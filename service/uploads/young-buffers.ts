import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Received bytes between two minor collections; the decision on receiving uploads has the figures. */
const BYTES_BETWEEN = 16 * 1024 * 1024;

type Collect = (options: { type: 'minor' }) => void;

let since = 0;
let collect: Collect | undefined;

/**
 * Counts bytes whose buffers are no longer needed, and lets V8 free these buffers from time to time.
 *
 * Node returns every 64 KiB from a socket in a separate memory block. V8 counts such blocks towards a limit at which it
 * marks the whole heap, about twenty times for each GiB. A minor collection would free them at almost no cost, but V8
 * starts one only when its young generation is full, which has few objects here. Therefore this function requests the
 * minor collection before the major one is due.
 */
export function countReleasedBytes(bytes: number): void {
  since += bytes;
  if (since < BYTES_BETWEEN) return;
  since = 0;
  collect ??= findCollect();
  collect({ type: 'minor' });
}

/** V8 adds the function to contexts that are created while the flag is set. This context contains nothing else. */
function findCollect(): Collect {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  return typeof found === 'function' ? (found as Collect) : () => {};
}
