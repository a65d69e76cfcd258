// A folder of files from 20 KB to 5 MB, most of them small, like the files that accompany recordings.
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
    // The sizes are spread evenly on a logarithmic scale; large and small files alternate.
    const place = ((index * 89) % count) / (count - 1);
    const sizeBytes = Math.round(SMALLEST_BYTES * (LARGEST_BYTES / SMALLEST_BYTES) ** place);
    writeFileSync(join(folder, `take ${index + 1}.bin`), bytes.subarray(0, sizeBytes));
    totalBytes += sizeBytes;
  }
  return { folder, count, totalBytes, remove: () => rmSync(folder, { recursive: true }) };
}
