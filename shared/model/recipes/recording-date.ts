import { dayInName } from '../watch/watch-title.ts';

/**
 * The sources of the date of a recording:
 * - `apple`     `creationdate` of a QuickTime or MP4 file: local time with its zone
 * - `exif`      EXIF of a picture: time of the camera, with its zone in newer ones
 * - `mp4`, `matroska`  time of the file in UTC, shown in the zone of this computer; of Matroska not if its tags name another day
 * - `quicktime` time of a QuickTime file: many cameras write their local time there
 * - `wav`       origination time of a broadcast wave file
 * - `tag`       day in the tags of a sound file
 * - `name`, `changed`  day in the file name, and time of the last change
 */
export const DATE_SOURCES = [
  ...(['apple', 'exif', 'mp4', 'matroska', 'quicktime', 'wav', 'tag', 'name', 'changed'] as const),
] as const;

/** The date of a recording, and its source. */
export interface RecordingDate {
  /** `YYYY-MM-DD`, or with `THH:mm:ss`: the local time of the recording if it is known. */
  at: string;
  /** `+01:00`, or null when the source has no zone. */
  zone: string | null;
  source: (typeof DATE_SOURCES)[number];
}

/** The earliest plausible date: clocks that were never set, and formats that write zeros, give earlier ones. */
const EARLIEST = '1971-01-01';
const LATEST = '2200-01-01';

/**
 * Returns the most reliable date of a file: a date inside the file with its zone, one without, the day in its name, the time of
 * its last change. Null when there is none. `stem`: the name without its extension. `changed`: `YYYY-MM-DDTHH:mm:ss`.
 */
export function recordingDate(
  embedded: readonly RecordingDate[],
  stem: string,
  changed: string | null,
): RecordingDate | null {
  const inName = dayInName(stem);
  const byRank = embedded.toSorted((a, b) => DATE_SOURCES.indexOf(a.source) - DATE_SOURCES.indexOf(b.source));
  const candidates: RecordingDate[] = [
    ...byRank.filter(({ zone }) => zone !== null),
    ...byRank.filter(({ zone }) => zone === null),
    ...(inName === null ? [] : [{ at: inName.day, zone: null, source: 'name' as const }]),
    ...(changed === null ? [] : [{ at: changed, zone: null, source: 'changed' as const }]),
  ];
  return candidates.find(({ at }) => at >= EARLIEST && at < LATEST) ?? null;
}
