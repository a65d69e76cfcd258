import { basename } from 'node:path';
import type { ItemFields } from '../../../../shared/item/fields.ts';
import { mergeDetails } from '../../../../shared/model/details/details-fields.ts';
import type { DescribingFile, KnownFile } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import { pathOf } from './ready-file.ts';

/** Returns the merged values of the files about one recording; those of other companions count for nothing. */
export function mergedDetails(files: readonly WatchedFile[]): Partial<ItemFields> {
  return mergeDetails(files.map(({ path, described }) => ({ path, fields: described ?? {} })));
}

/** Returns a file that describes a recording in the form in which the upload of the recording stores it. */
export function detailsFile(row: WatchedFile, folder: FolderRecord, recording: OnDrive): DescribingFile {
  const path = pathOf(folder, row);
  return { path, fileName: shownName(basename(path)), known: knownBeside(row, recording) };
}

/** The file of an upload, as far as it shows where the files beside it are. */
type OnDrive = Pick<Upload, 'identity' | 'volume'>;

/** Returns a file beside a recording as its upload remembers it. Both are in one folder, and so on one drive. */
export function knownBeside(row: WatchedFile, recording: OnDrive): KnownFile {
  const { fileId, sizeBytes, mtimeMs } = row;
  const device = deviceOf(recording.identity);
  const identity = device === '' || deviceOf(fileId) !== '' ? fileId : `${device}:${fileId}`;
  return { identity, volume: recording.volume, sizeBytes, mtimeMs };
}
