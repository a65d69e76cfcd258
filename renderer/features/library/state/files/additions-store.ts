import { create } from 'zustand';
import type { EventData } from '../../../../../shared/contract/contract.ts';
import type { UploadRow } from '../../../../../shared/contract/uploads.ts';
import { latestOnly } from '../../../../kit/async/latest-only.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { attempt } from '../../../common/state/messages-store.ts';

interface AdditionsState {
  /** The item whose files are shown; null: none. */
  siteId: string | null;
  mediaId: string | null;
  /** Uploads to the item that have steps or decisions left, the oldest first. */
  rows: readonly UploadRow[];
}

export const useAdditions = create<AdditionsState>(() => ({ siteId: null, mediaId: null, rows: [] }));

/** Shows the uploads to an item; null: of none. */
export function openAdditions(siteId: string, mediaId: string | null): void {
  useAdditions.setState({ siteId, mediaId, rows: [] });
  void loadAdditions();
}

const reads = latestOnly();

export function loadAdditions(): Promise<void> {
  return attempt(async () => {
    const { siteId, mediaId } = useAdditions.getState();
    if (siteId === null || mediaId === null) return;
    const read = reads.begin();
    const rows = await call('files.additions', { siteId, mediaId });
    const now = useAdditions.getState();
    if (now.siteId === siteId && now.mediaId === mediaId && read.accept()) useAdditions.setState({ rows });
  });
}

/** Shows the progress of rows; new rows, rows that ended and rows that were removed are read again. */
export function takeAdditions({ rows, relist }: EventData<'onDidChangeUploads'>): void {
  const { siteId, mediaId, rows: known } = useAdditions.getState();
  if (mediaId === null) return;
  const changed = new Map(
    rows
      .filter((row) => row.addition !== undefined && row.siteId === siteId && row.mediaId === mediaId)
      .map((row) => [row.id, row]),
  );
  if (changed.size > 0) useAdditions.setState({ rows: known.map((row) => changed.get(row.id) ?? row) });
  const isSame = (row: UploadRow) => known.find(({ id }) => id === row.id)?.state === row.state;
  if (relist ? known.length > 0 || changed.size > 0 : ![...changed.values()].every(isSame)) void loadAdditions();
}
