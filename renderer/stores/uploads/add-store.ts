import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { AddUploadsOutput, BatchDefaults, UploadsPreview } from '../../../shared/contract/uploads.ts';
import { call } from '../../bridge/bridge.ts';
import { toErrorData } from '../../text/errors.ts';
import { counted } from '../../text/format.ts';
import { attempt, report, say } from '../app/messages-store.ts';
import { openForAdded } from './uploads-store.ts';

interface AddState {
  /** What was dropped or picked, files and folders alike; null while the sheet is closed. */
  paths: readonly string[] | null;
  /** What the engine found in them; null before it looked. While it looks again it is of the choices before. */
  preview: UploadsPreview | null;
  isLooking: boolean;
  siteId: string | null;
  collectionId: string | null;
  /** Whether captions and thumbnails beside a recording go along; it changes what is counted. */
  sidecars: boolean;
  isAdding: boolean;
  error: AppErrorData | null;
  result: AddUploadsOutput | null;
}

const CLOSED = {
  paths: null,
  preview: null,
  isLooking: false,
  sidecars: true,
  isAdding: false,
  error: null,
  result: null,
} as const;

export const useAdd = create<AddState>(() => ({ siteId: null, collectionId: null, ...CLOSED }));

/** Opens the sheet for what was dropped or picked. It does not wait until everything is counted. */
export function openAddSheet(siteId: string, collectionId: string | null, paths: readonly string[]): void {
  sheet += 1;
  endLook();
  useAdd.setState({ ...CLOSED, siteId, collectionId, paths });
  void look();
}

/** Which sheet is open, or was last: answers that were meant for one before change nothing. */
let sheet = 0;
/** Which look is the latest. */
let turn = 0;

/** Counts what would be added; an answer that came too late is thrown away. */
async function look(): Promise<void> {
  const { paths, siteId, collectionId, sidecars } = useAdd.getState();
  if (paths === null) return;
  const mine = ++turn;
  endLook();
  useAdd.setState({ isLooking: true });
  try {
    const preview = await call('uploads.preview', { paths: [...paths], siteId, collectionId, sidecars });
    if (turn === mine) useAdd.setState({ preview, isLooking: false });
  } catch (thrown) {
    if (turn === mine) useAdd.setState({ error: toErrorData(thrown), isLooking: false });
  }
}

/** The engine looks no further for an answer that nobody waits for. */
function endLook(): void {
  if (useAdd.getState().isLooking) void attempt(async () => void (await call('uploads.endPreview', null)));
}

export function chooseSidecars(sidecars: boolean): void {
  useAdd.setState({ sidecars });
  void look();
}

/** Closes the sheet; not while files are being added, which nobody could see the end of. */
export function closeAddSheet(): void {
  if (useAdd.getState().isAdding) return;
  endLook();
  sheet += 1;
  turn += 1;
  useAdd.setState(CLOSED);
}

export function chooseTarget(collectionId: string | null): void {
  useAdd.setState({ collectionId, error: null });
  // Which of the files are there already depends on where they go.
  void look();
}

/**
 * Queues the files. The sheet closes by itself unless something was left out: that is worth a look. Answers whether it
 * closed.
 */
export async function addUploads(defaults: BatchDefaults): Promise<boolean> {
  const { paths, siteId, collectionId, isAdding } = useAdd.getState();
  if (paths === null || siteId === null || collectionId === null || isAdding) return false;
  const mine = sheet;
  useAdd.setState({ isAdding: true, error: null });
  try {
    const result = await call('uploads.add', { siteId, collectionId, paths: [...paths], defaults });
    say(`${counted(result.added, 'file')} added to the queue, ${result.skippedCount} left out.`);
    if (result.added > 0) openForAdded();
    if (sheet !== mine) return false;
    useAdd.setState({ isAdding: false, result });
    if (result.skippedCount > 0 || result.added === 0) return false;
    closeAddSheet();
    return true;
  } catch (thrown) {
    if (sheet === mine) useAdd.setState({ isAdding: false, error: toErrorData(thrown) });
    else report(thrown);
    return false;
  }
}
