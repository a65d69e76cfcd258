import { link, lstat, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { SaveFile } from '../save-file.ts';
import { systemPath } from './byte-paths.ts';
import { isHeldByOther } from './held-file.ts';
import { nodeRandom } from './node-random.ts';
import { renameFile } from './rename-file.ts';

type Path = ReturnType<typeof systemPath>;

/** The real disk. */
export const nodeSaveFile: SaveFile = async (path, pieces, { isNew = false } = {}) => {
  // Hidden, so that a watched folder ignores it. Unique for each save, and short, because the name of the file can have the
  // maximum length.
  const temporary = systemPath(join(dirname(path), `.mediadesk-${nodeRandom.uuid()}.tmp`));
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      for await (const piece of pieces) await handle.writeFile(piece);
      // Some systems report a full disk only at the sync.
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isNew) await nameOnce(temporary, systemPath(path));
    else await renameFile(temporary, systemPath(path));
  } catch (cause) {
    // An error of the removal is ignored: it has the same reason as that of the write, which is reported.
    await rm(temporary, { force: true }).catch(() => {});
    throw cause instanceof AppError ? cause : await savingError(cause, path);
  }
};

/** Gives a file its name, and fails with `EEXIST` when another file has it. */
async function nameOnce(temporary: Path, path: Path): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // A drive without second names, such as FAT: only another file that appears at this moment is replaced.
    const isTaken = await lstat(path).then(
      () => true,
      () => false,
    );
    if (isTaken) throw Object.assign(new Error('another file has the name'), { code: 'EEXIST' });
    return renameFile(temporary, path);
  }
  await rm(temporary, { force: true });
}

/** The sentences for the reasons that a person can change. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ...(['ENOSPC', 'EDQUOT'] as const).map((code) => [code, 'The file couldn’t be saved: the drive is full.'] as const),
  ...(['EACCES', 'EPERM', 'EROFS'] as const).map(
    (code) => [code, 'The file couldn’t be saved: you may not write to this folder.'] as const,
  ),
  ...(['ENOENT', 'ENOTDIR'] as const).map(
    (code) => [code, 'The file couldn’t be saved: its folder doesn’t exist.'] as const,
  ),
  ['EISDIR', 'The file couldn’t be saved: a folder has this name.'],
]);

async function savingError(cause: unknown, path: string): Promise<AppError> {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const details = { path, reason: code || message };
  if (code === 'EEXIST') return appError('manifest.file-exists', { details, cause });
  if (await isHeldByOther(cause, path)) return appError('manifest.file-in-use', { details, cause });
  const sentence = SENTENCES.get(code);
  return appError('manifest.not-saved', { ...(sentence === undefined ? {} : { message: sentence }), details, cause });
}
