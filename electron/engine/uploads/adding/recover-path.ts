import { dirname, join, parse, sep } from 'node:path';
import { appError } from '../../../../shared/contract/app-error.ts';
import { isLossyFormOf, mayHaveLostBytes } from '../../ports/byte-paths.ts';
import type { Files } from '../../ports/files.ts';

/**
 * The path of an existing file for one that was given as text, where a name on the way to it is not UTF-8 and lost bytes in
 * becoming text. Returns the path itself where it exists, or where no name in the folder fits.
 * Throws `file.name-not-utf8` when several names can be meant.
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
  // A folder that can't be listed is explained where the path is read.
  const names = await files.list(folder).catch((): string[] => []);
  if (names.includes(name)) return path;
  const [only, another] = names.filter((each) => isLossyFormOf(name, each));
  if (another !== undefined) throw appError('file.name-not-utf8', { details: { path } });
  return only === undefined ? path : join(folder, only);
}
