import type { Receipt, UploadTotals } from '../../shared/contract/uploads.ts';
import type { Upload, UploadEvent } from '../../shared/model/upload.ts';
import type { Scenario } from './scenario.ts';

/** What the client did, as it stands in its database and on the wire. Times are true ms since the beginning. */
export interface RowFact {
  atMs: number;
  /** This computer's wall clock at that moment. */
  wallMs: number;
  life: number;
  event: UploadEvent['kind'] | 'added' | 'unknown';
  row: Upload;
}

export interface RequestFact {
  number: number;
  site: string;
  life: number;
  method: string;
  /** Without the query. */
  path: string;
  fromMs: number;
  /** When the client got its answer or gave up; null: it never did. */
  toMs: number | null;
  result: string;
}

/** What the service did. */
interface EffectFact {
  atMs: number;
  site: string;
  kind:
    | 'item-created'
    | 'item-deleted'
    | 'item-deleted-by-others'
    | 'item-published'
    | 'file-created'
    | 'file-deleted'
    | 'bytes-received'
    | 'file-complete'
    | 'file-error'
    | 'file-aborted';
  mediaId: string;
  fileId: string | null;
  /** Contents for bytes, title for items. */
  text: string;
}

/** One transfer of bytes, as the fake destination saw it. */
export interface TransferFact {
  life: number;
  /** How many rows had been noted when it began: their order says more than the time. */
  afterRows: number;
  site: string;
  fileId: string;
  fromMs: number;
  toMs: number | null;
  /** Most bytes that the wire had taken. */
  sentBytes: number;
  result: string;
}

/** An upload began that was queued. */
interface OvertakingFact {
  atMs: number;
  /** How many rows had been noted. */
  afterRows: number;
  id: string;
  /** Queued rows of the same site that stood before it. */
  overtaken: string[];
}

/** The pause until an instant was stored, or its end. */
interface PauseFact {
  /** How many rows had been noted. */
  afterRows: number;
  untilWallMs: number | null;
}

interface CommandFact {
  atMs: number;
  kind: string;
  ids: string[];
}

interface ShownFact {
  atMs: number;
  totals: UploadTotals;
  /** Rows in the database by state at the same moment. */
  stored: Record<string, number>;
  rows: { id: string; sentBytes: number; sizeBytes: number; state: string }[];
}

export interface FinalItem {
  site: string;
  id: string;
  /** As it was asked for, whatever the library made of it. */
  title: string;
  /** A colleague made it. */
  isForeign: boolean;
  status: string;
  files: { id: string; type: string; name: string; status: string; contents: string | null; bytes: number }[];
}

interface FinalState {
  atMs: number;
  /** Rows that were promised: `uploads.add` answered, or they were seen in the database. */
  acceptedIds: string[];
  rows: Upload[];
  items: FinalItem[];
  integrity: string;
  /** What lies on the disk, by path; also what a person put away. */
  lying: { path: string; contents: string }[];
  /** Contents in the trash. */
  trash: string[];
  /** The queue said that it is idle. */
  idle: boolean;
  queuePaused: boolean;
  /** Receipts by batch: whether their sums agree. */
  receipts: Receipt['totals'][];
}

export interface History {
  scenario: Scenario;
  rows: RowFact[];
  requests: RequestFact[];
  effects: EffectFact[];
  transfers: TransferFact[];
  commands: CommandFact[];
  overtakings: OvertakingFact[];
  pauses: PauseFact[];
  shown: ShownFact[];
  /** Faults of the program in the log. */
  faults: { atMs: number; event: string; text: string }[];
  /** When each life began and ended. */
  lives: { number: number; fromMs: number; toMs: number | null }[];
  /** What each path held, in order: version, size. */
  versions: {
    path: string;
    atMs: number;
    identity: string;
    contents: string;
    sizeBytes: number;
    mtimeMs: number;
  }[];
  /** Contents that a person wrote over or replaced. */
  givenUp: string[];
  /** Where each file went; null: it was removed. */
  places: { atMs: number; path: string | null; identity: string; sizeBytes: number; mtimeMs: number }[];
  /** When the drive was pulled and put back. */
  drive: { atMs: number; isPlugged: boolean }[];
  /** Files of a person that the program took from their place. */
  taken: { atMs: number; kind: 'moved' | 'removed' | 'trashed'; path: string; contents: string; elsewhere: boolean }[];
  final: FinalState;
}
