import { create } from 'zustand';
import type { AppErrorData } from '../../shared/contract/app-error.ts';
import type { AddUploadsOutput, BatchDefaults, UploadsPreview } from '../../shared/contract/uploads.ts';
import { call } from '../bridge/bridge.ts';
import { toErrorData } from '../text/errors.ts';
import { say } from './messages-store.ts';

interface AddState {
  /** What was dropped or picked, files and folders alike; null while the sheet is closed. */
  paths: readonly string[] | null;
  /** What the engine found in them; null while it looks. */
  preview: UploadsPreview | null;
  siteId: string | null;
  collectionId: string | null;
  /** Whether captions and thumbnails beside a recording go along; it changes what is counted. */
  sidecars: boolean;
  isAdding: boolean;
  error: AppErrorData | null;
  result: AddUploadsOutput | null;
}

const CLOSED = { paths: null, preview: null, sidecars: true, isAdding: false, error: null, result: null } as const;

export const useAdd = create<AddState>(() => ({ siteId: null, collectionId: null, ...CLOSED }));

/** Opens the sheet for what was dropped or picked. It does not wait until everything is counted. */
export function openAddSheet(siteId: string, collectionId: string | null, paths: readonly string[]): void {
  useAdd.setState({ ...CLOSED, siteId, collectionId, paths });
  void look();
}

let turn = 0;

/** Counts what would be added; an answer that came too late is thrown away. */
async function look(): Promise<void> {
  const { paths, siteId, collectionId, sidecars } = useAdd.getState();
  if (paths === null) return;
  const mine = ++turn;
  try {
    const preview = await call('uploads.preview', { paths: [...paths], siteId, collectionId, sidecars });
    if (turn === mine) useAdd.setState({ preview });
  } catch (thrown) {
    if (turn === mine) useAdd.setState({ error: toErrorData(thrown) });
  }
}

export function chooseSidecars(sidecars: boolean): void {
  useAdd.setState({ sidecars });
  void look();
}

export function closeAddSheet(): void {
  turn += 1;
  useAdd.setState(CLOSED);
}

export function chooseTarget(collectionId: string | null): void {
  useAdd.setState({ collectionId, error: null });
  // Which of the files are there already depends on where they go.
  void look();
}

/** Queues the files. The sheet closes by itself unless something was left out: that is worth a look. */
export async function addUploads(defaults: BatchDefaults): Promise<void> {
  const { paths, siteId, collectionId, isAdding } = useAdd.getState();
  if (paths === null || siteId === null || collectionId === null || isAdding) return;
  useAdd.setState({ isAdding: true, error: null });
  try {
    const result = await call('uploads.add', { siteId, collectionId, paths: [...paths], defaults });
    say(`${result.added} files added to the queue, ${result.skippedCount} left out.`);
    if (result.skippedCount === 0 && result.added > 0) closeAddSheet();
    else useAdd.setState({ result });
  } catch (thrown) {
    useAdd.setState({ error: toErrorData(thrown) });
  } finally {
    useAdd.setState({ isAdding: false });
  }
}
