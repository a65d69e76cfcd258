import type { Upload } from '../../../shared/model/uploads/upload.ts';
import type { FinalItem, History, RowFact } from '../history.ts';
import type { StationHistory, StationState } from '../station/history.ts';
import { MOUNT_POINT, OTHER_MOUNT_POINT } from '../station/mounts.ts';
import type { StationPlan } from '../station/plan.ts';

/** A finished recording is in the library exactly once, with its last contents; earlier versions at most once. */
export function recordingsArriveOnce(history: History): string[] {
  const { station, final } = history;
  if (station === null) return [];
  const held = heldContents(final.items);
  const twice = [...held].filter(([, ids]) => ids.length > 1);
  const contents = new Set(
    station.final.files.filter(({ path, isFinished }) => isFinished && !isLeftOut(path)).map((file) => file.contents),
  );
  const lost = [...contents].filter((each) => !held.has(each) && isWanted(each, history, station) === true);
  return [
    ...twice.map(([each, ids]) => `${each} is in the library ${ids.length} times: ${ids.join(', ')}`),
    ...lost.map((each) => `${each} is finished, and not in the library`),
  ];
}

/** Only finished recordings arrive: no file that existed before and is not wanted, and none of another drive. */
export function onlyFinishedRecordingsArrive(history: History): string[] {
  const { station, final, rows } = history;
  if (station === null) return [];
  const finished = new Set(station.states.filter(({ isFinished }) => isFinished).map(({ contents }) => contents));
  const unfinished = [...heldContents(final.items).keys()].filter((contents) => !finished.has(contents));
  const unwanted = [...heldContents(final.items).keys()].filter(
    (contents) => isWanted(contents, history, station) === false,
  );
  const early = rows.flatMap((fact) => {
    const state = fact.event === 'added' ? stateOf(fact, station) : undefined;
    if (fact.event !== 'added' || state?.isFinished === true) return [];
    return [`at ${fact.atMs}: ${fact.row.path} was queued before it was finished (${state?.contents ?? 'unknown'})`];
  });
  return [
    ...unfinished.map((contents) => `${contents} is in the library, and was never finished`),
    ...unwanted.map((contents) => `${contents} is in the library, and was there before the folder was watched`),
    ...early,
  ];
}

/** The same contents are queued once, whatever their names and drives were; copies may be queued if all but one are skipped. */
export function recordingsAreQueuedOnce({ station, rows, final, scenario }: History): string[] {
  if (station === null) return [];
  const queued = new Map<string, string[]>();
  for (const fact of rows) {
    const contents = fact.event === 'added' ? stateOf(fact, station)?.contents : undefined;
    if (contents !== undefined) queued.set(contents, [...(queued.get(contents) ?? []), fact.row.id]);
  }
  return [...queued].flatMap(([contents, ids]) => {
    const recording = station.states.find((state) => state.contents === contents)?.recording ?? -1;
    const isCopied = scenario.station?.recordings[recording]?.kind === 'copied';
    const isSkipped = (each: string) => final.rows.some(({ id, state }) => id === each && state === 'skipped');
    const counted = isCopied ? ids.filter((id) => !isSkipped(id)) : ids;
    return counted.length > 1 ? [`${contents} was queued ${counted.length} times: ${counted.join(', ')}`] : [];
  });
}

/** While its drive is disconnected, no file counts as deleted. */
export function awayIsNotGone({ station }: History): string[] {
  return (station?.lostSight ?? []).map(({ atMs, path }) => `at ${atMs}: ${path} counts as gone, and is on its drive`);
}

/** A recording that its recorder never closed is shown as incomplete. */
export function abandonedRecordingsAreShown({ station, scenario }: History): string[] {
  if (station === null) return [];
  const rows = new Map(station.final.rows.map((row) => [row.path, row]));
  return station.final.files.flatMap(({ path, recording }) => {
    if (scenario.station?.recordings[recording]?.kind !== 'abandoned') return [];
    const state = rows.get(path)?.state ?? 'unknown';
    // The file was recorded before the folder was watched, and only new files are wanted.
    const isExisting = scenario.station.existingFiles === 'skip' && isOld(recording, station);
    return state === 'incomplete' || isExisting ? [] : [`${path} was abandoned by its recorder, and is ${state}`];
  });
}

/** The longest quiet time, an interval of 30 s between polls, and five seconds. */
const LONGEST_MS = 5 * 60_000 + 35_000;
const SWEEP_MS = 60_000;
/** The interval of sweeps when events are reported; some of the events may be lost. */
const RARE_SWEEP_MS = 10 * 60_000;

/** When no fault disturbs the station, a recording is queued soon after it is first finished. */
export function recordingsAreQueuedInTime({ station, scenario, rows }: History): string[] {
  const { station: plan, faults } = scenario;
  if (station === null || plan === undefined || faults.length > 0 || plan.events.length > 0) return [];
  const mostMs = LONGEST_MS + longestUnseenMs(plan);
  return plan.recordings.flatMap((_, recording) => {
    const states = station.states.filter((state) => state.recording === recording);
    const first = states.findIndex(({ isFinished }) => isFinished);
    const state = states[first];
    // A recording that is soon renamed, replaced or continued starts to wait again.
    const isLeft = (states[first + 1]?.atMs ?? Number.POSITIVE_INFINITY) > (state?.atMs ?? 0) + mostMs;
    if (state === undefined || !isLeft || isOld(recording, station)) return [];
    const isIt = (fact: RowFact) => fact.event === 'added' && stateOf(fact, station)?.contents === state.contents;
    const isQueued = rows.some((fact) => fact.atMs <= state.atMs + mostMs && isIt(fact));
    return isQueued ? [] : [`${state.contents} was finished at ${state.atMs}, and not queued within ${mostMs} ms`];
  });
}

/** The time until a sweep or an event finds a file. */
function longestUnseenMs({ place, sweepEveryMs, eventsLost, eventsLateMs }: StationPlan): number {
  if (place === 'share') return sweepEveryMs ?? SWEEP_MS;
  return eventsLost > 0 ? (sweepEveryMs ?? RARE_SWEEP_MS) : eventsLateMs;
}

/**
 * Returns whether an upload waits for a drive, which is allowed even when its file was deleted: after a new mount, a drive
 * may have another device number, then an empty folder looks like the mount point of a disconnected drive, and only the user
 * can know.
 */
export function mayAwaitDrive({ state, error }: Upload): boolean {
  return state === 'waiting' && error?.code === 'file.drive-gone';
}

function heldContents(items: readonly FinalItem[]): Map<string, string[]> {
  const held = new Map<string, string[]>();
  for (const { id, files } of items) {
    for (const { contents, status, type } of files) {
      if (contents === null || type === 'captions' || (status !== 'complete' && status !== 'processing')) continue;
      held.set(contents, [...(held.get(contents) ?? []), id]);
    }
  }
  return held;
}

/** Whether finished contents have to be in the library; null: either is right. */
function isWanted(contents: string, { scenario, lives }: History, station: StationHistory): boolean | null {
  if (scenario.station?.existingFiles !== 'skip') return true;
  const first = station.states.find((state) => state.contents === contents);
  const { watchedFromMs, baselineAtMs } = station;
  if (first === undefined || watchedFromMs === null || baselineAtMs === null) return null;
  if (!isOld(first.recording, station)) return true;
  // Either is right for a file that existed and still grew, or that arrived during the first sweep.
  const isUnchanged = first.atMs < watchedFromMs && first.isFinished;
  // When the first sweep was interrupted, the modification time of the file decides, by the clock of its share.
  const isInterrupted = lives.some(
    ({ toMs }) => toMs !== null && toMs > watchedFromMs && toMs <= baselineAtMs + 60_000,
  );
  return isUnchanged && !isInterrupted ? false : null;
}

function isOld(recording: number, { states, baselineAtMs }: StationHistory): boolean {
  const first = states.find((state) => state.recording === recording);
  return first !== undefined && (baselineAtMs === null || first.atMs <= baselineAtMs);
}

/** Returns the state of the file from which an upload was created. */
function stateOf({ row, atMs }: RowFact, { states }: StationHistory): StationState | undefined {
  const path = pathOnVolume(row.path);
  return states.findLast((state) => state.atMs <= atMs && state.path === path);
}

/** Returns whether the file of an upload was ever at its path, as the upload describes it. */
export function wasAtPath({ row, atMs }: RowFact, { states }: StationHistory): boolean {
  const path = pathOnVolume(row.path);
  return states.some(
    (each) =>
      each.atMs <= atMs && each.path === path && each.sizeBytes === row.sizeBytes && each.mtimeMs === row.mtimeMs,
  );
}

/** Returns the path of a file from the top of its drive. */
export function pathOnVolume(path: string): string {
  return [OTHER_MOUNT_POINT, MOUNT_POINT].reduce((left, mount) => withoutPrefix(left, `${mount}/`), path);
}

function withoutPrefix(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** Returns whether watched folders ignore a path because of a name in it. */
function isLeftOut(path: string): boolean {
  return path.endsWith('.part') || path.split('/').some((name) => name.startsWith('.'));
}
