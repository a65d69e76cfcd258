import { basename } from 'node:path';
import type { Batch, ListedBatch } from '../../../../shared/contract/uploads.ts';
import { UPLOAD_STATES } from '../../../../shared/model/uploads/upload-states.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import type { BatchRecord } from '../journal/batch-store.ts';
import { allCounts, type Tally, type WorkBytes } from '../journal/upload-tally.ts';

/** The open transfers of a batch: the bytes sent by transfers whose file is not delivered yet, and their speed. */
export interface LiveBytes {
  sentBytes: number;
  bytesPerSecond: number;
}

/** Returns a batch with the counts of all its uploads, including cleared ones. */
export function shownBatch(batch: BatchRecord, tally: Readonly<Tally>): Batch {
  const { id, siteId, collectionId, collectionName, addedAt } = batch;
  const [root, ...others] = batch.roots;
  const folderName = root === undefined || others.length > 0 ? null : shownName(basename(root));
  const counts = allCounts(tally);
  const totalBytes = UPLOAD_STATES.reduce((sum, state) => sum + tally.bytes[state], 0);
  const duplicates = tally.duplicates + tally.cleared.duplicates;
  return { id, siteId, collectionId, collectionName, folderName, addedAt, counts, duplicates, totalBytes };
}

/** Returns a batch as the list of uploads shows it. `work`: its bytes as the journal counts them. */
export function listedBatch(
  batch: BatchRecord,
  tally: Readonly<Tally>,
  { work, live }: { work: Readonly<WorkBytes>; live: LiveBytes | undefined },
): ListedBatch {
  const { totalBytes } = work;
  const sentBytes = Math.min(totalBytes, work.sentBytes + (live?.sentBytes ?? 0));
  const bytesPerSecond = live?.bytesPerSecond ?? 0;
  const secondsLeft = bytesPerSecond > 0 ? (totalBytes - sentBytes) / bytesPerSecond : null;
  return {
    ...shownBatch(batch, tally),
    listed: { counts: { ...tally.counts }, duplicates: tally.duplicates },
    progress: { totalBytes, sentBytes, bytesPerSecond, secondsLeft },
  };
}
