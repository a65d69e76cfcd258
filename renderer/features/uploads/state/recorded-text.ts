import type { RecordingDate } from '../../../../shared/model/recipes/recording-date.ts';
import { texts } from './texts.ts';

/**
 * Returns the text for the date of a recording, with its zone and its source. The text says so when the time of a device has no
 * zone.
 */
export function recordedText({ at, zone, source }: RecordingDate): string {
  const { recorded, sources, noZone } = texts.contents;
  const isDevice = at.includes('T') && zone === null && source !== 'changed';
  const from = sources[source];
  return recorded([at.replace('T', ' '), ...(zone === null ? [] : [zone])].join(' '), isDevice ? noZone(from) : from);
}
