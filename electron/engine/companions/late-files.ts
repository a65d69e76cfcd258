import { basename } from 'node:path';
import type { Addition } from '../../../shared/contract/upload-choices.ts';
import { type AddUploadsOutput, batchDefaultsSchema } from '../../../shared/contract/uploads.ts';
import { ITEM_FIELDS } from '../../../shared/item/fields.ts';
import { newFollowUp } from '../../../shared/model/uploads/follow-ups.ts';
import type { Priority } from '../../../shared/model/uploads/priorities.ts';
import type { SidecarName } from '../../../shared/model/uploads/sidecars.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import { shownName } from '../ports/system/byte-paths.ts';
import { newUpload } from '../uploads/journal/new-upload.ts';
import type { ChosenPlaces } from '../uploads/places/chosen-places.ts';
import { knownFile, volumesByFolder } from '../uploads/places/volume-of.ts';
import { applyLateDetails } from './details-after-upload.ts';
import type { EarlierUploads } from './earlier-uploads.ts';
import type { LateDetailsFile, LateFile, LateFileTools, LateTarget, RefusedLateFile } from './late-file.ts';
import { pairUnclear } from './pair-problems.ts';

type AddedLate = NonNullable<AddUploadsOutput['late']>;

interface LateRequest {
  siteId: string;
  priority: Priority;
  earlier: EarlierUploads;
  /** What the user chose: later, no link below these places is followed either. */
  places: ChosenPlaces;
}

/** How many files an answer lists; the receipts and the list of edits have all. */
const NAMED_FILES = 200;

/**
 * Adds files to the items of earlier uploads: captions and thumbnails to the item of a complete upload as rows of their own, one
 * batch for each collection; to an upload that has not ended as its follow-ups, as if they had been added with the recording.
 * Details become values of the upload or an edit of its item. Captions and thumbnails are not durable yet when this returns.
 */
export async function addLateFiles(
  files: readonly LateFile[],
  request: LateRequest,
  tools: LateFileTools,
): Promise<AddedLate & { refused: RefusedLateFile[] }> {
  const { earlier } = request;
  const details = files.filter((file): file is LateDetailsFile => file.late.kind === 'details');
  const applied = await applyLateDetails(details, request, tools);
  const sidecars = addLateSidecars(files, request, tools);
  const refused = [...applied.refused, ...sidecars.refused];
  const failed = new Set(refused.map(({ path }) => path));
  const done = files.filter(({ path }) => !failed.has(path));
  return {
    count: done.length,
    bytes: done.reduce((sum, { late, facts }) => sum + (late.kind === 'details' ? 0 : facts.sizeBytes), 0),
    described: done.filter(({ late }) => late.kind === 'details').length,
    files: done.slice(0, NAMED_FILES).map(({ path, late }) => ({ path, ...shownLate(late, earlier) })),
    batchIds: sidecars.batchIds,
    editIds: applied.groupId === null ? [] : [applied.groupId],
    refused,
  };
}

/** Returns the upload to which a file is added, as screens show it. */
export function shownLate(late: LateTarget, earlier: EarlierUploads): Omit<AddedLate['files'][number], 'path'> {
  const upload = earlier.shown(late.upload);
  if (late.kind !== 'details') return { kind: late.kind, upload };
  const { kind, fields } = late;
  return { kind, upload, fields: ITEM_FIELDS.filter((field) => fields[field] !== undefined) };
}

function addLateSidecars(
  files: readonly LateFile[],
  { siteId, priority, earlier, places }: LateRequest,
  { batches, journal, clock, random, ranks, volumes }: LateFileTools,
): { batchIds: string[]; refused: RefusedLateFile[] } {
  const defaults = { ...batchDefaultsSchema.parse({}), duplicates: 'upload' as const, sidecars: false };
  const newBatches = new Map<string, { id: string; rows: Upload[]; collectionName: string }>();
  const openBatches = new Set<string>();
  const taken = new Set<string>();
  const refused: RefusedLateFile[] = [];
  const volumeOf = volumesByFolder(volumes);
  for (const file of files) {
    const { path, facts, late } = file;
    if (late.kind === 'details') continue;
    const upload = earlier.get(late.upload.id);
    const fileName = shownName(basename(path));
    const place = `${late.upload.id} ${late.kind} ${late.kind === 'thumbnail' ? '' : fileName}`;
    // An item has one thumbnail, and one captions file of each name.
    if (upload === null || taken.has(place)) {
      refused.push({ ...file, error: pairUnclear(path, null) });
      continue;
    }
    taken.add(place);
    const { mediaId } = upload;
    const addition = upload.state === 'complete' ? additionOf(late.kind, upload) : null;
    if (addition === null) {
      const followUp = newFollowUp({ kind: late.kind, path, fileName, known: knownFile(path, facts, volumeOf) });
      journal.recordMany([{ before: upload, event: { kind: 'follow-up-added', followUp } }]);
      if (!openBatches.has(upload.batchId)) batches.addPlaces(upload.batchId, places);
      openBatches.add(upload.batchId);
      continue;
    }
    const { id: collectionId, name: collectionName } = earlier.collectionOf(upload);
    let batch = newBatches.get(collectionId);
    if (batch === undefined) {
      batch = { id: random.uuid(), rows: [], collectionName };
      newBatches.set(collectionId, batch);
    }
    const row = newUpload({
      ...{ id: random.uuid(), batch: { id: batch.id, siteId, collectionId }, path, fileName },
      ...{ facts, volume: volumeOf(path, facts), sidecars: [] },
      ...{ fields: { title: upload.title }, defaults, now: clock.now() },
    });
    batch.rows.push({ ...row, mediaId, addition, priority });
  }
  for (const [collectionId, { id, rows, collectionName }] of newBatches) {
    const collection = { collectionId, collectionName, collectionRef: null, below: null };
    batches.add({ id, siteId, ...collection, defaults, addedAt: clock.now(), ...places });
    journal.add(rows, ranks(priority));
  }
  return { batchIds: [...[...newBatches.values()].map(({ id }) => id), ...openBatches], refused };
}

function additionOf(kind: SidecarName['kind'], { fileId }: Upload): Addition | null {
  if (kind === 'thumbnail') return { kind };
  return fileId === null ? null : { kind, recordingId: fileId };
}
