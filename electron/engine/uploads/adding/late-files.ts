import { basename } from 'node:path';
import type { Addition } from '../../../../shared/contract/upload-choices.ts';
import { type AddUploadsOutput, batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { newFollowUp } from '../../../../shared/model/follow-ups.ts';
import type { Priority } from '../../../../shared/model/priorities.ts';
import type { Upload } from '../../../../shared/model/upload.ts';
import { shownName } from '../../ports/byte-paths.ts';
import type { FileFacts } from '../../ports/files.ts';
import type { AddTools } from './add-tools.ts';
import type { EarlierUploads } from './earlier-uploads.ts';
import type { LateTarget } from './late-pairs.ts';
import { newUpload } from './new-upload.ts';

/** Captions or a thumbnail for the item of an earlier upload. */
export interface LateFile {
  path: string;
  facts: FileFacts;
  late: LateTarget;
}

/** How many files an answer lists; the receipts list all. */
const NAMED_FILES = 200;

/**
 * Adds captions and thumbnails to the items of earlier uploads: to the item of a complete one as rows of their own, one batch
 * for each collection; to one that has not ended as its follow-ups, as if they had been there when it was added. `refused`: their
 * uploads ended without an item in the meantime. Not durable yet when this returns.
 */
export function addLateFiles(
  files: readonly LateFile[],
  { siteId, priority, earlier }: { siteId: string; priority: Priority; earlier: EarlierUploads },
  { batches, journal, clock, random, ranks }: AddTools,
): NonNullable<AddUploadsOutput['late']> & { refused: LateFile[] } {
  const defaults = { ...batchDefaultsSchema.parse({}), duplicates: 'upload' as const, sidecars: false };
  const newBatches = new Map<string, { id: string; rows: Upload[]; collectionName: string }>();
  const openBatches = new Set<string>();
  const added: NonNullable<AddUploadsOutput['late']> = { count: 0, bytes: 0, files: [], batchIds: [] };
  const refused: LateFile[] = [];
  for (const file of files) {
    const { path, facts, late } = file;
    const upload = earlier.get(late.upload.id);
    if (upload === null) {
      refused.push(file);
      continue;
    }
    const fileName = shownName(basename(path));
    const { mediaId, collectionId } = upload;
    const addition = upload.state === 'complete' ? additionOf(late.kind, upload) : null;
    if (addition === null) {
      const followUp = newFollowUp({ kind: late.kind, path, fileName });
      journal.recordMany([{ before: upload, event: { kind: 'follow-up-added', followUp } }]);
      openBatches.add(upload.batchId);
    } else {
      let batch = newBatches.get(collectionId);
      if (batch === undefined) {
        batch = { id: random.uuid(), rows: [], collectionName: earlier.collectionName(upload) };
        newBatches.set(collectionId, batch);
      }
      const row = newUpload({
        ...{ id: random.uuid(), batch: { id: batch.id, siteId, collectionId }, path, fileName },
        ...{ facts, sidecars: [], fields: { title: upload.title }, defaults, now: clock.now() },
      });
      batch.rows.push({ ...row, mediaId, addition, priority });
    }
    added.count += 1;
    added.bytes += facts.sizeBytes;
    if (added.files.length < NAMED_FILES) {
      added.files.push({ path, kind: late.kind, upload: earlier.shown(upload) });
    }
  }
  for (const [collectionId, { id, rows, collectionName }] of newBatches) {
    const collection = { collectionId, collectionName, collectionRef: null };
    batches.add({ id, siteId, ...collection, defaults, addedAt: clock.now(), roots: [] });
    journal.add(rows, ranks(priority));
  }
  added.batchIds = [...[...newBatches.values()].map(({ id }) => id), ...openBatches];
  return { ...added, refused };
}

function additionOf(kind: LateTarget['kind'], { fileId }: Upload): Addition | null {
  if (kind === 'thumbnail') return { kind };
  return fileId === null ? null : { kind, recordingId: fileId };
}
