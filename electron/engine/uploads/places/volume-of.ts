import { dirname } from 'node:path';
import type { KnownFile } from '../../../../shared/model/uploads/follow-ups.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import type { FileFacts, Files } from '../../ports/files.ts';
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

/** `VolumeOf` with a check: a drive that is pulled while files are added must not be taken for the one that holds its folder. */
export interface CheckedVolumes {
  of: VolumeOf;
  /** Call with the first facts of a file, before `of`. */
  check(path: string, facts: Pick<FileFacts, 'identity'>): Promise<void>;
}

/**
 * Returns the keys of volumes like `volumesByFolder`. The first file of each folder is looked at again after its volume was
 * determined: when it is not there any more, the volume of that folder is unknown (empty), and the file is identified by itself.
 */
export function checkedVolumes(volumes: Volumes, files: Pick<Files, 'facts'>): CheckedVolumes {
  const known = new Map<string, string>();
  const placeOf = (path: string, { identity }: Pick<FileFacts, 'identity'>) => `${deviceOf(identity)} ${dirname(path)}`;
  const byFolder = volumesByFolder(volumes);
  return {
    of: (path, facts) => known.get(placeOf(path, facts)) ?? byFolder(path, facts),
    async check(path, facts) {
      const place = placeOf(path, facts);
      if (known.has(place)) return;
      const key = byFolder(path, facts);
      const again = await files.facts(path).catch(() => null);
      known.set(place, again !== null && deviceOf(again.identity) === deviceOf(facts.identity) ? key : '');
    },
  };
}

/** Returns a file as an upload remembers it. */
export function knownFile(path: string, facts: FileFacts, volumeOf: VolumeOf): KnownFile {
  const { identity, sizeBytes, mtimeMs } = facts;
  return { identity, volume: volumeOf(path, facts), sizeBytes, mtimeMs };
}
