import { basename } from 'node:path';
import { companionKindOf } from '../../../../shared/model/pairing/pair-files.ts';
import type { CompanionFile } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import { fullPathOf } from './ready-file.ts';

/**
 * Returns a file beside a recording as the upload of the recording remembers it; null: its name is not that of a companion. Both are
 * in one folder, and so on one drive.
 */
export function companionOf(
  row: WatchedFile,
  folder: Pick<FolderRecord, 'root'>,
  recording: Pick<Upload, 'identity' | 'volume'>,
): CompanionFile | null {
  const { fileId, sizeBytes, mtimeMs } = row;
  const path = fullPathOf(folder, row);
  const kind = companionKindOf(path);
  const device = deviceOf(recording.identity);
  const identity = device === '' || deviceOf(fileId) !== '' ? fileId : `${device}:${fileId}`;
  const known = { identity, volume: recording.volume, sizeBytes, mtimeMs };
  return kind === null ? null : { kind, path, fileName: shownName(basename(path)), known };
}
