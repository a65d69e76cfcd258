import { basename, dirname, join, relative, sep } from 'node:path';
import type { FolderWalker } from '../ports/folder-walker.ts';
import { isWithin } from './identity/check-candidate.ts';
import type { WatchedFileStore } from './rows/file-store.ts';
import type { FolderStore } from './rows/folder-store.ts';
import type { WatchedFile } from './rows/watched-file.ts';

/** Returns the rows of files by their full paths, in this order; null: no watched folder knows such a file. */
export function findRows(
  paths: readonly string[],
  { folders, rows, walker }: { folders: FolderStore; rows: WatchedFileStore; walker: FolderWalker },
): Promise<(WatchedFile | null)[]> {
  const find = async (path: string) => {
    // The path may contain a link to the watched folder. A file in a folder that is missing now may still have a row.
    const above = await walker.realPath(dirname(path)).catch(() => dirname(path));
    const real = join(above, basename(path));
    const folder = folders.list().find(({ root }) => isWithin(real, root));
    if (folder === undefined) return null;
    const below = relative(folder.root, real).split(sep).join('/');
    return rows.byPaths(folder.id, [below]).get(below) ?? null;
  };
  return Promise.all(paths.map(find));
}
