import { pathForFile } from './bridge.ts';

/** True when what is being dragged over the window are files of this computer. */
export function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false;
}

/**
 * The paths of the files and folders that were dropped; what has none (an image out of a web page) is left out. Must be
 * called while the drop event is handled: later the transfer is empty.
 */
export function droppedPaths(transfer: DataTransfer): string[] {
  return [...transfer.files].map(pathForFile).filter((path) => path !== '');
}
