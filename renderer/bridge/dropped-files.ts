import type { Chosen, Sample } from '../stores/add-store.ts';
import { pathForFile } from './bridge.ts';

const MAX_LOOKED_AT = 20_000;

/** True when what is being dragged over the window are files of this computer. */
export function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false;
}

/** What a drop holds. Must be called while the drop event is handled: later the transfer is empty. */
export function readDrop(transfer: DataTransfer): { chosen: Chosen; entries: FileSystemEntry[] } {
  const files = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const paths = files.map(pathForFile).filter((path) => path !== '');
  const folders = new Set(entries.filter((entry) => entry.isDirectory).map((entry) => entry.name));
  const plain = files.filter((file) => !folders.has(file.name));
  const chosen: Chosen = {
    paths,
    samples: plain.slice(0, 3).map((file) => sampleOf(file, folderOf(pathForFile(file)))),
    fileCount: folders.size > 0 ? null : plain.length,
    bytes: folders.size > 0 ? null : plain.reduce((sum, file) => sum + file.size, 0),
  };
  return { chosen, entries };
}

/** Looks into dropped folders, for the preview only; null when that is not possible or takes too many steps. */
export async function lookIntoFolders(chosen: Chosen, entries: readonly FileSystemEntry[]): Promise<Chosen | null> {
  if (!entries.some((entry) => entry.isDirectory)) return null;
  const samples: Sample[] = [];
  let fileCount = 0;
  let bytes = 0;
  const walk = async (entry: FileSystemEntry, folderName: string): Promise<void> => {
    if (fileCount > MAX_LOOKED_AT || entry.name.startsWith('.')) return;
    if (entry.isFile) {
      const file = await fileOf(entry as FileSystemFileEntry);
      if (samples.length < 3) samples.push(sampleOf(file, folderName));
      fileCount += 1;
      bytes += file.size;
      return;
    }
    const children = await childrenOf(entry as FileSystemDirectoryEntry);
    children.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    for (const child of children) await walk(child, entry.name);
  };
  try {
    for (const entry of entries) await walk(entry, '');
  } catch {
    // Only the preview is poorer: the engine reads the folders itself.
    return null;
  }
  return fileCount > MAX_LOOKED_AT ? { ...chosen, samples } : { ...chosen, samples, fileCount, bytes };
}

function sampleOf(file: File, folderName: string): Sample {
  return { fileName: file.name, folderName, modifiedAt: file.lastModified };
}

function folderOf(path: string): string {
  return path.split(/[\\/]/).at(-2) ?? '';
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** All entries of a folder: the reader hands them out in portions. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) return all;
    all.push(...portion);
  }
}
