import { isAbsolute, relative, sep } from 'node:path';
import type { FileMover } from './file-mover.ts';
import type { Files } from './files.ts';

/** Returns the names from a folder down to a path; empty when the path is the folder itself or not below it. */
export function stepsBelow(folder: string, path: string): string[] {
  const way = relative(folder, path);
  const isOutside = way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  return isOutside ? [] : way.split(sep);
}

/**
 * Returns the file system with a root for each path: the place that the user chose, below which no link is followed. A path whose
 * root is itself is followed: the user chose the link.
 */
export function filesByRoot(files: Files, rootOf: (path: string) => string): Files {
  const at = (path: string) => files.within(rootOf(path));
  return {
    facts: (path) => at(path).facts(path),
    open: (path) => at(path).open(path),
    assertReadable: (path) => at(path).assertReadable(path),
    list: (folder) => at(folder).list(folder),
    within: (root) => files.within(root),
  };
}

/** Returns the mover with a root for each path, as `filesByRoot`. */
export function moverByRoot(mover: FileMover, rootOf: (path: string) => string): FileMover {
  const at = (path: string) => mover.within(rootOf(path));
  return {
    hash: (path, signal) => at(path).hash(path, signal),
    rename: (from, to, options) => at(from).rename(from, to, options),
    copy: (from, to, signal) => at(from).copy(from, to, signal),
    remove: (path) => at(path).remove(path),
    trash: (path) => at(path).trash(path),
    within: (root) => mover.within(root),
  };
}
