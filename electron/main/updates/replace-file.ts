import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, copyFile, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { appError } from '../../../shared/contract/app-error.ts';
import { renameFile } from '../../engine/ports/system/rename-file.ts';
import { syncFolder } from '../../engine/ports/system/sync-folder.ts';
import { asDiskError } from './fetch-update.ts';

/** Returns where the new file waits: in the same folder, so that a rename puts it into its place. */
function asideOf(target: string): string {
  return join(dirname(target), `.${basename(target)}.mediadesk-new`);
}

/** Throws `update.target-read-only` when a file of this name can't be replaced. */
export async function requireReplaceable(target: string): Promise<void> {
  try {
    await access(target, constants.R_OK);
    await access(dirname(target), constants.W_OK);
  } catch (cause) {
    throw appError('update.target-read-only', {
      details: { path: target, reason: (cause as { code?: string }).code },
      cause,
    });
  }
}

/** Returns the SHA-512 of a file, in Base64. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha512');
  for await (const part of createReadStream(path)) hash.update(part as Uint8Array);
  return hash.digest('base64');
}

/**
 * Puts a copy of `source` beside `target`, executable and written to the disk, and compares its SHA-512 with `sha512`. `target` stays
 * as it is. Nothing is left after an error.
 */
export async function putAside(source: string, target: string, sha512: string): Promise<void> {
  const aside = asideOf(target);
  try {
    await rm(aside, { force: true });
    await copyFile(source, aside, constants.COPYFILE_EXCL);
    const copy = await open(aside, 'r+');
    try {
      await copy.chmod(0o755);
      await copy.sync();
    } finally {
      await copy.close();
    }
    if ((await hashOf(aside)) !== sha512)
      throw appError('update.file-differs', { details: { path: aside, reason: 'copy' } });
  } catch (error) {
    // What failed first is reported; a copy that stays is removed before the next one.
    await rm(aside, { force: true }).catch(() => undefined);
    throw asDiskError(error, aside);
  }
}

/** Removes the file beside `target`. */
export async function removeAside(target: string): Promise<void> {
  await rm(asideOf(target), { force: true });
}

/** Replaces `target` by the file beside it, in one step: at every moment, there is the old file or the new one. */
export async function replaceByAside(target: string): Promise<void> {
  try {
    await renameFile(asideOf(target), target);
    await syncFolder(dirname(target));
  } catch (error) {
    throw asDiskError(error, target);
  }
}
