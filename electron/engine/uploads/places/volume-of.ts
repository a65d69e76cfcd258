import { basename, dirname } from 'node:path';
import type { CompanionFile, KnownFile } from '../../../../shared/model/uploads/follow-ups.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import type { FileFacts } from '../../ports/files.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import type { Volumes } from '../../ports/volumes.ts';

/** Returns the key of the volume of a file. */
export type VolumeOf = (path: string, facts: Pick<FileFacts, 'identity'>) => string;

/** Returns the keys of volumes while files are added: the files of one folder are on one volume, and there may be very many. */
export function volumesByFolder(volumes: Volumes): VolumeOf {
  const known = new Map<string, string>();
  return (path, { identity }) => {
    const device = deviceOf(identity);
    const place = `${device} ${dirname(path)}`;
    const key = known.get(place) ?? volumes.of(path, device).key;
    known.set(place, key);
    return key;
  };
}

/** Returns a file as an upload remembers it. */
export function knownFile(path: string, facts: FileFacts, volumeOf: VolumeOf): KnownFile {
  const { identity, sizeBytes, mtimeMs } = facts;
  return { identity, volume: volumeOf(path, facts), sizeBytes, mtimeMs };
}

/** Returns a file beside a recording as its upload remembers it. */
export function companionFile(
  { kind, path, facts }: Pick<CompanionFile, 'kind' | 'path'> & { facts: FileFacts },
  volumeOf: VolumeOf,
): CompanionFile {
  return { kind, path, fileName: shownName(basename(path)), known: knownFile(path, facts, volumeOf) };
}
