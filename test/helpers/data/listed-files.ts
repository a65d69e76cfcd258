import type { ListedFile } from '../../../shared/contract/upload-files.ts';

/** A file as the add sheet lists it, without a problem and without companions. */
export const listedFile = (path: string, change: Partial<ListedFile> = {}): ListedFile => ({
  path,
  fileName: path.split(/[\\/]/).at(-1) ?? '',
  folderName: 'week 1',
  sizeBytes: 1000,
  date: '2026-11-19',
  problem: null,
  unclear: null,
  isLikelyDuplicate: false,
  sidecars: [],
  details: null,
  ...change,
});
