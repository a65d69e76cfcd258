import type { FileRow } from '../resources/files/file-row.ts';
import type { Settings } from '../site/settings.ts';
import type { Log } from '../site/site.ts';
import type { LocalBlob } from '../storage/blobs.ts';
import type { Scratch } from '../storage/scratch.ts';
import { CRASHED_TOO_OFTEN, hasCrashedTooOften } from './starts.ts';

/** What the work needs to know of an original. */
export type Original = Pick<FileRow, 'id' | 'type' | 'size'>;

/** What is to be done with an original. */
export interface Order {
  file: Original;
  /** Whether audio and video are read and encoded. */
  usesTools: boolean;
  /** No encodings are made of larger files. */
  encodeUpToBytes: number;
  /** The time to wait before the work, in milliseconds. */
  delayMs: number;
  /** Given when the outcome needs no work: the reason of an error, null for a complete file. */
  decided: { reason: string | null } | null;
}

/** The place where the work is done. */
export interface Workshop {
  scratch: Pick<Scratch, 'path'>;
  log: Log;
  /** The original as a file of this computer. */
  original(signal: AbortSignal): Promise<LocalBlob>;
  /** Rejects with `PlaceFailed` when the original is not there any more, or the drive has no room. */
  check(): Promise<void>;
  /** Stores a complete temporary file; returns the name of the blob. */
  keep(path: string, signal: AbortSignal): Promise<string>;
}

/** Returns what is to be done with a file that is claimed, by the settings. */
export function orderOf(row: FileRow, { processing }: Settings): Order {
  return {
    file: { id: row.id, type: row.type, size: row.size },
    usesTools: processing.tools !== 'none',
    encodeUpToBytes: processing.encode_up_to_bytes,
    delayMs: processing.delay_ms,
    decided: decidedOutcome(row, processing.outcome),
  };
}

function decidedOutcome(row: FileRow, forced: Settings['processing']['outcome']): Order['decided'] {
  if (forced === 'complete') return { reason: null };
  if (forced === 'error') return { reason: 'The site is set to fail every file.' };
  if (hasCrashedTooOften(row)) return { reason: CRASHED_TOO_OFTEN };
  return isExamined(row) ? null : { reason: null };
}

/** Returns whether anything is known about the content of files of this type. */
function isExamined({ type }: Original): boolean {
  return type !== 'blob' && type !== 'winnov_asset';
}
