import { type AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { FollowUp, KnownFile } from '../../../../shared/model/uploads/follow-ups.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import type { FileFacts } from '../../ports/files.ts';
import type { Volumes } from '../../ports/volumes.ts';
import { knownFile, volumesByFolder } from '../places/volume-of.ts';
import { isSameNumber, isTelling, sameFile } from './same-file.ts';

/**
 * Returns why a file may not be used as the captions, thumbnail or details file of an upload: another file is at its path
 * (`file.replaced`), or another drive (`file.drive-gone`). Null: it is the file that was added, possibly rewritten, or the row is of
 * an earlier version, which did not record it. `facts`: of the opened file, so that the path can't change in between.
 */
export function companionProblem(
  { path, known }: Pick<FollowUp, 'path' | 'known'>,
  facts: FileFacts,
  volumes: Volumes,
): AppError | null {
  if (known === undefined || known.identity === '') return null;
  const volume = volumes.of(path, deviceOf(facts.identity));
  switch (sameFile(known, facts, volume)) {
    case 'same':
      return null;
    case 'other-volume':
      return appError('file.drive-gone', { details: { path, volume: known.volume } });
    case 'likely': {
      // Size and time are equal. Their bytes were not read when it was added, so its number decides where it identifies a file.
      const isNumbered = isTelling(facts.identity) && volume.hasFileNumbers;
      return isNumbered && !isSameNumber(facts.identity, known.identity)
        ? replaced(path, known.sizeBytes, facts)
        : null;
    }
    case 'another':
      return replaced(path, known.sizeBytes, facts);
  }
}

/** Returns an opened companion as its upload remembers it from now on. */
export function companionNow(path: string, facts: FileFacts, volumes: Volumes): KnownFile {
  return knownFile(path, facts, volumesByFolder(volumes));
}

function replaced(path: string, addedBytes: number, { sizeBytes }: FileFacts): AppError {
  return appError('file.replaced', { details: { path, addedBytes, foundBytes: sizeBytes } });
}
