import { basename } from 'node:path';
import { type AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import { filesBelowRoot, type LocateTools, locateFile } from './locate-file.ts';

export interface LocalFileTools extends LocateTools {
  journal: UploadJournal;
}

/**
 * Updates a row from its file: its path, and its fingerprint. Returns the updated row. Throws the errors of `locateFile`, and the
 * reason why a file can't be sent.
 */
export async function refreshFingerprint(upload: Upload, tools: LocalFileTools): Promise<Upload> {
  const { digests, journal, volumes } = tools;
  const { path, facts } = await locateFile(upload, tools);
  if (facts.kind !== 'file') throw appError('file.not-regular', { details: { path } });
  if (facts.sizeBytes === 0) throw appError('file.empty', { details: { path } });
  const { sizeBytes, mtimeMs, identity } = facts;
  const row =
    path === upload.path
      ? upload
      : journal.record(upload.id, { kind: 'file-moved', path, fileName: shownName(basename(path)) });
  const isSame = sizeBytes === row.sizeBytes && mtimeMs === row.mtimeMs && identity === row.identity;
  if (isSame && row.edgeHash !== null) return row;
  const file = await filesBelowRoot(row, tools.placesOf(row), tools.files).open(path);
  try {
    // Another file may have got the path since.
    if ((await file.facts()).identity !== identity) throw appError('file.changed', { details: { path } });
    const edgeHash = await digests.edges(file, sizeBytes);
    const volume = volumes.of(path, deviceOf(identity)).key;
    return journal.record(row.id, { kind: 'file-seen', sizeBytes, mtimeMs, identity, volume, edgeHash });
  } finally {
    // Not awaited: a disk or share that never answers would block the slot.
    file.close().catch(() => {});
  }
}

/** Returns the error of an open file, explained by the present state of its path. Other errors are returned unchanged. */
export async function explainFileError(upload: Upload, error: AppError, tools: LocalFileTools): Promise<AppError> {
  if (error.code !== 'file.missing' && error.code !== 'file.disk-error') return error;
  const sentBytes = error.details?.sentBytes ?? 0;
  try {
    const { path, facts } = await locateFile(upload, tools);
    // The disk is connected and answers: a part that it could not read may fail at the next read, too.
    if (error.code === 'file.disk-error')
      return appError('file.read-fault', { details: { ...error.details }, cause: error });
    if (path !== upload.path)
      return appError('file.followed', { details: { path: upload.path, now: path, sentBytes } });
    return appError('file.changed', { details: { path, foundBytes: facts.sizeBytes, sentBytes } });
  } catch (found) {
    return toAppError(found);
  }
}
