import type { Upload } from '../../../shared/model/uploads/upload.ts';
import type { History, RowFact } from '../history.ts';
import { wasAtPath } from './watched-folder.ts';

/** The time of a search for a file, plus a step that began before the file moved. */
const LOOK_MS = 30_000;

/**
 * A file that exists on the drive is never reported as missing: neither after it was renamed or moved, nor while its drive is
 * disconnected.
 */
export function presentFilesAreFound({ rows, places, drive, lives }: History): string[] {
  return rows.flatMap(({ event, row, atMs }) => {
    if (event !== 'failed' || row.error?.code !== 'file.missing') return [];
    const isSteady = (times: { atMs: number }[]) =>
      !times.some((each) => each.atMs > atMs - LOOK_MS && each.atMs <= atMs);
    const ofIt = places.filter(({ identity }) => identity === row.identity);
    const last = ofIt.filter((place) => place.atMs <= atMs).at(-1);
    if (!last || last.path === null || !isSteady(ofIt) || !isSteady(drive)) return [];
    if (last.sizeBytes !== row.sizeBytes || last.mtimeMs !== row.mtimeMs) return [];
    if (lives.some(({ fromMs }) => fromMs > atMs - LOOK_MS && fromMs <= atMs)) return [];
    return [`at ${atMs}: ${row.id} is shown as missing, but its file is ${last.path}`];
  });
}

/** A row follows its file only to a path at which the same file was: it never describes another file. */
export function onlyTheSameFileIsFollowed({ rows, places, station }: History): string[] {
  return rows.flatMap((fact) => {
    const { event, row, atMs } = fact;
    if (event !== 'file-moved') return [];
    const been =
      station === null
        ? places.some((place) => place.identity === row.identity && place.path === row.path && place.atMs <= atMs)
        : wasAtPath(fact, station);
    return been ? [] : [`at ${atMs}: ${row.id} followed its file to ${row.path}, where it never was`];
  });
}

/**
 * The same contents exist once in a collection, unless the user wanted them twice. Checked only when the duplicate check used the
 * contents that were sent, and no ended upload was restarted.
 */
export function sameContentsOnce({ final, rows }: History): string[] {
  const held = new Map(final.items.flatMap((item) => item.files.map((file) => [`${item.site} ${file.id}`, file])));
  const facts = new Map<string, RowFact[]>();
  for (const fact of rows) facts.set(fact.row.id, [...(facts.get(fact.row.id) ?? []), fact]);
  const first = new Map<string, Upload>();
  return final.rows.flatMap((row) => {
    const file = row.state === 'complete' ? held.get(`${row.siteId} ${row.fileId}`) : undefined;
    if (!file || row.duplicates === 'upload' || !wasAskedAbout(row, facts.get(row.id) ?? [])) return [];
    const key = `${row.siteId} ${row.collectionId} ${file.contents}`;
    const other = first.get(key);
    if (other) return [`${row.id} and ${other.id} both brought ${file.contents}`];
    first.set(key, row);
    return [];
  });
}

function wasAskedAbout(row: Upload, facts: RowFact[]): boolean {
  if (facts.some(({ event }) => event === 'retried' || event === 'cancelled' || event === 'failed')) return false;
  const asked = facts.findLast(({ event }) => event === 'duplicates-checked')?.row;
  return asked !== undefined && asked.sizeBytes === row.sizeBytes && asked.mtimeMs === row.mtimeMs;
}
