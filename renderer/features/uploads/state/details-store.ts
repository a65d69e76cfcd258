import { create } from 'zustand';
import type { UploadDetails } from '../../../../shared/contract/upload-files.ts';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import type { ItemField, ItemFields } from '../../../../shared/item/fields.ts';
import {
  changedRows,
  createGrid,
  type GridColumn,
  type GridModel,
  type GridRow,
  withRows,
} from '../../../../shared/model/grid/grid-model.ts';
import { MOST_LISTED_FILES } from '../../../../shared/model/preview-limit.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import { attempt, notify, showError, warn } from '../../common/state/messages-store.ts';
import { cellsOf, NEW_ITEM_COLUMNS, newItemFields } from './new-item-columns.ts';
import { texts } from './texts.ts';

interface DetailsState {
  /** The uploads of the open table; null: the table is closed. */
  uploads: readonly UploadDetails[] | null;
  table: GridModel | null;
  isSaving: boolean;
}

const CLOSED: DetailsState = { uploads: null, table: null, isSaving: false };

/** The table of the values with which the library creates the items of queued uploads. */
export const useDetails = create<DetailsState>(() => CLOSED);

const { columns } = texts;
const FILE: GridColumn = { key: 'file', label: columns.file, width: 220, kind: 'text', readOnly: true };
const NOTE: GridColumn = { key: 'note', label: columns.note, width: 260, kind: 'text', readOnly: true };
const COLUMNS = [FILE, ...NEW_ITEM_COLUMNS, NOTE];

/** Whether an upload, as far as the list shows, has no item yet. */
export function mayHaveDetails({ mediaId, addition, state }: UploadRow): boolean {
  return mediaId === null && addition === undefined && state !== 'complete' && state !== 'skipped';
}

/** Opens the table for uploads. */
export function openDetails(ids: readonly string[]): Promise<void> {
  return attempt(async () => {
    if (ids.length > MOST_LISTED_FILES) {
      warn(texts.details.tooMany(MOST_LISTED_FILES), texts.details.tooManyNextStep);
      return;
    }
    const uploads = await call('uploads.details', { ids: [...ids] });
    const table = createGrid(
      COLUMNS,
      uploads.map((upload) => rowOf(upload)),
    );
    if (uploads.length > 0) useDetails.setState({ ...CLOSED, uploads, table });
    else warn(texts.details.noneLeft, null);
  });
}

/** Returns the row of an upload. `unsaved`: the reason why its changes could not be saved; the user can save them again. */
function rowOf({ id, fileName, place, fields }: UploadDetails, unsaved?: string): GridRow {
  const cells = cellsOf(fields);
  const item = NEW_ITEM_COLUMNS.map(({ key }) => cells[key as ItemField]);
  if (unsaved !== undefined) return { id, cells: [shownName(fileName), ...item, unsaved] };
  const note = place === 'row' ? '' : texts.details[place];
  return { id, cells: [shownName(fileName), ...item, note], ...(place === 'row' ? {} : { readOnly: true }) };
}

export function changeDetails(table: GridModel): void {
  useDetails.setState({ table });
}

/** Closes the table without saving. Does nothing while a save is in progress. */
export function closeDetails(): void {
  if (!useDetails.getState().isSaving) useDetails.setState(CLOSED);
}

/**
 * Saves the changed values. Closes the table when everything is saved. Rows that could not be saved stay changed, each with its
 * reason, and so do cells that the user changed during the save.
 */
export async function saveDetails(): Promise<void> {
  const { uploads, table, isSaving } = useDetails.getState();
  if (uploads === null || table === null || isSaving) return;
  const changes = new Map(changedRows(table).map(({ id, cells }) => [id, newItemFields(cells)]));
  if (changes.size === 0) {
    closeDetails();
    return;
  }
  useDetails.setState({ isSaving: true });
  try {
    const { items, refused } = await call('uploads.describe', {
      changes: [...changes].map(([id, fields]) => ({ id, fields })),
    });
    const reasons = new Map(refused.map(({ id }) => [id, texts.details.unconfirmed]));
    // The items of these uploads were created while the table was open, with the values that the table showed at first.
    const seen = new Map(uploads.map(({ id, fields }) => [id, fields]));
    const inItems = new Map(items.map(({ id, mediaId }) => [id, mediaId]));
    for (const { id, siteId, mediaId } of items) {
      const patch = changes.get(id) ?? {};
      try {
        await call('library.updateMedia', { siteId, mediaId, patch, expected: seenOf(seen.get(id), patch) });
      } catch (thrown) {
        reasons.set(id, texts.details.failed(toErrorData(thrown).message));
      }
    }
    const after = uploads.map((upload): UploadDetails => {
      const patch = changes.get(upload.id);
      if (patch === undefined || reasons.has(upload.id)) return upload;
      const mediaId = inItems.get(upload.id);
      const place = mediaId === undefined ? {} : { place: 'item' as const, mediaId };
      return { ...upload, ...place, fields: { ...upload.fields, ...patch } };
    });
    takeSaved(after, table, reasons, changes.size - reasons.size);
  } catch (thrown) {
    useDetails.setState({ isSaving: false });
    showError(thrown);
  }
}

/**
 * Applies the result of a save to the table. `uploads`: with the saved values. `sent`: the table as it was saved. `reasons`: the
 * reasons why rows are not saved.
 */
function takeSaved(
  uploads: readonly UploadDetails[],
  sent: GridModel,
  reasons: ReadonlyMap<string, string>,
  saved: number,
): void {
  const { table } = useDetails.getState();
  if (table === null) return;
  const rows = uploads.map((upload, at): GridRow => {
    const row = rowOf(upload, reasons.get(upload.id));
    if (reasons.has(upload.id)) return row;
    // Uses the text that the user entered, because its stored form can differ and would count as a change of the row.
    const cells = row.cells.map((cell, column) =>
      COLUMNS[column] === NOTE ? cell : (sent.rows[at]?.cells[column] ?? ''),
    );
    return { ...row, cells };
  });
  const left = withRows(table, rows);
  useDetails.setState(left.changedRows === 0 ? CLOSED : { uploads, table: left, isSaving: false });
  if (reasons.size === 0) notify(texts.details.saved(saved));
  else warn(texts.details.savedSome(saved, reasons.size), texts.details.saveAgain);
}

/** Returns the values that the user saw in the changed fields. */
function seenOf(seen: ItemFields | undefined, patch: Partial<ItemFields>): Partial<ItemFields> {
  return Object.fromEntries(Object.keys(patch).map((field) => [field, seen?.[field as ItemField]]));
}
