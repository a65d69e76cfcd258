import { writeFile } from 'node:fs/promises';
import { appError } from '../../shared/contract/app-error.ts';

/** Sentences for error codes of the file system. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you don’t have permission to write there',
  EPERM: 'you don’t have permission to write there',
  EROFS: 'the drive is read-only',
  ENOSPC: 'the drive is full',
  EDQUOT: 'the drive is full',
  ENOENT: 'the folder doesn’t exist',
  ENOTDIR: 'the folder doesn’t exist',
  EISDIR: 'a folder already has this name',
  ENAMETOOLONG: 'the name is too long',
};

/** Writes a receipt to the chosen path. Throws `receipt.not-saved` with the path and the reason. */
export async function writeReceipt(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    throw appError('receipt.not-saved', {
      message: `The receipt couldn’t be saved as ${path}: ${REASONS[code] ?? message}.`,
      details: { path, reason: code || message },
      cause,
    });
  }
}
