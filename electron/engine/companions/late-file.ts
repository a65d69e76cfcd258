import type { AppError } from '../../../shared/contract/app-error.ts';
import type { ItemFields } from '../../../shared/item/fields.ts';
import type { CompanionKind } from '../../../shared/model/pairing/pair-files.ts';
import type { Priority } from '../../../shared/model/uploads/priorities.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import type { ReadMediaFacts } from '../media-tags/media-facts.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileFacts } from '../ports/files.ts';
import type { Random } from '../ports/random.ts';
import type { Volumes } from '../ports/volumes.ts';
import type { BatchStore } from '../uploads/journal/batch-store.ts';
import type { UploadJournal } from '../uploads/journal/upload-journal.ts';
import type { KnownItems } from './known-items.ts';

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
export interface RefusedLateFile extends LateFile {
  error: AppError;
}

/** The dependencies of adding files to the items of earlier uploads. */
export interface LateFileTools {
  batches: BatchStore;
  journal: UploadJournal;
  volumes: Volumes;
  /** Reads the tags and dates inside a local file, for its title. */
  mediaFacts: ReadMediaFacts;
  /** The items of earlier uploads. */
  items: KnownItems;
  clock: Clock;
  random: Random;
  /** Returns a function that computes the rank of a new row in a priority (default: normal). */
  ranks(priority?: Priority): (upload: Upload, index: number) => number;
}
