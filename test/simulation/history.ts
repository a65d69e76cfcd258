import type { Receipt, UploadTotals } from '../../shared/contract/uploads.ts';
import type { Upload, UploadEvent } from '../../shared/model/uploads/upload.ts';
import type { Scenario } from './scenario.ts';
import type { StationHistory } from './station/history.ts';

/** An action of the client in its database or on the wire. Times are true milliseconds since the start. */
export interface RowFact {
  atMs: number;
  /** The time of this computer's wall clock at that moment. */
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
  /** The time at which the client got its answer or aborted; null: never. */
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
  /** The contents for bytes, the title for items. */
  text: string;
}

/** One transfer of bytes, as the simulated destination saw it. */
export interface TransferFact {
  life: number;
  /** The number of recorded rows when the transfer began: their order is more precise than the time. */
  afterRows: number;
  site: string;
  fileId: string;
  fromMs: number;
  toMs: number | null;
  /** The highest number of bytes sent. */
  sentBytes: number;
  result: string;
}

/** A queued upload started, possibly before others. */
interface OvertakingFact {
  atMs: number;
  /** The number of recorded rows. */
  afterRows: number;
  id: string;
  /** Queued rows of the same site that were before it in the queue. */
  overtaken: string[];
  /** Facts that were recorded then, after `afterRows`, and that a power cut undid later. */
  lost: RowFact[];
}

/** A pause until an instant was stored, or its end was. */
interface PauseFact {
  /** The number of recorded rows. */
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
  /** The number of database rows by state at that moment. */
  stored: Record<string, number>;
  rows: { id: string; sentBytes: number; sizeBytes: number; state: string }[];
}

export interface FinalItem {
  site: string;
  id: string;
  /** The requested title, whatever the library stored for it. */
  title: string;
  /** Whether a colleague created it. */
  isForeign: boolean;
  status: string;
  files: { id: string; type: string; name: string; status: string; contents: string | null; bytes: number }[];
}

interface FinalState {
  atMs: number;
  /** Rows that must survive: `uploads.add` returned them, or they were read from the database. */
  acceptedIds: string[];
  rows: Upload[];
  items: FinalItem[];
  integrity: string;
  /** The contents on the disk by path, including files that the user put aside. */
  lying: { path: string; contents: string }[];
  /** Contents in the trash. */
  trash: string[];
  /** Whether the queue reported that it is idle. */
  idle: boolean;
  queuePaused: boolean;
  /** Receipts by batch: whether their counts add up. */
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
  /** Internal errors in the log. */
  programFaults: { atMs: number; event: string; text: string }[];
  /** When each run of the program began and ended. */
  lives: { number: number; fromMs: number; toMs: number | null }[];
  /** The contents of each path in order: version and size. */
  versions: {
    path: string;
    atMs: number;
    /** Null: not compared. */
    identity: string | null;
    contents: string;
    sizeBytes: number;
    mtimeMs: number;
  }[];
  /** Contents that the user overwrote or replaced. */
  givenUp: string[];
  /** The paths that each file was moved to; null: it was deleted. */
  places: { atMs: number; path: string | null; identity: string; sizeBytes: number; mtimeMs: number }[];
  /** When the drive was disconnected and connected again. */
  drive: { atMs: number; isPlugged: boolean }[];
  /** Files of the user that the program moved. */
  taken: { atMs: number; kind: 'moved' | 'removed' | 'trashed'; path: string; contents: string; elsewhere: boolean }[];
  final: FinalState;
  /** The events in a watched folder; null in a scenario without one. */
  station: StationHistory | null;
}
