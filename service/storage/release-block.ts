/** Smaller blocks may be Node's pool, or belong to a parser. */
const SMALLEST_BLOCK_BYTES = 16 * 1024;

/**
 * Frees the memory block of a received chunk if the chunk ends where the block ends. Only for bytes that are consumed in order
 * and that nothing reads again: afterwards, every view of the block is empty.
 *
 * Node returns every 64 KiB of a request in a separate memory block, which V8 would keep until its next collection. Such blocks
 * count towards a limit at which V8 marks the whole heap, about twenty times for each GiB.
 */
export function releaseBlock({ buffer, byteOffset, length }: Buffer): void {
  const isLastOfBlock = byteOffset + length === buffer.byteLength;
  if (isLastOfBlock && length > 0 && buffer.byteLength >= SMALLEST_BLOCK_BYTES && buffer instanceof ArrayBuffer) {
    buffer.transfer(0);
  }
}
