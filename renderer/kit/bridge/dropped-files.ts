import { pathForFile } from './bridge.ts';

/** Returns whether a drag carries files of this computer. */
export function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false;
}

/**
 * Returns the paths of dropped files and folders. A file without a path, such as an image of a web page, is skipped.
 * Call it while the drop event is handled: afterwards the transfer is empty.
 */
export function droppedPaths(transfer: DataTransfer): string[] {
  return [...transfer.files].map(pathForFile).filter((path) => path !== '');
}
