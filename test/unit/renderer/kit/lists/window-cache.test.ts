import { describe, expect, it } from 'vitest';
import { WindowCache } from '../../../../../renderer/kit/lists/window-cache.ts';

const rows = (chunk: number, size = 10) => Array.from({ length: size }, (_, step) => `r${chunk * 10 + step}`);

function filled(total: number, chunks: number[], maxChunks = 60): WindowCache<string> {
  const cache = new WindowCache<string>({ chunkSize: 10, maxChunks });
  for (const chunk of chunks) cache.fill(chunk, cache.begin(chunk), total, rows(chunk));
  return cache;
}

describe('WindowCache', () => {
  it('reports the missing chunks of a range, each once', () => {
    const cache = new WindowCache<string>({ chunkSize: 10 });
    expect(cache.missing(5, 25)).toEqual([0, 1, 2]);
    cache.begin(0);
    cache.begin(1);
    expect(cache.missing(5, 25)).toEqual([2]);
  });

  it('reports nothing beyond the end of the list', () => {
    const cache = filled(15, [0]);
    expect(cache.missing(0, 99)).toEqual([1]);
  });

  it('reports the first chunk of an empty list after an invalidation', () => {
    const cache = new WindowCache<string>({ chunkSize: 10 });
    cache.fill(0, cache.begin(0), 0, []);
    expect(cache.missing(0, 20)).toEqual([]);
    cache.invalidate();
    expect(cache.missing(0, 20)).toEqual([0]);
  });

  it('returns the row at an index, and undefined when it is not loaded', () => {
    const cache = filled(100, [0, 3]);
    expect(cache.rowAt(0)).toBe('r0');
    expect(cache.rowAt(39)).toBe('r39');
    expect(cache.rowAt(12)).toBeUndefined();
  });

  it('refuses rows that were requested before a clear', () => {
    const cache = new WindowCache<string>({ chunkSize: 10 });
    const before = cache.begin(0);
    cache.clear();
    expect(cache.fill(0, before, 10, rows(0))).toBe(false);
    expect(cache.rowAt(0)).toBeUndefined();
  });

  it('keeps old rows after an invalidation until new ones arrive', () => {
    const cache = filled(30, [0]);
    cache.invalidate();
    expect(cache.rowAt(4)).toBe('r4');
    expect(cache.missing(0, 9)).toEqual([0]);
    cache.fill(0, cache.begin(0), 30, ['n0', 'n1', 'n2', 'n3', 'n4']);
    expect(cache.rowAt(4)).toBe('n4');
    expect(cache.missing(0, 9)).toEqual([]);
  });

  it('drops stale rows beyond the end when the list shrank', () => {
    const cache = filled(30, [0, 1, 2]);
    cache.invalidate();
    cache.fill(0, cache.begin(0), 8, rows(0, 8));
    expect(cache.rowAt(25)).toBeUndefined();
  });

  it('keeps a limited number of chunks and drops the least recently used', () => {
    const cache = filled(1000, [0, 1, 2], 3);
    cache.touch(0, 9);
    cache.fill(3, cache.begin(3), 1000, rows(3));
    expect(cache.rowAt(0)).toBe('r0');
    expect(cache.rowAt(10)).toBeUndefined();
    expect(cache.rowAt(30)).toBe('r30');
  });

  it('reports a chunk as missing again after its load failed', () => {
    const cache = new WindowCache<string>({ chunkSize: 10 });
    const generation = cache.begin(0);
    expect(cache.missing(0, 9)).toEqual([]);
    cache.drop(0, generation);
    expect(cache.missing(0, 9)).toEqual([0]);
  });

  it('keeps a chunk in flight when an older load of it fails late', () => {
    const cache = new WindowCache<string>({ chunkSize: 10 });
    const old = cache.begin(0);
    cache.invalidate();
    cache.begin(0);
    cache.drop(0, old);
    expect(cache.missing(0, 9)).toEqual([]);
  });

  it('changes loaded rows and returns whether any changed', () => {
    const cache = filled(20, [0]);
    expect(cache.map((row) => (row === 'r3' ? 'x' : row))).toBe(true);
    expect(cache.rowAt(3)).toBe('x');
    expect(cache.map((row) => row)).toBe(false);
  });

  it('returns every loaded row with its index', () => {
    const cache = filled(30, [2, 0]);
    const loaded = [...cache.loaded()].map(({ index, row }) => `${index} ${row}`);
    expect(loaded).toHaveLength(20);
    expect(loaded).toContain('0 r0');
    expect(loaded).toContain('29 r29');
  });
});
