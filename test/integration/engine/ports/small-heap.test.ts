import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SMALL_HEAP = fileURLToPath(new URL('../../../../electron/engine/ports/system/small-heap.ts', import.meta.url));

/** Holds a few megabytes of objects, and replaces all of them again and again, as a sync does. Prints the largest heap. */
const REPLACING = `
  const ring = [];
  let most = 0;
  for (let n = 0; n < 20_000; n += 1) {
    ring[n % 4000] = Array.from({ length: 100 }, (_, index) => ({ id: n + '-' + index, title: 'Item ' + index }));
    if (n % 100 === 0) most = Math.max(most, process.memoryUsage().heapTotal);
  }
  console.log(most);`;

const largestHeap = (...options: string[]) =>
  Number(
    execFileSync(process.execPath, [...options, '--input-type=module', '--eval', REPLACING], { encoding: 'utf8' }),
  );

test('a program that creates and drops many objects keeps less than half of the memory', () => {
  expect(largestHeap('--import', SMALL_HEAP)).toBeLessThan(largestHeap() / 2);
});
