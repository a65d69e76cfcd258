import { appError } from '../../../../shared/contract/app-error.ts';
import type { CollectionTarget } from '../../../../shared/contract/watch-rules.ts';
import type { ItemFields } from '../../../../shared/item/fields.ts';
import { mergeDetails } from '../../../../shared/model/details/details-fields.ts';
import { cleanItemFields } from '../../../../shared/model/item-fields.ts';
import { localDay } from '../../../../shared/model/local-day.ts';
import type { Priority } from '../../../../shared/model/uploads/priorities.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/uploads/upload.ts';
import { publishChoiceOf, type UploadPlan } from '../../../../shared/model/watch/apply-rules.ts';
import { nameOf } from '../../../../shared/model/watch/watched-file.ts';
import { hasSidecar, sidecarEvent } from '../../companions/late-sidecar.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import type { Volumes } from '../../ports/volumes.ts';
import type { BatchRecord, BatchStore } from '../../uploads/journal/batch-store.ts';
import { newUpload } from '../../uploads/journal/new-upload.ts';
import type { UploadJournal } from '../../uploads/journal/upload-journal.ts';
import type { UploadStore } from '../../uploads/journal/upload-store.ts';
import { volumesByFolder } from '../../uploads/places/volume-of.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import { sameFingerprint, type WatchedFile } from '../rows/watched-file.ts';
import { companionOf } from './companion-of.ts';
import { fullPathOf, type LateCompanion, type ReadyFile } from './ready-file.ts';

export interface IntakeTools {
  rows: WatchedFileStore;
  batches: BatchStore;
  journal: UploadJournal;
  store: Pick<UploadStore, 'get' | 'additionsTo'>;
  clock: Clock;
  random: Random;
  volumes: Volumes;
  /** Returns the function that computes the position of new rows in a priority. */
  ranks(priority: Priority): (upload: Upload, index: number) => number;
  /** Uploads or follow-ups were added. */
  onAdded(): void;
}

/**
 * Queues complete files as uploads. The upload, its batch and the mark in the row of the file are one transaction, so that a
 * crash neither loses a file nor queues it twice.
 *
 * All files of a folder that go to one collection with the same settings on one day form a batch: a station has one receipt
 * per day and collection, however its recordings arrive.
 */
export class Intake {
  readonly #tools: IntakeTools;

  constructor(tools: IntakeTools) {
    this.#tools = tools;
  }

  add(folder: FolderRecord, ready: readonly ReadyFile[]): void {
    for (const [priority, files] of Map.groupBy(ready, ({ plan }) => plan.priority)) {
      this.#addSome(folder, files, priority);
    }
    this.#tools.onAdded();
  }

  /**
   * Adds sidecars to the uploads of their recordings that accept them. The follow-up and the mark in the row are one transaction.
   * A sidecar that no upload accepts is refused.
   */
  attach(folder: FolderRecord, late: readonly LateCompanion[]): void {
    for (const sidecar of late) this.#attachOne(folder, sidecar);
    this.#tools.onAdded();
  }

  #attachOne(folder: FolderRecord, { row, recording }: LateCompanion): void {
    const { rows, journal, store, clock } = this.#tools;
    const stored = rows.get(row.seq);
    if (stored === null || stored.uploadId !== null || !sameFingerprint(stored, row)) return;
    const upload = recording.uploadId === null ? null : store.get(recording.uploadId);
    const event = upload === null ? null : this.#attachEvent(folder, row, upload);
    if (upload === null || event === null) {
      const reason = appError('watch.sidecar-late').toData();
      rows.transaction(() => rows.save({ ...row, state: 'refused', history: null, reason }));
      return;
    }
    const now = clock.now();
    journal.recordMany([{ before: upload, event }], () => {
      rows.save({ ...row, state: 'done', history: null, uploadId: upload.id, handledAt: now });
    });
  }

  /** Returns the event that gives a sidecar to an upload; null: the upload has no item and will have none, or has such a file. */
  #attachEvent(folder: FolderRecord, row: WatchedFile, upload: Upload): UploadEvent | null {
    if (upload.state === 'cancelled' || upload.state === 'skipped') return null;
    const file = companionOf(row, folder, upload);
    if (file === null) return null;
    const event = sidecarEvent(file, upload);
    return event.kind === 'follow-up-added' && hasSidecar(upload, file, this.#tools.store) ? null : event;
  }

  #addSome(folder: FolderRecord, ready: readonly ReadyFile[], priority: Priority): void {
    const { rows, batches, journal, clock, random, ranks } = this.#tools;
    const now = clock.now();
    const newBatches = new Map<string, BatchRecord>();
    const added: { file: ReadyFile; upload: Upload }[] = [];
    // The user, a sweep or an event may have changed the row since its file was polled.
    const current = ready.filter(({ row }) => {
      const stored = rows.get(row.seq);
      return stored !== null && stored.uploadId === null && sameFingerprint(stored, row);
    });
    if (current.length === 0) return;
    const volumeOf = volumesByFolder(this.#tools.volumes);
    for (const file of current) {
      const { row, facts, edgeHash, described } = file;
      const target = described?.collection ?? null;
      const collection = { target: target ?? file.plan.collection.target, below: [], create: false };
      const plan: UploadPlan = target === null ? file.plan : { ...file.plan, collection };
      const key = batchKey(plan, localDay(now));
      let batch = newBatches.get(key) ?? this.#knownBatch(folder.id, key);
      if (batch === null) {
        batch = { id: random.uuid(), roots: [folder.root], links: [], addedAt: now, ...batchOf(plan, now) };
        newBatches.set(key, batch);
      }
      const fileName = shownName(nameOf(row.path));
      const path = fullPathOf(folder, row);
      const onDrive = { identity: facts.identity, volume: volumeOf(path, facts) };
      const own = { ...describedBy(file.companions), ...cleanItemFields(described?.fields ?? {}) };
      const upload = newUpload({
        id: random.uuid(),
        batch,
        path,
        fileName,
        facts,
        volume: onDrive.volume,
        now,
        companions: file.companions.flatMap((each) => companionOf(each, folder, onDrive) ?? []),
        fields: { title: plan.title, tags: [...plan.tags], ...own },
        titleNotice: own.title === undefined ? file.titleNotice : null,
        defaults: {
          publish: described?.publish ?? publishChoiceOf(plan.publish, now),
          duplicates: plan.duplicates,
          source: plan.source,
        },
      });
      added.push({ file, upload: { ...upload, priority, edgeHash } });
    }
    journal.add(
      added.map(({ upload }) => upload),
      ranks(priority),
      () => {
        for (const [key, batch] of newBatches) {
          batches.add(batch);
          rows.setBatch(folder.id, key, batch.id);
        }
        for (const { file, upload } of added) this.#mark(file, upload, now);
      },
    );
  }

  #knownBatch(folderId: string, key: string): BatchRecord | null {
    const { rows, batches } = this.#tools;
    const id = rows.batchOf(folderId, key);
    return id === null ? null : batches.get(id);
  }

  /** Marks the row. Part of the transaction that adds the upload. */
  #mark({ row, companions }: ReadyFile, upload: Upload, now: number): void {
    const queued: WatchedFile = { ...row, state: 'queued', uploadId: upload.id, handledAt: now };
    this.#tools.rows.save({ ...queued, history: null, dueAt: null, readyAt: null, reason: null });
    for (const each of companions) this.#tools.rows.save({ ...each, uploadId: upload.id, handledAt: now });
  }
}

function batchKey(
  { siteId, collection, tags, publish, duplicates, sidecars, source }: UploadPlan,
  day: string,
): string {
  const { target, below, create } = collection;
  return JSON.stringify([day, siteId, target, below, create, tags, publish, duplicates, sidecars, source]);
}

/** A batch with the settings of a plan. */
function batchOf(plan: UploadPlan, now: number): Omit<BatchRecord, 'id' | 'addedAt' | 'roots' | 'links'> {
  const { target, below, create } = plan.collection;
  const { siteId, tags, publish, duplicates, sidecars, source } = plan;
  const defaults = {
    titleTemplate: '{name}',
    tags: [...tags],
    publish: publishChoiceOf(publish, now),
    duplicates,
    sidecars,
    source,
  };
  const isKnown = target.kind === 'id' && below.length === 0;
  return {
    siteId,
    defaults,
    collectionId: isKnown ? target.id : '',
    collectionName: [nameOfTarget(target), ...below].join(' / '),
    collectionRef: isKnown ? null : target.kind === 'id' ? target.id : target.ref,
    below: below.length === 0 ? null : { names: [...below], create },
  };
}

/** Returns the name of a collection as far as the rule contains it. */
export function nameOfTarget(target: CollectionTarget): string {
  return target.kind === 'id' ? target.name : target.ref;
}

/** Returns the merged values of the files about one recording; those of other companions count for nothing. */
export function describedBy(companions: readonly WatchedFile[]): Partial<ItemFields> {
  return mergeDetails(companions.map(({ path, described }) => ({ path, fields: described ?? {} })));
}
