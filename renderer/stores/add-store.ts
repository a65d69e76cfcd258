import { create } from 'zustand';
import type { AppErrorData } from '../../shared/contract/app-error.ts';
import type { AddUploadsOutput, BatchDefaults } from '../../shared/contract/uploads.ts';
import { call } from '../bridge/bridge.ts';
import { toErrorData } from '../text/errors.ts';
import { say } from './messages-store.ts';

/** A file that the sheet shows as an example of what the titles will be. */
export interface Sample {
  fileName: string;
  folderName: string;
  /** Epoch ms; null when the screen can't know it. */
  modifiedAt: number | null;
  /** A made-up name, where the real ones can't be seen. */
  isExample?: boolean;
}

/** What was chosen, as far as the screen can see it: the engine walks folders itself. */
export interface Chosen {
  paths: string[];
  samples: Sample[];
  /** Files seen so far; null when there are folders that the screen can't look into. */
  fileCount: number | null;
  bytes: number | null;
}

interface AddState {
  chosen: Chosen | null;
  siteId: string | null;
  collectionId: string | null;
  isAdding: boolean;
  error: AppErrorData | null;
  result: AddUploadsOutput | null;
}

export const useAdd = create<AddState>(() => ({
  chosen: null,
  siteId: null,
  collectionId: null,
  isAdding: false,
  error: null,
  result: null,
}));

/** Opens the sheet for what was dropped or picked. */
export function openAddSheet(siteId: string, collectionId: string | null, chosen: Chosen): void {
  useAdd.setState({ chosen, siteId, collectionId, isAdding: false, error: null, result: null });
}

export function closeAddSheet(): void {
  useAdd.setState({ chosen: null, error: null, result: null });
}

export function chooseTarget(collectionId: string | null): void {
  useAdd.setState({ collectionId, error: null });
}

/** Takes a second look at what was dropped, after folders were opened. */
export function updateChosen(of: Chosen, chosen: Chosen): void {
  if (useAdd.getState().chosen === of) useAdd.setState({ chosen });
}

/** Queues the files. The sheet closes by itself unless something was left out: that is worth a look. */
export async function addUploads(defaults: BatchDefaults): Promise<void> {
  const { chosen, siteId, collectionId, isAdding } = useAdd.getState();
  if (chosen === null || siteId === null || collectionId === null || isAdding) return;
  useAdd.setState({ isAdding: true, error: null });
  try {
    const result = await call('uploads.add', { siteId, collectionId, paths: chosen.paths, defaults });
    say(`${result.added} files added to the queue, ${result.skippedCount} left out.`);
    if (result.skippedCount === 0 && result.added > 0) closeAddSheet();
    else useAdd.setState({ result });
  } catch (thrown) {
    useAdd.setState({ error: toErrorData(thrown) });
  } finally {
    useAdd.setState({ isAdding: false });
  }
}

/** What a picker gave: paths only. */
export function chosenFromPaths(paths: string[], areFolders: boolean): Chosen {
  const samples = paths.slice(0, 3).map((path): Sample => {
    const parts = path.split(/[\\/]/).filter((part) => part !== '');
    const name = parts.at(-1) ?? path;
    return areFolders
      ? { fileName: 'Recording.mp4', folderName: name, modifiedAt: null, isExample: true }
      : { fileName: name, folderName: parts.at(-2) ?? '', modifiedAt: null };
  });
  return { paths, samples, fileCount: areFolders ? null : paths.length, bytes: null };
}
