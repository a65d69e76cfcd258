import { basename } from 'node:path';
import type { ItemFields } from '../../../../shared/item/fields.ts';
import { compareDetails } from '../../../../shared/model/details/details-fields.ts';
import { fingerprintOf } from '../../../../shared/model/uploads/follow-ups.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import { pathOf } from './ready-file.ts';

/** Returns the merged values of several files about one recording. Of two values of a field, that of the first file counts. */
export function mergedDetails(files: readonly WatchedFile[]): Partial<ItemFields> {
  const weakestFirst = files.toSorted((one, other) => compareDetails(other.path, one.path));
  return Object.assign({}, ...weakestFirst.map(({ described }) => described));
}

/** Returns a file that describes a recording in the form in which its upload stores it. */
export function detailsFile(row: WatchedFile, folder: FolderRecord) {
  const path = pathOf(folder, row);
  return { path, fileName: shownName(basename(path)), fingerprint: fingerprintOf(row) };
}
