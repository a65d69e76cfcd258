import type { EarlierUpload, ListedFile } from '../../../shared/contract/upload-files.ts';
import { formatDateTime } from '../../text/format.ts';
import { texts } from './texts.ts';

/** Returns to which earlier upload a file is added, as the table says it. */
export function earlierText({ kind, upload }: NonNullable<ListedFile['late']>): string {
  return texts.earlier[kind](recordingText(upload));
}

/** Returns the name of a recording, when it was uploaded, and where to. */
export function recordingText({ fileName, uploadedAt, collectionName, movedTo }: EarlierUpload): string {
  const { uploaded, uploading, moved } = texts.earlier;
  const text =
    uploadedAt === null
      ? uploading(fileName, collectionName)
      : uploaded(fileName, collectionName, formatDateTime(uploadedAt));
  return movedTo === undefined ? text : moved(text, movedTo);
}
