import type { Failpoints } from '../../ports/failpoints.ts';
import type { FileMover } from '../../ports/file-mover.ts';

/**
 * Wraps a file mover; each change of a user's file is a failpoint: `file.rename`, `file.copy`, `file.remove`,
 * `file.trash`.
 */
export function moverWithFailpoints(mover: FileMover, failpoints: Failpoints): FileMover {
  return {
    hash: (path, signal) => mover.hash(path, signal),
    rename: (from, to, options) => failpoints.runAsync('file.rename', () => mover.rename(from, to, options)),
    copy: (from, to, signal) => failpoints.runAsync('file.copy', () => mover.copy(from, to, signal)),
    remove: (path) => failpoints.runAsync('file.remove', () => mover.remove(path)),
    trash: (path) => failpoints.runAsync('file.trash', () => mover.trash(path)),
    within: (root) => moverWithFailpoints(mover.within(root), failpoints),
  };
}
