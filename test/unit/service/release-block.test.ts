import { describe, expect, test } from 'vitest';
import { releaseBlock } from '../../../service/storage/release-block.ts';

const BLOCK_BYTES = 64 * 1024;
const block = () => Buffer.from(new ArrayBuffer(BLOCK_BYTES));

describe('the memory block of a received chunk', () => {
  test('is freed when the chunk ends with it', () => {
    const whole = block();
    releaseBlock(whole);
    expect(whole.length).toBe(0);
    const bytes = block();
    releaseBlock(bytes.subarray(300));
    expect(bytes.length).toBe(0);
  });

  test('is kept while bytes behind the chunk may be read', () => {
    const bytes = block();
    releaseBlock(bytes.subarray(0, BLOCK_BYTES - 1));
    releaseBlock(bytes.subarray(BLOCK_BYTES));
    expect(bytes.length).toBe(BLOCK_BYTES);
  });

  test('is kept when it is small, because a parser reuses small blocks', () => {
    const bytes = Buffer.alloc(8192);
    releaseBlock(bytes);
    expect(bytes.length).toBe(8192);
  });
});
