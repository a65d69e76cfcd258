import { pathForFile } from './bridge.ts';

/** The elements with an open picker: an element without a reference could be garbage-collected before the user has chosen. */
const open = new Set<HTMLInputElement>();

/**
 * Opens the system's file picker; returns an empty list when the user cancels. Call it in response to a press: the window
 * opens a picker only then. `accept`: extensions such as `.vtt`, or MIME types; empty for all files.
 */
export function chooseFiles({ accept, multiple }: { accept: string; multiple: boolean }): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', accept, multiple });
    const end = () => {
      open.delete(input);
      resolve([...(input.files ?? [])]);
    };
    input.addEventListener('change', end, { once: true });
    input.addEventListener('cancel', end, { once: true });
    open.add(input);
    input.click();
  });
}

/** Asks for files, as `chooseFiles` does, and returns those with a path. */
export async function chooseFilesWithPaths(): Promise<FileWithPath[]> {
  return withPaths(await chooseFiles({ accept: '', multiple: true }));
}

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

/** A dropped or chosen file, or a dropped folder. */
export interface FileWithPath {
  path: string;
  file: File;
}

/** Returns the dropped files with their paths, under the same conditions as `droppedPaths`. */
export function droppedFiles(transfer: DataTransfer): FileWithPath[] {
  return withPaths([...transfer.files]);
}

function withPaths(files: readonly File[]): FileWithPath[] {
  return files.map((file) => ({ path: pathForFile(file), file })).filter(({ path }) => path !== '');
}

/**
 * Copies text to the clipboard by copying a selection: the asynchronous clipboard API needs a permission that the shell
 * denies. Throws when the system did not accept the text.
 */
export function copyText(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  const before = document.activeElement;
  // A dialog keeps the focus inside, so the text area has to be inside it as well.
  (before?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('The system did not take the text into its clipboard.');
}
