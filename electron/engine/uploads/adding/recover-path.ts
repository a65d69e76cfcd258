import { dirname, join, parse, sep } from 'node:path';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { Files } from '../../ports/files.ts';
import { isLossyFormOf, mayHaveLostBytes } from '../../ports/system/byte-paths.ts';

/**
 * Returns the path of an existing file for a path given as text, in which names that are not UTF-8 have lost bytes.
 * Returns the path itself if it exists, or if no name in the folder matches. Throws `file.name-not-utf8` when several
 * names match.
 */
export async function recoverPath(files: Files, path: string): Promise<string> {
  if (!mayHaveLostBytes(path)) return path;
  const { root } = parse(path);
  let found = root;
  for (const name of path.slice(root.length).split(sep)) {
    const given = join(found, name);
    found = mayHaveLostBytes(name) ? await recoverName(files, given, name) : given;
  }
  return found;
}

async function recoverName(files: Files, path: string, name: string): Promise<string> {
  const folder = dirname(path);
  // A folder that can't be listed has no names here: the caller gets the error when it reads the path.
  const names = await files.list(folder).catch((): string[] => []);
  if (names.includes(name)) return path;
  const [only, another] = names.filter((each) => isLossyFormOf(name, each));
  if (another !== undefined) throw appError('file.name-not-utf8', { details: { path } });
  return only === undefined ? path : join(folder, only);
}
