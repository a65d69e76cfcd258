import type { FileFacts } from '../../ports/files.ts';
import { fileNumberOf } from '../identity/root-check.ts';
import type { Fingerprint } from '../rows/watched-file.ts';

/** Returns whether an opened file is the one that was listed with this size, time and number. */
export function isSameFile({ kind, sizeBytes, mtimeMs, identity }: FileFacts, listed: Fingerprint): boolean {
  const isSameNumber = fileNumberOf(identity) === fileNumberOf(listed.fileId);
  return kind === 'file' && sizeBytes === listed.sizeBytes && mtimeMs === listed.mtimeMs && isSameNumber;
}
