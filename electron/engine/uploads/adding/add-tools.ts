import type { Priority } from '../../../../shared/model/uploads/priorities.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { ReadMediaFacts } from '../../media-tags/media-facts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Files } from '../../ports/files.ts';
import type { Random } from '../../ports/random.ts';
import type { Volumes } from '../../ports/volumes.ts';
import type { BatchStore } from '../journal/batch-store.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { KnownItems } from './known-items.ts';

/** The dependencies of adding uploads. */
export interface AddTools {
  batches: BatchStore;
  journal: UploadJournal;
  files: Files;
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
