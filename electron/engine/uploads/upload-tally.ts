import { asksAboutDuplicate, type Upload } from '../../../shared/model/upload-machine.ts';
import { UPLOAD_STATES, type UploadState } from '../../../shared/model/upload-states.ts';

export type StateCounts = Record<UploadState, number>;

/** Rows and their bytes by state. */
export interface Tally {
  counts: StateCounts;
  bytes: StateCounts;
  /** Rows that ask whether a file that their collection has already is to be sent; among the failed ones. */
  duplicates: number;
}

/** Rows of one batch in one state, counted by the database. */
export interface TallyGroup {
  batchId: string;
  state: UploadState;
  rows: number;
  bytes: number;
  duplicates: number;
}

/**
 * How many rows are in which state, of the whole queue and of each batch: counted once from the rows, then kept up with every
 * change, so that a batch of a hundred thousand is not counted anew whenever somebody looks at it.
 */
export class UploadTally {
  readonly #all = emptyTally();
  readonly #batches = new Map<string, Tally>();

  constructor(groups: readonly TallyGroup[]) {
    for (const { batchId, state, rows, bytes, duplicates } of groups) {
      for (const tally of [this.#all, this.#ofBatch(batchId)]) {
        tally.counts[state] += rows;
        tally.bytes[state] += bytes;
        tally.duplicates += duplicates;
      }
    }
  }

  /** Of one batch, or of all (null). It is changed in place: whoever keeps it copies it. */
  of(batchId: string | null): Readonly<Tally> {
    return batchId === null ? this.#all : (this.#batches.get(batchId) ?? emptyTally());
  }

  /** A row became what it is after, or was added (`before` null). */
  note(before: Upload | null, after: Upload): void {
    for (const tally of [this.#all, this.#ofBatch(after.batchId)]) {
      if (before !== null) add(tally, before, -1);
      add(tally, after, 1);
    }
  }

  #ofBatch(batchId: string): Tally {
    let tally = this.#batches.get(batchId);
    if (tally === undefined) {
      tally = emptyTally();
      this.#batches.set(batchId, tally);
    }
    return tally;
  }
}

export function emptyCounts(): StateCounts {
  return Object.fromEntries(UPLOAD_STATES.map((state) => [state, 0])) as StateCounts;
}

function emptyTally(): Tally {
  return { counts: emptyCounts(), bytes: emptyCounts(), duplicates: 0 };
}

function add(tally: Tally, upload: Upload, by: 1 | -1): void {
  tally.counts[upload.state] += by;
  tally.bytes[upload.state] += by * upload.sizeBytes;
  if (asksAboutDuplicate(upload)) tally.duplicates += by;
}
