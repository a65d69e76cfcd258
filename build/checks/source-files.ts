// Which files the checks read.
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** The folders with our files. Everything else at the root is configuration or created by tools. */
const FOLDERS = ['shared', 'electron', 'renderer', 'service', 'build', 'test'];

/** Returns the paths from `root`, with forward slashes, of all our files with one of these endings. */
export async function sourceFiles(root: string, endings: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of FOLDERS) {
    let entries: Awaited<ReturnType<typeof listAll>>;
    try {
      entries = await listAll(join(root, folder));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw error;
    }
    for (const entry of entries) {
      if (!entry.isFile() || !endings.some((ending) => entry.name.endsWith(ending))) continue;
      found.push(relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
    }
  }
  return found.sort();
}

function listAll(folder: string) {
  return readdir(folder, { recursive: true, withFileTypes: true });
}
