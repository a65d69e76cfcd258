// Folders of many small files, all different.
import { randomFillSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILES_IN_A_FOLDER = 1000;

export interface SmallFiles {
  folder: string;
  paths: string[];
  remove(): void;
}

export function makeSmallFiles(count: number, sizeBytes: number): SmallFiles {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
  const bytes = randomFillSync(Buffer.alloc(sizeBytes));
  const paths: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const inner = join(folder, `reel ${Math.floor(index / FILES_IN_A_FOLDER) + 1}`);
    if (index % FILES_IN_A_FOLDER === 0) mkdirSync(inner);
    const path = join(inner, `take ${index + 1}.bin`);
    bytes.writeUInt32LE(index);
    writeFileSync(path, bytes);
    paths.push(path);
  }
  return { folder, paths, remove: () => rmSync(folder, { recursive: true }) };
}
