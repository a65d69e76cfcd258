import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { call } from '../../bridge/bridge.ts';
import { counted } from '../../text/format.ts';
import { announce, attempt, warn } from '../app/messages-store.ts';
import { listedUploads, refreshUploads, uploadsList, useUploads } from './uploads-store.ts';

const MOVABLE_STATES: readonly string[] = ['queued', 'waiting', 'paused'];

/** Returns whether the place of an upload in the queue still matters. */
export function canMove(row: UploadRow | undefined): boolean {
  return row !== undefined && MOVABLE_STATES.includes(row.state);
}

/** Returns the uploads that may be movable. The engine decides about a row that was never loaded. */
export function movable(ids: readonly string[]): string[] {
  const { rows } = useUploads.getState();
  return ids.filter((id) => {
    const row = rows.get(id);
    return row === undefined || canMove(row);
  });
}

/** A place in the queue: in front of `before`, directly behind `after`, or at the end when `before` is null. */
type QueuePlace = { before: string } | { before: null; after?: string };

/**
 * Returns the place that an index of the list stands for; null while the row there is not loaded. The number of rows
 * stands for the end of the list. That is the end of the queue only when all uploads are listed; otherwise more may
 * follow.
 */
function placeAt(index: number): QueuePlace | null {
  if (index !== uploadsList.useList.getState().total) {
    const before = uploadsList.idAt(index);
    return before === undefined ? null : { before };
  }
  const { filter, batchId } = listedUploads();
  if (filter === 'all' && batchId === null) return { before: null };
  const after = uploadsList.idAt(index - 1);
  return after === undefined ? null : { before: null, after };
}

/** Moves uploads to an index of the list; see `placeAt`. Uploads that can no longer be moved stay where they are. */
export function moveUploads(ids: readonly string[], index: number): Promise<void> {
  return attempt(async () => {
    const moving = movable(ids);
    const place = placeAt(index);
    if (moving.length === 0 || place === null) return;
    const { changed } = await call('uploads.move', { ids: moving, ...place });
    if (changed === 0) return;
    const what = moving.length === 1 ? fileNameOf(moving[0]) : counted(changed, 'upload');
    announce(`${what} moved ${placeWords(place)}.`);
    refreshUploads();
  });
}

function placeWords(place: QueuePlace): string {
  if (place.before !== null) return `in front of ${fileNameOf(place.before) ?? 'another upload'}`;
  return place.after === undefined ? 'to the end' : `behind ${fileNameOf(place.after) ?? 'another upload'}`;
}

function fileNameOf(id: string | undefined): string | undefined {
  return id === undefined ? undefined : useUploads.getState().rows.get(id)?.fileName;
}

/** Moves the selected uploads one place up or down, by keyboard. The selection moves with them. */
export function moveSelected(direction: -1 | 1): Promise<void> {
  const { selection, total } = uploadsList.useList.getState();
  const moving = new Set(movable([...selection.ids]));
  const places = loadedPlaces(moving);
  const first = places[0];
  const last = places.at(-1);
  if (first === undefined || last === undefined || total === null) return Promise.resolve();
  if (places.length < moving.size) {
    // The next place depends on rows that are not loaded.
    warn('Not all of the selected uploads are at hand.', 'Select fewer, or drag them to where they belong.');
    return Promise.resolve();
  }
  const target = direction < 0 ? first.index - 1 : last.index + 2;
  if (target < 0 || target > total) return Promise.resolve();
  const isContiguous = last.index - first.index + 1 === places.length;
  const focus = isContiguous ? selection.focus + direction : direction < 0 ? target : last.index;
  uploadsList.select({ ...selection, focus, anchor: focus });
  return moveUploads(
    places.map(({ id }) => id),
    target,
  );
}

/** Returns the loaded uploads among `ids` with their indexes in the list, in the order of the list. */
function loadedPlaces(ids: ReadonlySet<string>): { index: number; id: string }[] {
  const places: { index: number; id: string }[] = [];
  for (const { index, row } of uploadsList.loaded()) if (ids.has(row.id)) places.push({ index, id: row.id });
  return places.sort((a, b) => a.index - b.index);
}
