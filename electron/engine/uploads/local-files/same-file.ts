import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { hasFileNumber } from '../../ports/file-identity.ts';
import type { FileFacts } from '../../ports/files.ts';
import type { Volume } from '../../ports/volumes.ts';

/**
 * How a file at an upload's path relates to the file that the user added.
 * - `same`: it is that file, possibly rewritten.
 * - `likely`: size and time agree, and nothing else identifies it: only equal contents prove it.
 * - `another`: it is another file.
 * - `other-volume`: another drive is mounted at the path.
 */
export type Sameness = 'same' | 'likely' | 'another' | 'other-volume';

type Known = Pick<Upload, 'identity' | 'sizeBytes' | 'mtimeMs' | 'volume'>;

/** Decides whether a file is the one of an upload. `volume`: the volume at its path now. */
export function sameFile(upload: Known, facts: FileFacts, volume: Volume): Sameness {
  const isKept = facts.sizeBytes === upload.sizeBytes && facts.mtimeMs === upload.mtimeMs;
  const isItsVolume = upload.volume === volume.key;
  const isCertain = isItsVolume && volume.isCertain;
  if (!isItsVolume && isPhysical(upload.volume)) return 'other-volume';
  if (isTelling(facts.identity) && facts.identity === upload.identity) {
    // Drives without an identifier get the same device one after the other, and their first files the same numbers.
    const isProven = isKept || isCertain || upload.volume === '';
    return isProven ? 'same' : 'another';
  }
  if (!isCertain) return isKept ? 'likely' : 'another';
  // The volume was mounted again: the device has another number, and the file the same one.
  if (!isTelling(facts.identity) || isSameNumber(facts.identity, upload.identity)) return 'same';
  return isKept ? 'likely' : 'another';
}

/** Returns whether the key of a volume is an identifier of one file system, wherever it is mounted. */
export function isPhysical(key: string): boolean {
  return key.startsWith('uuid:') || key.startsWith('serial:');
}

/** Returns whether an identity is known and unique to a file. */
export function isTelling(identity: string): boolean {
  return identity !== '' && hasFileNumber(identity);
}

/** Returns whether two identities have the same number, on whatever device. */
export function isSameNumber(one: string, other: string): boolean {
  return numberOf(one) === numberOf(other);
}

function numberOf(identity: string): string {
  return identity.slice(identity.indexOf(':') + 1);
}
