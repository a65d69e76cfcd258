import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { announce, attempt, warn } from '../../common/state/messages-store.ts';
import { refreshUploads } from './load-uploads.ts';
import { currentOutline, focusPlace, uploadWindows, useOutline } from './outline/outline-store.ts';
import { texts } from './texts.ts';
import { useUploads } from './uploads-store.ts';

const MOVABLE_STATES: readonly string[] = ['queued', 'waiting', 'paused'];

/** Returns whether the position of an upload in the queue still has an effect. */
export function canMove(row: UploadRow | undefined): boolean {
  return row !== undefined && MOVABLE_STATES.includes(row.state);
}

/** Returns the uploads that may be movable. For a row that was never loaded, the engine decides. */
export function movable(ids: readonly string[]): string[] {
  const { rows } = useUploads.getState();
  return ids.filter((id) => {
    const row = rows.get(id);
    return row === undefined || canMove(row);
  });
}

/** A position in the queue: in front of `before`, or directly behind `after`. */
type QueuePlace = { before: string } | { before: null; after: string };

/**
 * Returns the queue position for an index of a batch; null while the row at that index is not loaded. The index after the last
 * row is the end of the batch: other batches may follow.
 */
function placeAt(batchId: string, at: number): QueuePlace | null {
  const before = uploadWindows.idAt(batchId, 'rows', at);
  if (before !== undefined && at < (currentOutline().section(batchId)?.rows ?? 0)) return { before };
  const after = uploadWindows.idAt(batchId, 'rows', at - 1);
  return after === undefined ? null : { before: null, after };
}

/** Moves uploads to an index of a batch; see `placeAt`. Uploads that can no longer be moved keep their position. */
export function moveUploads(ids: readonly string[], batchId: string, at: number): Promise<void> {
  return attempt(async () => {
    const moving = movable(ids);
    const place = placeAt(batchId, at);
    if (moving.length === 0 || place === null) return;
    const { changed } = await call('uploads.move', { ids: moving, ...place });
    if (changed === 0) return;
    const what = moving.length === 1 ? (fileNameOf(moving[0]) ?? texts.uploads(1)) : texts.uploads(changed);
    announce(texts.moved(what, placeWords(place)));
    refreshUploads();
  });
}

function placeWords(place: QueuePlace): string {
  return place.before === null ? texts.behind(fileNameOf(place.after)) : texts.before(fileNameOf(place.before));
}

function fileNameOf(id: string | undefined): string | undefined {
  return id === undefined ? undefined : useUploads.getState().rows.get(id)?.fileName;
}

/**
 * Moves the selected uploads one position up or down inside their batch, by keyboard. The selection moves with them. Does nothing
 * for uploads of several batches, because they have no common position.
 */
export function moveSelected(direction: -1 | 1): Promise<void> {
  const { selected, focus } = useOutline.getState();
  const moving = new Set(movable([...selected]));
  if (focus?.kind !== 'upload' || focus.part !== 'rows') return Promise.resolve();
  const { batchId } = focus;
  const places = loadedPlaces(batchId, moving);
  const first = places[0];
  const last = places.at(-1);
  const total = currentOutline().section(batchId)?.rows;
  if (first === undefined || last === undefined || total === undefined) return Promise.resolve();
  if (places.length < moving.size) {
    // The next position depends on rows that are not loaded.
    warn(texts.tooManyToMove, texts.tooManyToMoveNextStep);
    return Promise.resolve();
  }
  const target = direction < 0 ? first.index - 1 : last.index + 2;
  if (target < 0 || target > total) return Promise.resolve();
  const isContiguous = last.index - first.index + 1 === places.length;
  const at = isContiguous ? focus.at + direction : direction < 0 ? target : last.index;
  focusPlace({ ...focus, at });
  return moveUploads(
    places.map(({ id }) => id),
    batchId,
    target,
  );
}

/** Returns the loaded uploads of a batch among `ids` with their indexes, in the order of the list. */
function loadedPlaces(batchId: string, ids: ReadonlySet<string>): { index: number; id: string }[] {
  const places: { index: number; id: string }[] = [];
  for (const { index, row } of uploadWindows.loaded(batchId, 'rows')) {
    if (ids.has(row.id)) places.push({ index, id: row.id });
  }
  return places.sort((a, b) => a.index - b.index);
}
