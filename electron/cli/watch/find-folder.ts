import { resolve } from 'node:path';
import { appError } from '../../../shared/contract/app-error.ts';
import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import type { Engine } from '../../engine/engine.ts';

/** Returns the watched folder with this ID or path. Throws `watch.unknown-folder`. */
export async function findFolder(engine: Engine, name: string): Promise<WatchedFolder> {
  const folders = await engine.call('watch.list', null);
  const found = folders.find(({ id }) => id === name) ?? (await engine.call('watch.at', { path: resolve(name) }));
  if (found === null) {
    throw appError('watch.unknown-folder', {
      message: `No folder is watched as “${name}”.`,
      details: { folder: name },
    });
  }
  return found;
}
