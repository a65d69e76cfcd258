import { stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appError } from '../../shared/contract/app-error.ts';
import { texts } from './texts.ts';

/** Sentences for error codes of the file system. */
const REASONS: Readonly<Record<string, string>> = {
  EBUSY: texts.receiptNotSaved.inUse,
  ETXTBSY: texts.receiptNotSaved.inUse,
  EACCES: texts.receiptNotSaved.noPermission,
  EPERM: texts.receiptNotSaved.noPermission,
  EROFS: texts.receiptNotSaved.readOnly,
  ENOSPC: texts.receiptNotSaved.full,
  EDQUOT: texts.receiptNotSaved.full,
  ENOENT: texts.receiptNotSaved.noFolder,
  ENOTDIR: texts.receiptNotSaved.noFolder,
  EISDIR: texts.receiptNotSaved.isFolder,
  ENAMETOOLONG: texts.receiptNotSaved.longName,
};

/** Writes a receipt to the chosen path. Throws `receipt.not-saved` with the path and the reason. */
export async function writeReceipt(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    throw appError('receipt.not-saved', {
      message: texts.receiptNotSaved.message(path, reasonOf(code, await isFolder(dirname(path))) ?? message),
      details: { path, reason: code || message },
      cause,
    });
  }
}

/** Returns the reason for an error code. Windows reports a name that it does not allow like a folder that does not exist. */
export function reasonOf(code: string, folderExists: boolean): string | undefined {
  return code === 'ENOENT' && folderExists ? texts.receiptNotSaved.badName : REASONS[code];
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
