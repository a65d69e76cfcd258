import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { asksAboutDuplicate, isDelivered } from '../../../../shared/model/uploads/upload-machine.ts';
import {
  isEnded,
  OPEN_UPLOAD_STATES,
  UPLOAD_STATES,
  type UploadState,
} from '../../../../shared/model/uploads/upload-states.ts';

export type StateCounts = Record<UploadState, number>;

/** The numbers of rows, and their bytes, by state. Cleared rows have separate counts: they are in receipts, but in no list. */
export interface Tally {
  /** The number of listed rows by state. */
  counts: StateCounts;
  /** The bytes of listed and cleared rows by state. */
  bytes: StateCounts;
  /** The number of listed rows that need a decision about a duplicate; they are also among the failed ones. */
  duplicates: number;
  cleared: { counts: StateCounts; duplicates: number };
  /** The bytes of open rows whose file was sent completely. */
  deliveredBytes: number;
}

/** The bytes of batches that have open uploads, and how many of these bytes belong to files that were sent completely. */
export interface WorkBytes {
  totalBytes: number;
  sentBytes: number;
}

/** The counts of the rows of one batch in one state, from the database. A batch belongs to one account. */
export interface TallyGroup {
  siteId: string;
  batchId: string;
  state: UploadState;
  isCleared: boolean;
  rows: number;
  bytes: number;
  duplicates: number;
  deliveredBytes: number;
}

/**
 * The number of rows by state, of the whole queue, of each account and of each batch: counted once from the rows, then
 * updated with every change, so that a batch of a hundred thousand rows is not counted for each reader.
 */
export class UploadTally {
  readonly #all = emptyTally();
  readonly #batches = new Map<string, Tally>();
  readonly #sites = new Map<string, Tally>();
  readonly #work: WorkBytes = { totalBytes: 0, sentBytes: 0 };

  constructor(groups: readonly TallyGroup[]) {
    for (const group of groups) {
      const { state, isCleared, rows, bytes, duplicates, deliveredBytes } = group;
      this.#change(group, (tally) => {
        const part = isCleared ? tally.cleared : tally;
        part.counts[state] += rows;
        part.duplicates += duplicates;
        tally.bytes[state] += bytes;
        if (!isEnded(state)) tally.deliveredBytes += deliveredBytes;
      });
    }
  }

  /**
   * The bytes of the open and complete rows of batches that have open rows, and how many of these bytes were sent. Batches that
   * have ended do not count, nor do rows that were skipped, cancelled or failed.
   */
  get work(): Readonly<WorkBytes> {
    return this.#work;
  }

  /** Returns the tally of one batch, or of all (null). It is changed in place: copy it to keep it. */
  of(batchId: string | null): Readonly<Tally> {
    return batchId === null ? this.#all : (this.#batches.get(batchId) ?? emptyTally());
  }

  /** Returns the tally of one account. It is changed in place: copy it to keep it. */
  ofSite(siteId: string): Readonly<Tally> {
    return this.#sites.get(siteId) ?? emptyTally();
  }

  /** Returns the ids of batches with listed rows, in no particular order. */
  listedBatches(): string[] {
    const isListed = ({ counts }: Tally) => UPLOAD_STATES.some((state) => counts[state] > 0);
    return [...this.#batches].filter(([, tally]) => isListed(tally)).map(([batchId]) => batchId);
  }

  /** Returns the bytes of one batch as in `work`. */
  workOf(batchId: string): Readonly<WorkBytes> {
    return workOf(this.of(batchId));
  }

  /** Returns whether an account other than these has a row in one of `states`. */
  hasAny(states: readonly UploadState[], exceptSites: readonly string[]): boolean {
    return [...this.#sites].some(
      ([siteId, { counts }]) => !exceptSites.includes(siteId) && states.some((state) => counts[state] > 0),
    );
  }

  /** Updates the counts after a change of a row, or after its addition (`before` null). */
  note(before: Upload | null, after: Upload): void {
    this.#change(after, (tally) => {
      if (before !== null) add(tally, before, -1);
      add(tally, after, 1);
    });
  }

  #change(concerned: { batchId: string; siteId: string }, change: (tally: Tally) => void): void {
    const batch = tallyOf(this.#batches, concerned.batchId);
    const before = workOf(batch);
    for (const tally of this.#concerned(concerned)) change(tally);
    const after = workOf(batch);
    this.#work.totalBytes += after.totalBytes - before.totalBytes;
    this.#work.sentBytes += after.sentBytes - before.sentBytes;
  }

  #concerned({ batchId, siteId }: { batchId: string; siteId: string }): Tally[] {
    return [this.#all, tallyOf(this.#batches, batchId), tallyOf(this.#sites, siteId)];
  }
}

function tallyOf(tallies: Map<string, Tally>, key: string): Tally {
  let tally = tallies.get(key);
  if (tally === undefined) {
    tally = emptyTally();
    tallies.set(key, tally);
  }
  return tally;
}

/** Returns the counts of listed and cleared rows together. */
export function allCounts({ counts, cleared }: Readonly<Pick<Tally, 'counts' | 'cleared'>>): StateCounts {
  const sums = UPLOAD_STATES.map((state) => [state, counts[state] + cleared.counts[state]]);
  return Object.fromEntries(sums) as StateCounts;
}

export function emptyCounts(): StateCounts {
  return Object.fromEntries(UPLOAD_STATES.map((state) => [state, 0])) as StateCounts;
}

function emptyTally(): Tally {
  return {
    counts: emptyCounts(),
    bytes: emptyCounts(),
    duplicates: 0,
    cleared: { counts: emptyCounts(), duplicates: 0 },
    deliveredBytes: 0,
  };
}

function workOf({ counts, bytes, deliveredBytes }: Readonly<Tally>): WorkBytes {
  if (OPEN_UPLOAD_STATES.every((state) => counts[state] === 0)) return { totalBytes: 0, sentBytes: 0 };
  const openBytes = OPEN_UPLOAD_STATES.reduce((sum, state) => sum + bytes[state], 0);
  return { totalBytes: openBytes + bytes.complete, sentBytes: deliveredBytes + bytes.complete };
}

function add(tally: Tally, upload: Upload, by: 1 | -1): void {
  const part = upload.clearedAt === null ? tally : tally.cleared;
  part.counts[upload.state] += by;
  if (asksAboutDuplicate(upload)) part.duplicates += by;
  tally.bytes[upload.state] += by * upload.sizeBytes;
  if (!isEnded(upload.state) && isDelivered(upload)) tally.deliveredBytes += by * upload.sizeBytes;
}
