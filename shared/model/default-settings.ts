import type { Settings } from '../contract/settings.ts';

/** What holds until a person chooses otherwise. */
export const DEFAULT_SETTINGS: Settings = {
  parallelTransfers: 4,
  smallFirst: false,
  diskMode: 'auto',
  limitBytesPerSecond: null,
  timetable: [],
};
