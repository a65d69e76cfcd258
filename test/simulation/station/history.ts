/** The state of a file of a recording from this moment on. Paths are from the top of the volume. */
export interface StationState {
  atMs: number;
  recording: number;
  /** The path; null: no file has it any more. */
  path: string | null;
  contents: string;
  sizeBytes: number;
  mtimeMs: number;
  isFinished: boolean;
}

/** A row of a watched file that counted as deleted although its file was on the drive. */
interface LostSight {
  atMs: number;
  path: string;
}

/** The events in the watched folder, apart from uploads. */
export interface StationHistory {
  states: StationState[];
  /** The time from which the folder was watched, and the time at which its first sweep was complete. */
  watchedFromMs: number | null;
  baselineAtMs: number | null;
  lostSight: LostSight[];
  final: {
    /** The files in the watched folder at the end: paths from the top of the volume. */
    files: { path: string; recording: number; contents: string; isFinished: boolean }[];
    /** The folder from the top of the volume. */
    folder: string;
    rows: { path: string; state: string; uploadId: string | null; isGone: boolean; reason: string | null }[];
  };
}

export function emptyStationHistory(): StationHistory {
  return {
    states: [],
    watchedFromMs: null,
    baselineAtMs: null,
    lostSight: [],
    final: { files: [], folder: '', rows: [] },
  };
}
