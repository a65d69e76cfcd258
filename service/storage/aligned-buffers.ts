/** Bytes of one buffer; direct writes are made in this size. */
export const ALIGNED_BYTES = 1024 * 1024;
/** Two buffers serve an upload; more uploads than this at once go the ordinary way. */
const BUFFERS = 16;
const PAGE_BYTES = 65_536;

/**
 * Buffers whose addresses are multiples of the page size, which direct writes demand. Node gives no control over a
 * Buffer's address, but WebAssembly memory always starts on a page. The memory is claimed once and touched only as far
 * as it is used.
 */
let free: Buffer[] | undefined;

function pool(): Buffer[] {
  if (free) return free;
  const pages = (ALIGNED_BYTES * BUFFERS) / PAGE_BYTES;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  free = Array.from({ length: BUFFERS }, (_, index) =>
    Buffer.from(memory.buffer, index * ALIGNED_BYTES, ALIGNED_BYTES),
  ).reverse();
  return free;
}

/** Two buffers, or none when all are in use. */
export function takeBuffers(): [Buffer, Buffer] | undefined {
  const held = pool();
  if (held.length < 2) return undefined;
  return [held.pop() as Buffer, held.pop() as Buffer];
}

export function giveBack(buffers: readonly Buffer[]): void {
  pool().push(...buffers);
}
