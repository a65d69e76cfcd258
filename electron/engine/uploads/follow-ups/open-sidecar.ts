import { appError } from '../../../../shared/contract/app-error.ts';
import type { FollowUp, KnownFile } from '../../../../shared/model/uploads/follow-ups.ts';
import type { OpenFile } from '../../ports/files.ts';
import { companionNow, companionProblem } from '../local-files/known-companion.ts';
import type { FollowUpTools } from './follow-up-tools.ts';

/** What is sent as captions or as a thumbnail: the local file, or bytes that were made of it. */
export interface OpenSidecar {
  file: OpenFile;
  sizeBytes: number;
  mtimeMs: number;
}

/**
 * Opens captions or a thumbnail. `known`: the file as it is now, to be stored when it was sent. Throws the errors of `Files.open`
 * and of `companionProblem`.
 */
export async function openSidecar(
  followUp: FollowUp,
  { files, volumes }: Pick<FollowUpTools, 'files' | 'volumes'>,
): Promise<OpenSidecar & { known: KnownFile }> {
  const { path } = followUp;
  const file = await files.open(path);
  try {
    const facts = await file.facts();
    const problem = companionProblem(followUp, facts, volumes);
    if (problem !== null) throw problem;
    const { sizeBytes, mtimeMs } = facts;
    if (sizeBytes === 0) throw appError('file.empty', { details: { path } });
    return { file, sizeBytes, mtimeMs, known: companionNow(path, facts, volumes) };
  } catch (error) {
    closeSoon(file);
    throw error;
  }
}

/**
 * Closes a file without waiting, because a disk or share that never answers would block the slot. A failed close of a read-only
 * file loses nothing.
 */
export function closeSoon(file: OpenFile): void {
  file.close().catch(() => {});
}
