import { sep } from 'node:path';
import { appError } from '../../../../shared/contract/app-error.ts';
import { SYSTEM_FOLDER_NAMES } from '../../../../shared/model/ignored-names.ts';
import { nameOf } from '../../../../shared/model/watch/watched-file.ts';
import type { FolderEventListeners, FolderEvents } from '../folder-events.ts';

/** Codes for a system without room for another watch, or a process without room for another open file. */
const LIMITS: ReadonlySet<string> = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM']);
/** Codes for a folder that does not exist or may not be read: the sweep reports it. */
const ORDINARY: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

/** Events of the operating system through chokidar. This is the only module that imports it. */
export const chokidarEvents: FolderEvents = {
  subscribe(root, listeners) {
    const opening = open(root, listeners).catch((error: unknown) => {
      listeners.onFault(faultOf(error));
      return null;
    });
    return async () => {
      await (await opening)?.close();
    };
  },
};

/** Subscribes to a folder. chokidar is loaded with the first one, because most runs of the command line watch none. */
async function open(root: string, { onHint, onReady, onFault }: FolderEventListeners) {
  const { watch } = await import('chokidar');
  const relative = (path: string) =>
    path.startsWith(root) ? path.slice(root.length).split(sep).filter(Boolean).join('/') : null;
  const watcher = watch(root, {
    // The sweep finds existing files.
    ignoreInitial: true,
    followSymlinks: false,
    // Both options delay events, and the sweep decides anyway.
    atomic: false,
    awaitWriteFinish: false,
    ignorePermissionErrors: true,
    // Each folder uses a watch of the system, and snapshots and trash folders have many.
    ignored: (path, stats) => stats?.isDirectory() === true && isLeftOut(relative(path)),
  });
  watcher.on('all', (event, path) => {
    const at = relative(path);
    if (at === null) return;
    if (event === 'add' || event === 'change') onHint({ path: at, isFolder: false });
    // Deletions are not reported, because those of a disconnected drive look the same: polls and sweeps detect them.
    else if (event === 'addDir') onHint({ path: at, isFolder: true });
  });
  watcher.on('ready', onReady);
  watcher.on('error', (error) => {
    if (!ORDINARY.has(codeOf(error))) onFault(faultOf(error));
  });
  return watcher;
}

function isLeftOut(path: string | null): boolean {
  const name = path === null ? '' : nameOf(path);
  return name.startsWith('.') || SYSTEM_FOLDER_NAMES.includes(name.toLowerCase());
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code ?? '');
}

function faultOf(error: unknown) {
  const reason = codeOf(error) || String((error as Error | null)?.message ?? error);
  return appError(LIMITS.has(codeOf(error)) ? 'watch.events-limit' : 'watch.events-failed', {
    details: { reason },
    cause: error,
  });
}
