import { dirname, isAbsolute, normalize, relative, sep } from 'node:path';
import type { Files } from './files.ts';

/**
 * Returns whether two paths lead to one folder. The disk decides, by device and number, because only it knows whether capitals
 * count. False when a folder does not exist, or its file system gives no numbers; the caller compares the texts before.
 */
export async function isSameFolder(one: string, other: string, files: Pick<Files, 'facts'>): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => files.facts(path).catch(() => null)));
  if (first == null || second == null || first.kind !== 'folder' || /:0$/.test(first.identity)) return false;
  return first.identity === second.identity;
}

/** Returns whether a folder is another one or below it, by the disk. A part that does not exist yet is below the part that does. */
export async function isBelowFolder(path: string, folder: string, files: Pick<Files, 'facts'>): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    if (await isSameFolder(at, folder, files)) return true;
    if (at === dirname(at)) return false;
  }
}

/**
 * Returns the parts of a full path from a folder; null when it leads elsewhere. The disk decides whether its
 * beginning is that folder: capitals and links may differ.
 */
export async function stepsOnDiskBelow(
  path: string,
  { folder, files }: { folder: string; files: Pick<Files, 'facts'> },
): Promise<string[] | null> {
  if (!isAbsolute(path)) return null;
  const full = normalize(path);
  for (let at = dirname(full); ; at = dirname(at)) {
    if (at === folder || (await isSameFolder(at, folder, files))) return relative(at, full).split(sep);
    if (at === dirname(at)) return null;
  }
}
