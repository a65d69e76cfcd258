import type { EarlierUpload, ListedFile } from '../../../../shared/contract/upload-files.ts';
import type { RecordingDate } from '../../../../shared/model/recipes/recording-date.ts';
import { formatDateTime } from '../../../kit/text/format.ts';
import { texts } from './texts.ts';

/** Returns the text of the table for the earlier upload that a file is added to. */
export function earlierText({ kind, upload }: NonNullable<ListedFile['late']>): string {
  return texts.earlier[kind](recordingText(upload));
}

/** Returns the name of a recording, the time of its upload, and its collection. */
export function recordingText({ fileName, uploadedAt, collectionName, movedTo }: EarlierUpload): string {
  const { uploaded, uploading, moved } = texts.earlier;
  const text =
    uploadedAt === null
      ? uploading(fileName, collectionName)
      : uploaded(fileName, collectionName, formatDateTime(uploadedAt));
  return movedTo === undefined ? text : moved(text, movedTo);
}

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
