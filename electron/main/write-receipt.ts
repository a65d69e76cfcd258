import { writeFile } from 'node:fs/promises';
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
      message: texts.receiptNotSaved.message(path, REASONS[code] ?? message),
      details: { path, reason: code || message },
      cause,
    });
  }
}
