import type { Settings } from '../contract/settings.ts';

/** The settings of a new profile. */
export const DEFAULT_SETTINGS: Settings = {
  parallelTransfers: 4,
  smallFirst: false,
  diskMode: 'auto',
  limitBytesPerSecond: null,
  timetable: [],
  daysWithoutPublication: [],
};
