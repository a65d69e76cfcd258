import { basename } from 'node:path';
import type { OpenFile } from '../../ports/files.ts';
import { filledFrom } from '../../ports/filled-from.ts';
import type { AskedFile, OpenFiles } from '../../ports/open-files.ts';
import { checkContainer } from './containers/check-container.ts';
import { isUnfilled } from './containers/zero-tail.ts';
import type { Inspection } from './observations.ts';

/** A quiet file. `blocks`: its allocated blocks of 512 bytes; null: unknown. */
interface QuietFile extends AskedFile {
  sizeBytes: number;
  blocks: number | null;
}

/** Reads and probes a file that has been quiet. Rejects when the file can't be read. */
export type Inspect = (quiet: QuietFile, file: OpenFile) => Promise<Inspection>;

/**
 * Returns a function that inspects quiet files. Contents that look complete prove nothing while another program has the file open
 * for writing, or has not filled it: the program may have written the declared sizes first.
 */
export function createInspect(openFiles: OpenFiles): Inspect {
  return async ({ path, identity, sizeBytes, blocks }, file) => {
    const readAt = (position: number, length: number) => filledFrom(file, new Uint8Array(length), position);
    const container = await checkContainer(basename(path), sizeBytes, readAt);
    if (container.kind === 'incomplete') return { isOpenElsewhere: null, isUnfilled: false, container };
    const isOpenElsewhere = await openFiles.isOpenForWriting({ path, identity });
    return { isOpenElsewhere, isUnfilled: await isUnfilled(sizeBytes, blocks, readAt), container };
  };
}
