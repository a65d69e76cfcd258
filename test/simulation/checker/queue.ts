import type { Upload } from '../../../shared/model/uploads/upload.ts';
import { isEnded } from '../../../shared/model/uploads/upload-states.ts';
import type { History } from '../history.ts';
import { isBehindHeld, isHeld } from '../world/program.ts';
import { mayAwaitDrive, pathOnVolume } from './watched-folder.ts';

/** No loss: a row that was once durable exists at the end. */
export function noUploadIsLost({ final }: History): string[] {
  const there = new Set(final.rows.map(({ id }) => id));
  return final.acceptedIds.filter((id) => !there.has(id)).map((id) => `upload ${id} vanished`);
}

/**
 * Liveness: after all failures are over, every upload that the user does not hold ends, and the queue reports that it
 * is idle.
 */
export function everythingEnds({ final, station, scenario }: History): string[] {
  const left = new Set(station?.final.files.map(({ path }) => path));
  const isUndecidable = (row: Upload) =>
    scenario.station?.deviceChanges === true && mayAwaitDrive(row) && !left.has(pathOnVolume(row.path));
  const open = final.rows.filter(
    (row) =>
      !isEnded(row.state) &&
      !isHeld(row, final.queuePaused) &&
      !isBehindHeld(row, final.rows, final.queuePaused) &&
      !isUndecidable(row),
  );
  const stuck = open.map((row) => `upload ${row.id} is still ${row.state} (${row.error?.code ?? 'no error'})`);
  const unfinished = final.rows.filter(({ followUpAt }) => followUpAt !== null);
  const silent = final.rows.filter((row) => row.state === 'failed' && row.error === null);
  return [
    ...stuck,
    ...unfinished.map((row) => `upload ${row.id} still has something to be done after it`),
    ...silent.map((row) => `upload ${row.id} failed without a reason`),
    ...(stuck.length === 0 && !final.idle && !final.rows.some((row) => !isEnded(row.state))
      ? ['everything has ended and the queue does not say so']
      : []),
  ];
}

export function databaseIsSound({ final }: History): string[] {
  return final.integrity === 'ok' ? [] : [`the database is damaged: ${final.integrity}`];
}
