import { basename } from 'node:path';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { Addition } from '../../../shared/contract/upload-choices.ts';
import { type AddUploadsOutput, batchDefaultsSchema } from '../../../shared/contract/uploads.ts';
import { ITEM_FIELDS, type ItemFields } from '../../../shared/item/fields.ts';
import { mergeDetails } from '../../../shared/model/details/details-fields.ts';
import type { CompanionKind } from '../../../shared/model/pairing/pair-files.ts';
import type { Priority } from '../../../shared/model/uploads/priorities.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileFacts } from '../ports/files.ts';
import type { Random } from '../ports/random.ts';
import { shownName } from '../ports/system/byte-paths.ts';
import type { Volumes } from '../ports/volumes.ts';
import type { BatchStore } from '../uploads/journal/batch-store.ts';
import { newUpload } from '../uploads/journal/new-upload.ts';
import { noteDetails } from '../uploads/journal/note-details.ts';
import type { UploadJournal } from '../uploads/journal/upload-journal.ts';
import type { ChosenPlaces } from '../uploads/places/chosen-places.ts';
import { companionFile, type VolumeOf, volumesByFolder } from '../uploads/places/volume-of.ts';
import type { EarlierUploads } from './earlier-uploads.ts';
import type { KnownItems } from './known-items.ts';
import { sidecarEvent } from './late-sidecar.ts';
import { applyLate, type LateOutcome, type LateValues, NO_PLACE } from './late-values.ts';
import { pairUnclear, valuesEntered } from './pair-problems.ts';

/**
 * The earlier upload to which a file is added. `fields`: the values in details; else none. `read`: the facts of the file as they were
 * when its contents were read; null: they were not.
 */
export interface LateTarget {
  upload: Upload;
  kind: CompanionKind;
  fields: Partial<ItemFields>;
  read: FileFacts | null;
}

/** A file for the item of an earlier upload. */
export interface LateFile {
  path: string;
  facts: FileFacts;
  late: LateTarget;
}

/** A file that could not be added to the item of an earlier upload. */
interface RefusedLateFile extends LateFile {
  error: AppError;
}

/** The dependencies of adding files to the items of earlier uploads. */
export interface LateFileTools {
  batches: BatchStore;
  journal: UploadJournal;
  volumes: Volumes;
  /** The items of earlier uploads. */
  items: KnownItems;
  clock: Clock;
  random: Random;
  /** Returns a function that computes the rank of a new row in a priority (default: normal). */
  ranks(priority?: Priority): (upload: Upload, index: number) => number;
}

type AddedLate = NonNullable<AddUploadsOutput['late']>;

interface LateRequest {
  siteId: string;
  priority: Priority;
  earlier: EarlierUploads;
  /** What the user chose: later, no link below these places is followed either. */
  places: ChosenPlaces;
}

/** The tools of one request, with the files that could not be added. */
interface Adding extends LateRequest, LateFileTools {
  volumeOf: VolumeOf;
  refused: RefusedLateFile[];
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
  const refused: RefusedLateFile[] = [];
  const adding = { ...request, ...tools, volumeOf: volumesByFolder(tools.volumes), refused };
  const { details = [], sidecars = [] } = Object.groupBy(files, ({ late }) =>
    late.kind === 'details' ? 'details' : 'sidecars',
  );
  const editIds = await addDetails(details, adding);
  const batchIds = addSidecars(sidecars, adding);
  const failed = new Set(refused.map(({ path }) => path));
  const done = files.filter(({ path }) => !failed.has(path));
  return {
    count: done.length,
    bytes: done.reduce((sum, { late, facts }) => sum + (late.kind === 'details' ? 0 : facts.sizeBytes), 0),
    described: done.filter(({ late }) => late.kind === 'details').length,
    files: done.slice(0, NAMED_FILES).map(({ path, late }) => ({ path, ...shownLate(late, earlier) })),
    batchIds,
    editIds,
    refused,
  };
}

/** Returns the upload to which a file is added, as screens show it. */
export function shownLate(
  { kind, upload, fields }: LateTarget,
  earlier: EarlierUploads,
): Omit<AddedLate['files'][number], 'path'> {
  const shown = { kind, upload: earlier.shown(upload) };
  return kind === 'details' ? { ...shown, fields: ITEM_FIELDS.filter((field) => fields[field] !== undefined) } : shown;
}

/**
 * Applies files with details to earlier uploads: to the row of an upload whose item is not created yet, otherwise as one edit of
 * the items. Values that someone entered are replaced only if the user chose the upload of a file. Of two files about one recording,
 * JSON comes before XML, and XML before text, field by field. Returns the ids of the edits.
 */
async function addDetails(files: readonly LateFile[], adding: Adding): Promise<string[]> {
  const { earlier, items, journal, volumeOf, refused } = adding;
  const byUpload = [...Map.groupBy(files, ({ late }) => late.upload.id)];
  const values: LateValues[] = [];
  for (const [uploadId, some] of byUpload) {
    const upload = earlier.get(uploadId);
    // By choosing the upload, the user agreed that entered values are replaced.
    const isChosen = some.every(({ path }) => earlier.chosenFor(path) === uploadId);
    const given = mergeDetails(some.map(({ path, late }) => ({ path, fields: late.fields })));
    const made = upload === null ? [] : await earlier.made(upload);
    values.push({ uploadId, given, made, replaces: isChosen ? 'any' : 'all-made', named: NO_PLACE });
  }
  const uploadOf = (id: string) => earlier.get(id);
  const { outcomes, groupIds } = await applyLate(values, labelOf(files), {
    ...adding,
    describe: items.describe,
    uploadOf,
  });
  for (const [index, [uploadId, some]] of byUpload.entries()) {
    for (const file of some) {
      const error = errorOf(outcomes[index] ?? { kind: 'over' }, file.path);
      const upload = uploadOf(uploadId);
      if (error !== null) refused.push({ ...file, error });
      else if (upload !== null) noteDetails(upload, companionOf(file, volumeOf), journal);
    }
  }
  return groupIds;
}

/** Returns why the values of a file were not applied; null: they were. */
function errorOf(outcome: LateOutcome, path: string): AppError | null {
  switch (outcome.kind) {
    case 'applied':
      return null;
    case 'kept':
      return valuesEntered(path);
    case 'over':
      return pairUnclear(path, null);
    case 'unconfirmed':
      return appError('upload.item-unconfirmed');
    case 'gone':
      return appError('edit.item-gone');
    case 'failed':
      return outcome.error;
  }
}

/** Returns the name of the edit in the list of edits. */
function labelOf(files: readonly LateFile[]): string {
  const [first] = files;
  return first === undefined || files.length > 1 ? '' : shownName(basename(first.path));
}

/** Adds captions and thumbnails. Returns the ids of the batches that send them. */
function addSidecars(files: readonly LateFile[], adding: Adding): string[] {
  const { siteId, priority, earlier, places, volumeOf, refused } = adding;
  const { batches, journal, clock, random, ranks } = adding;
  const defaults = { ...batchDefaultsSchema.parse({}), duplicates: 'upload' as const, sidecars: false };
  const newBatches = new Map<string, { id: string; rows: Upload[]; collectionName: string }>();
  const openBatches = new Set<string>();
  const taken = new Set<string>();
  for (const file of files) {
    const { path, facts, late } = file;
    const upload = earlier.get(late.upload.id);
    const companion = companionOf(file, volumeOf);
    const { kind, fileName, known } = companion;
    const place = `${late.upload.id} ${kind} ${kind === 'thumbnail' ? '' : fileName}`;
    // An item has one thumbnail, and one captions file of each name.
    if (upload === null || taken.has(place)) {
      refused.push({ ...file, error: pairUnclear(path, null) });
      continue;
    }
    taken.add(place);
    const addition = additionTo(upload, kind);
    if (addition === null) {
      journal.recordMany([{ before: upload, event: sidecarEvent(companion, upload) }]);
      if (!openBatches.has(upload.batchId)) batches.addPlaces(upload.batchId, places);
      openBatches.add(upload.batchId);
      continue;
    }
    const { id: collectionId, name: collectionName } = earlier.collectionOf(upload);
    const batch = newBatches.get(collectionId) ?? { id: random.uuid(), rows: [], collectionName };
    newBatches.set(collectionId, batch);
    const row = newUpload({
      id: random.uuid(),
      batch: { id: batch.id, siteId, collectionId },
      path,
      fileName,
      facts,
      volume: known.volume,
      fields: { title: upload.title },
      defaults,
      now: clock.now(),
    });
    batch.rows.push({ ...row, mediaId: upload.mediaId, addition, priority });
  }
  for (const [collectionId, { id, rows, collectionName }] of newBatches) {
    const collection = { collectionId, collectionName, collectionRef: null, below: null };
    batches.add({ id, siteId, ...collection, defaults, addedAt: clock.now(), ...places });
    journal.add(rows, ranks(priority));
  }
  return [...[...newBatches.values()].map(({ id }) => id), ...openBatches];
}

function companionOf({ path, facts, late }: LateFile, volumeOf: VolumeOf) {
  return companionFile({ kind: late.kind, path, facts: late.read ?? facts }, volumeOf);
}

/** Returns the addition to the item of a complete upload; null: the upload has not ended, and sends the file itself. */
function additionTo({ state, fileId }: Upload, kind: LateTarget['kind']): Addition | null {
  if (state !== 'complete') return null;
  if (kind !== 'captions') return { kind: 'thumbnail' };
  return fileId === null ? null : { kind, recordingId: fileId };
}
