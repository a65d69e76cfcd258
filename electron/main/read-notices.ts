import { readFile } from 'node:fs/promises';

/** Returns the notices that the package contains; null: this build has none, because it is no package. */
export async function readNotices(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
