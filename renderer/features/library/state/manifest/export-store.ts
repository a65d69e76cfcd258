import { create } from 'zustand';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import { localDay } from '../../../../../shared/model/local-day.ts';
import { localTimeZone } from '../../../../../shared/model/local-time-zone.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../../kit/text/errors.ts';
import { attempt, notifyWithAction, warn } from '../../../common/state/messages-store.ts';
import { mediaList } from '../media-store.ts';
import type { Target } from '../selection/media-selection.ts';
import { texts } from '../texts.ts';

export type SpreadsheetFormat = 'xlsx' | 'csv';

interface ExportState {
  /** The items to export; null while the dialog is closed. */
  target: Target | null;
  format: SpreadsheetFormat;
  /** Whether the export puts an apostrophe before CSV cells that begin like a formula. */
  protects: boolean;
  isSaving: boolean;
  error: AppErrorData | null;
}

const CLOSED = { target: null, isSaving: false, error: null } as const;
/** How long a message offers to show the file. */
const SHOWN_MS = 8_000;

export const useExport = create<ExportState>(() => ({ ...CLOSED, format: 'xlsx', protects: true }));

/** Opens the dialog that asks for the format of an export. The last choice is selected. */
export function openExport(target: Target): void {
  useExport.setState({ ...CLOSED, target });
}

/** Opens the export dialog for all items of the open list. */
export function openListExport(): void {
  const { query, total } = mediaList.useList.getState();
  if (query === null) return;
  openExport({ selection: { siteId: query.siteId, query, except: [] }, count: total ?? 0, title: null });
}

export function closeExport(): void {
  if (!useExport.getState().isSaving) useExport.setState(CLOSED);
}

/** Lets the user choose a file, and exports the items to it. */
export async function saveExport(): Promise<void> {
  const { target, format, protects, isSaving } = useExport.getState();
  if (target === null || isSaving) return;
  useExport.setState({ isSaving: true, error: null });
  try {
    const name = `${texts.manifest.fileName}-${localDay(Date.now())}.${format}`;
    const { path } = await call('shell.saveSpreadsheet', { name, format });
    if (path === null) return useExport.setState({ isSaving: false });
    const timeZone = localTimeZone();
    const saved = await call('manifest.export', { selection: target.selection, path, format, protects, timeZone });
    useExport.setState(CLOSED);
    showSaved(texts.manifest.exported(saved.items), saved.path);
    if (saved.emptied > 0) warn(texts.manifest.emptied(saved.emptied), texts.manifest.emptiedNext);
  } catch (thrown) {
    useExport.setState({ isSaving: false, error: toErrorData(thrown) });
  }
}

/** Shows a message that a file was saved, with a button that shows the file in its folder. */
export function showSaved(text: string, path: string): void {
  const show = {
    label: texts.manifest.showInFolder,
    hint: texts.manifest.showInFolderHint,
    run: () => void attempt(async () => void (await call('shell.showInFolder', { path }))),
  };
  notifyWithAction(text, show, SHOWN_MS);
}
