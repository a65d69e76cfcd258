import type { UploadRow, UploadTotals } from '../../../shared/contract/uploads.ts';
import { type CountedUploads, uploadOutcomes } from '../../../shared/model/uploads/upload-counts.ts';
import { limitWords } from './limit-text.ts';
import { texts } from './texts.ts';
import { untilWords } from './until-text.ts';

/** Returns the text of a pause: `paused`, `paused until 20:00`. */
export function pausedWords({ pausedUntil }: UploadTotals, nowMs: number): string {
  return pausedUntil === null ? texts.paused : texts.pausedUntil(untilWords(pausedUntil, nowMs));
}

/** Returns the active limit and its end as text: `2 MB/s (16 Mbit/s) until 18:00`, `no limit`. */
export function limitNowWords({ limitBytesPerSecond, limitUntil }: UploadTotals, nowMs: number): string {
  const words = limitWords(limitBytesPerSecond);
  return limitUntil === null ? words : texts.limit.until(words, untilWords(limitUntil, nowMs));
}

/** Returns the number of permanently failed uploads. Uploads that need a decision about a duplicate are not counted. */
export function failuresOf(uploads: CountedUploads): number {
  return uploadOutcomes(uploads).failed;
}

/** Returns the name of an upload's collection, or the text that the user typed until the library confirmed the collection. */
export function targetLabel({
  collectionId,
  collectionName,
}: Pick<UploadRow, 'collectionId' | 'collectionName'>): string {
  return collectionId === '' ? texts.unconfirmed(collectionName) : collectionName;
}
