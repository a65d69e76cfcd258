import { create } from 'zustand';
import type { UploadDetails } from '../../../shared/contract/upload-files.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import {
  changedRows,
  createGrid,
  type GridColumn,
  type GridModel,
  type GridRow,
} from '../../../shared/model/grid/grid-model.ts';
import type { ItemFields } from '../../../shared/model/item-fields.ts';
import { call } from '../../bridge/bridge.ts';
import { attempt, notify, showError } from '../app/messages-store.ts';
import { cellsOf, fieldsOf, ITEM_COLUMNS } from './item-columns.ts';
import { texts } from './texts.ts';

interface DetailsState {
  /** The uploads of the open table; null: it is closed. */
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
const COLUMNS = [FILE, ...ITEM_COLUMNS, NOTE];

/** Whether an upload, as far as the list shows, has no item yet. */
export function mayHaveDetails({ mediaId, addition, state }: UploadRow): boolean {
  return mediaId === null && addition === undefined && state !== 'complete' && state !== 'skipped';
}

/** Opens the table for uploads. */
export function openDetails(ids: readonly string[]): Promise<void> {
  return attempt(async () => {
    const uploads = await call('uploads.details', { ids: [...ids] });
    if (uploads.length > 0) useDetails.setState({ ...CLOSED, uploads, table: createGrid(COLUMNS, uploads.map(rowOf)) });
  });
}

function rowOf({ id, fileName, place, fields }: UploadDetails): GridRow {
  const cells = cellsOf(fields);
  const item = ITEM_COLUMNS.map(({ key }) => cells[key as keyof ItemFields]);
  const note = place === 'row' ? '' : texts.details[place];
  return { id, cells: [fileName, ...item, note], ...(place === 'row' ? {} : { readOnly: true }) };
}

export function changeDetails(table: GridModel): void {
  useDetails.setState({ table });
}

/** Closes the table without saving. Does nothing while it is being saved. */
export function closeDetails(): void {
  if (!useDetails.getState().isSaving) useDetails.setState(CLOSED);
}

/** Saves the changed values. Closes the table unless nothing could be saved. */
export async function saveDetails(): Promise<void> {
  const { uploads, table, isSaving } = useDetails.getState();
  if (uploads === null || table === null || isSaving) return;
  const changes = changedRows(table).map(({ id, cells }) => ({ id, fields: fieldsOf(cells) }));
  if (changes.length === 0) {
    closeDetails();
    return;
  }
  useDetails.setState({ isSaving: true });
  try {
    const { changed, items, refused } = await call('uploads.describe', { changes });
    // Their items were created while the table was open, with the values that it showed at first.
    let edited = 0;
    for (const { id, siteId, mediaId } of items) {
      const patch = changes.find((change) => change.id === id)?.fields;
      const seen = uploads.find((upload) => upload.id === id)?.fields;
      if (patch === undefined || seen === undefined) continue;
      await call('library.updateMedia', { siteId, mediaId, patch, expected: seenOf(seen, patch) });
      edited += 1;
    }
    useDetails.setState(CLOSED);
    notify(texts.details.saved(changed + edited, refused.length));
  } catch (thrown) {
    useDetails.setState({ isSaving: false });
    showError(thrown);
  }
}

/** The values that the user saw in the changed fields. */
function seenOf(seen: ItemFields, patch: Partial<ItemFields>): Partial<ItemFields> {
  return Object.fromEntries(Object.keys(patch).map((field) => [field, seen[field as keyof ItemFields]]));
}
