import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { AssetTable } from './asset-lookup.ts';

/** Lists all plain files below `root`. Symbolic links are omitted, because they can lead outside. */
export async function readAssets(root: string): Promise<AssetTable> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(root, file).split(sep).map(encodeURIComponent).join('/')}`, file]));
}
