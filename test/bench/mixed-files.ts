// A folder of files from 20 KB to 5 MB, most of them small, as recordings' companions are.
import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SMALLEST_BYTES = 20_000;
const LARGEST_BYTES = 5_000_000;

export interface MixedFiles {
  folder: string;
  count: number;
  totalBytes: number;
  remove(): void;
}

export function makeMixedFiles(count: number): MixedFiles {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
  const bytes = randomFillSync(Buffer.alloc(LARGEST_BYTES));
  let totalBytes = 0;
  for (let index = 0; index < count; index += 1) {
    // Evenly spread on a scale of ratios, large and small ones taking turns.
    const place = ((index * 89) % count) / (count - 1);
    const sizeBytes = Math.round(SMALLEST_BYTES * (LARGEST_BYTES / SMALLEST_BYTES) ** place);
    writeFileSync(join(folder, `take ${index + 1}.bin`), bytes.subarray(0, sizeBytes));
    totalBytes += sizeBytes;
  }
  return { folder, count, totalBytes, remove: () => rmSync(folder, { recursive: true }) };
}
