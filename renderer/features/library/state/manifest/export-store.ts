import { create } from 'zustand';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import { withUnknownEntries } from '../../../../../shared/model/keep-unknown.ts';
import { localDay } from '../../../../../shared/model/local-day.ts';
import { localTimeZone } from '../../../../../shared/model/local-time-zone.ts';
import {
  DEFAULT_EXPORT_COLUMNS,
  EXPORT_COLUMNS,
  type ExportColumn,
} from '../../../../../shared/model/manifest/fields.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../../kit/text/errors.ts';
import { notifyWithAction, warn } from '../../../common/state/messages-store.ts';
import { preferences, savePreferences } from '../../../common/state/preferences.ts';
import { showInFolder } from '../../../common/state/show-in-folder.ts';
import { COLUMN_IDS, type ColumnId, isColumnShown, useMediaColumns } from '../media-columns.ts';
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
  /** The columns in their order. */
  columns: readonly ExportColumn[];
  isSaving: boolean;
  error: AppErrorData | null;
}

const CLOSED = { target: null, isSaving: false, error: null } as const;
/** How long a message offers to show the file. */
const SHOWN_MS = 8_000;

export const useExport = create<ExportState>(() => ({
  ...CLOSED,
  format: 'xlsx',
  protects: true,
  columns: storedColumns(preferences().exportColumns),
}));

/** Returns the valid part of stored columns, whatever version of the app wrote them; the default columns when there is none. */
function storedColumns(stored: unknown): readonly ExportColumn[] {
  const known = Array.isArray(stored) ? stored.filter(isExportColumn) : [];
  return known.length === 0 ? DEFAULT_EXPORT_COLUMNS : [...new Set(known)];
}

function isExportColumn(column: unknown): column is ExportColumn {
  return (EXPORT_COLUMNS as readonly unknown[]).includes(column);
}

/** Chooses the columns of exports, for the next ones too. */
export function chooseColumns(columns: readonly ExportColumn[]): void {
  useExport.setState({ columns });
  savePreferences({ exportColumns: withUnknownEntries(preferences().exportColumns, isExportColumn, columns) });
}

/** Adds a column before the first one that usually follows it, or removes it. */
export function toggleExportColumn(column: ExportColumn): void {
  const { columns } = useExport.getState();
  if (columns.includes(column)) {
    chooseColumns(columns.filter((each) => each !== column));
    return;
  }
  const later = EXPORT_COLUMNS.slice(EXPORT_COLUMNS.indexOf(column) + 1);
  const at = columns.findIndex((each) => later.includes(each));
  chooseColumns(columns.toSpliced(at < 0 ? columns.length : at, 0, column));
}

/** The columns of the list of items, and what an export calls them. */
const LISTED: Readonly<Partial<Record<ColumnId, ExportColumn>>> = {
  title: 'title',
  collection: 'collection',
  type: 'type',
  status: 'status',
  length: 'length',
  size: 'size',
  captions: 'captions',
  byline: 'byline',
  created_on: 'createdOn',
  modified_on: 'modifiedOn',
  publish_on: 'publishOn',
  views: 'views',
  likes: 'likes',
  comments: 'comments',
  tags: 'tags',
};

/** Chooses the columns that the list shows, in its order, and the id, without which an import doesn't work. */
export function chooseListedColumns(): void {
  const shown = useMediaColumns.getState();
  const listed = COLUMN_IDS.filter((id) => isColumnShown(shown, id)).flatMap((id) => LISTED[id] ?? []);
  chooseColumns(['id', ...listed]);
}

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
  const { target, format, protects, columns, isSaving } = useExport.getState();
  if (target === null || isSaving || columns.length === 0) return;
  useExport.setState({ isSaving: true, error: null });
  try {
    const name = `${texts.manifest.fileName}-${localDay(Date.now())}.${format}`;
    const { path } = await call('shell.saveSpreadsheet', { name, format });
    if (path === null) return useExport.setState({ isSaving: false });
    const timeZone = localTimeZone();
    const { selection } = target;
    const saved = await call('manifest.export', { selection, path, format, protects, timeZone, columns: [...columns] });
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
    run: () => void showInFolder(path),
  };
  notifyWithAction(text, show, SHOWN_MS);
}
