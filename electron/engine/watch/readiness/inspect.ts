import { basename } from 'node:path';
import type { OpenFile } from '../../ports/files.ts';
import type { OpenFiles } from '../../ports/open-files.ts';
import { checkContainer } from './containers/check-container.ts';
import type { Inspection } from './observations.ts';

/** Reads and probes a file that has been quiet. Rejects when the file can't be read. */
export type Inspect = (path: string, file: OpenFile, sizeBytes: number) => Promise<Inspection>;

/**
 * Returns a function that inspects quiet files. It checks whether another program has a file open only where the contents prove
 * nothing, because the list of open files is long.
 */
export function createInspect(openFiles: OpenFiles): Inspect {
  return async (path, file, sizeBytes) => {
    const container = await checkContainer(basename(path), sizeBytes, (position, length) =>
      readFully(file, position, length),
    );
    const isOpenElsewhere = container.kind === 'unknown' ? await openFiles.isOpenForWriting(path) : null;
    return { isOpenElsewhere, container };
  };
}

/** Reads `length` bytes at `position`; fewer when the file has become shorter. */
export async function readFully(file: OpenFile, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const read = await file.read(bytes, filled, length - filled, position + filled);
    if (read === 0) return bytes.subarray(0, filled);
    filled += read;
  }
  return bytes;
}
