import { writeFile } from 'node:fs/promises';
import { appError } from '../../shared/contract/app-error.ts';

/** Sentences for error codes of the file system. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it may not be written there',
  EPERM: 'it may not be written there',
  EROFS: 'nothing can be written there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENOENT: 'the folder is not there',
  ENOTDIR: 'the folder is not there',
  EISDIR: 'a folder has that name',
  ENAMETOOLONG: 'the name is too long',
};

/** Writes a receipt to the chosen path. Throws `receipt.not-saved` with the path and the reason. */
export async function writeReceipt(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    throw appError('receipt.not-saved', {
      message: `The receipt could not be saved as ${path}: ${REASONS[code] ?? message}.`,
      details: { path, reason: code || message },
      cause,
    });
  }
}
