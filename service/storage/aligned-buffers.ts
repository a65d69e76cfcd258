/** Size of one buffer and of one direct write. */
export const ALIGNED_BYTES = 1024 * 1024;
/** Each upload uses two buffers; further concurrent uploads are written through the page cache. */
const BUFFERS = 16;
const PAGE_BYTES = 65_536;

/**
 * Buffers at multiples of the page size, as direct writes require. Node cannot choose the address of a Buffer, but
 * WebAssembly memory always begins on a page. The memory is allocated once and becomes resident only as far as it is
 * used.
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

/** Returns two buffers, or undefined when too few are free. */
export function takeBuffers(): [Buffer, Buffer] | undefined {
  const held = pool();
  if (held.length < 2) return undefined;
  return [held.pop() as Buffer, held.pop() as Buffer];
}

export function giveBack(buffers: readonly Buffer[]): void {
  pool().push(...buffers);
}
