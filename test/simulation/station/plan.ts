/** A day of a recording station as plain data. Times are in milliseconds since the start. */
export interface StationPlan {
  /**
   * `local`: programs of this computer record to its own disk, and sleep with it. `usb`: a removable drive. `share`: a folder on
   * another computer, whose changes the system does not report.
   */
  place: 'local' | 'usb' | 'share';
  /** The folder below the mount point; empty: the mount point itself. */
  folder: string;
  /** Whether the mount point remains as an empty folder while the drive is disconnected. */
  mountPointStays: boolean;
  /** The maximum time until the drive answers; absent: the usual time. */
  answersWithinMs?: number;
  /** Whether the file system numbers its files anew with each mount. */
  numbersChange: boolean;
  /** Whether the system gives the drive another device number with each mount. */
  deviceChanges: boolean;
  /** The monotonic clock stops while the computer sleeps. */
  clockStopsInSleep: boolean;
  /** Whether the system shows which files of this computer are open for writing. */
  showsOpenFiles: boolean;
  /** The probability that an event is not reported, and the maximum time until an event is reported. */
  eventsLost: number;
  eventsLateMs: number;
  /** How far the clock of the share is ahead. */
  clockAheadMs: number;
  /** The interval of sweeps that the user chose; null: the engine chooses it. */
  sweepEveryMs: number | null;
  existingFiles: 'upload' | 'skip';
  duplicates: 'skip' | 'upload';
  source: { kind: 'keep' } | { kind: 'trash' };
  recordings: PlannedRecording[];
  events: StationEvent[];
}

export const RECORDING_KINDS = [
  'steady',
  'growing pauses',
  'container with pauses',
  'open with pauses',
  'preallocated',
  'temporary name',
  'temporary folder',
  'copy with the old time',
  'append after close',
  'empty at first',
  'replaced',
  'renamed',
  'renamed while written',
  'moved away and back',
  'copied',
  'deleted',
  'abandoned',
  'existing',
] as const;
export type RecordingKind = (typeof RECORDING_KINDS)[number];

/** A recording; `writesOf` derives its writes from it. */
export interface PlannedRecording {
  kind: RecordingKind;
  atMs: number;
  /** Below the watched folder. */
  name: string;
  seed: number;
}

export const STATION_EVENTS = [
  'sleep',
  'unplugged',
  'mounted-elsewhere',
  'other-drive',
  'root-renamed',
  'share-hangs',
  'events-fail',
  'kill',
  'kill-at-write',
  'power-cut',
  'restart',
  'clock-jump',
  'came-back',
  'folder-paused',
  'queue-paused',
  'sweep-now',
] as const;

export interface StationEvent {
  kind: (typeof STATION_EVENTS)[number];
  atMs: number;
  /** The duration; the change of the clock; or the number of the write. */
  amount: number;
}
