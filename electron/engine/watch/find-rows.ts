import { basename, dirname, join, relative, sep } from 'node:path';
import type { Files } from '../ports/files.ts';
import type { FolderWalker } from '../ports/folder-walker.ts';
import { isSameFolder } from '../ports/same-folder.ts';
import { fileNumberOf } from './identity/root-check.ts';
import type { WatchedFileStore } from './rows/file-store.ts';
import type { FolderRecord, FolderStore } from './rows/folder-store.ts';
import type { WatchedFile } from './rows/watched-file.ts';

interface FindTools {
  folders: FolderStore;
  rows: WatchedFileStore;
  walker: FolderWalker;
  files: Files;
}

/** Returns the watched folder at a path, by any spelling of it that the disk accepts; null: it is not watched. */
export async function folderAt(
  path: string,
  { folders, files }: Pick<FindTools, 'folders' | 'files'>,
): Promise<FolderRecord | null> {
  const all = folders.list();
  const exact = all.find(({ root }) => root === path);
  if (exact !== undefined) return exact;
  for (const folder of all) if (await isSameFolder(path, folder.root, files)) return folder;
  return null;
}

/** Returns the rows of files by their full paths, in this order; null: no watched folder knows such a file. */
export function findRows(paths: readonly string[], tools: FindTools): Promise<(WatchedFile | null)[]> {
  return Promise.all(paths.map((path) => findRow(path, tools)));
}

async function findRow(path: string, tools: FindTools): Promise<WatchedFile | null> {
  const { rows, walker, files } = tools;
  // The path may contain a link to the watched folder. A file in a folder that is missing now may still have a row.
  const above = await walker.realPath(dirname(path)).catch(() => dirname(path));
  for (let at = above; ; at = dirname(at)) {
    const folder = await folderAt(at, tools);
    if (folder !== null) {
      const below = relative(at, join(above, basename(path)))
        .split(sep)
        .join('/');
      const row = rows.byPaths(folder.id, [below]).get(below);
      if (row !== undefined) return row;
      // The path may have other capitals than the name on the disk.
      const facts = await files.facts(path).catch(() => null);
      const fileId = facts === null ? '0' : fileNumberOf(facts.identity);
      const [other = null] = fileId === '0' ? [] : rows.ofFile(folder.id, fileId, '');
      return other;
    }
    if (at === dirname(at)) return null;
  }
}
