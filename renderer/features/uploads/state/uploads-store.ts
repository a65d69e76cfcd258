import { create } from 'zustand';
import type { ListedBatch, UploadRow, UploadTotals } from '../../../../shared/contract/uploads.ts';

interface UploadsState {
  /** The counts and the speed of the whole queue; null until they are loaded. */
  totals: UploadTotals | null;
  /** Every batch with listed uploads, the newest first. */
  batches: readonly ListedBatch[];
  /** Whether `batches` were loaded. */
  isLoaded: boolean;
  /** The current rows by id. The map is modified and never replaced: subscribe to one row with `useUploadRow`, not to the map. */
  rows: Map<string, UploadRow>;
  /** Increases with every change of any row. */
  tick: number;
}

export const useUploads = create<UploadsState>(() => ({
  totals: null,
  batches: [],
  isLoaded: false,
  rows: new Map(),
  tick: 0,
}));

/** Subscribes a component to one upload: the component renders again only when that row changed. */
export function useUploadRow(id: string | undefined): UploadRow | undefined {
  return useUploads((state) => (id === undefined ? undefined : state.rows.get(id)));
}

/** Subscribes a component to one batch. */
export function useListedBatch(id: string): ListedBatch | undefined {
  return useUploads((state) => batchesById(state.batches).get(id));
}

export function listedBatch(id: string): ListedBatch | undefined {
  return batchesById(useUploads.getState().batches).get(id);
}

let indexed: { batches: readonly ListedBatch[]; byId: ReadonlyMap<string, ListedBatch> } | null = null;

/** Returns the batches by id. Builds the index once for each change of the batches. */
function batchesById(batches: readonly ListedBatch[]): ReadonlyMap<string, ListedBatch> {
  if (indexed?.batches !== batches) indexed = { batches, byId: new Map(batches.map((batch) => [batch.id, batch])) };
  return indexed.byId;
}
