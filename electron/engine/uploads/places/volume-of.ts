import { dirname } from 'node:path';
import { deviceOf } from '../../ports/file-identity.ts';
import type { FileFacts } from '../../ports/files.ts';
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
