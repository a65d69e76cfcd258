import type { Disposition } from '../../../shared/contract/errors/catalog-entry.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import type { UploadState } from '../../../shared/model/uploads/upload-states.ts';
import { texts } from './texts.ts';

/** The meaning of a color, which is the same on every screen. */
export type Tone = 'neutral' | 'active' | 'waiting' | 'good' | 'bad';

type StateIcon =
  | 'queued'
  | 'preparing'
  | 'sending'
  | 'finishing'
  | 'processing'
  | 'waiting'
  | 'paused'
  | 'complete'
  | 'failed'
  | 'cancelled'
  | 'skipped'
  | 'published'
  | 'scheduled'
  | 'draft'
  | 'warning'
  | 'unknown';

/** The appearance of a state: always a word and an icon, never only a color. */
export interface StateLook {
  word: string;
  icon: StateIcon;
  tone: Tone;
}

export const UPLOAD_LOOKS: Readonly<Record<UploadState, StateLook>> = {
  queued: { word: texts.uploadStates.queued, icon: 'queued', tone: 'neutral' },
  preparing: { word: texts.uploadStates.preparing, icon: 'preparing', tone: 'active' },
  sending: { word: texts.uploadStates.sending, icon: 'sending', tone: 'active' },
  finishing: { word: texts.uploadStates.finishing, icon: 'finishing', tone: 'active' },
  processing: { word: texts.uploadStates.processing, icon: 'processing', tone: 'active' },
  publishing: { word: texts.uploadStates.publishing, icon: 'processing', tone: 'active' },
  waiting: { word: texts.uploadStates.waiting, icon: 'waiting', tone: 'waiting' },
  paused: { word: texts.uploadStates.paused, icon: 'paused', tone: 'neutral' },
  complete: { word: texts.uploadStates.complete, icon: 'complete', tone: 'good' },
  failed: { word: texts.uploadStates.failed, icon: 'failed', tone: 'bad' },
  cancelled: { word: texts.uploadStates.cancelled, icon: 'cancelled', tone: 'neutral' },
  skipped: { word: texts.uploadStates.skipped, icon: 'skipped', tone: 'neutral' },
};

/** The words for the reason why a row waits, by the class of its error code. */
const WAIT_WORDS: Partial<Record<Disposition, string>> = texts.waitingFor;

function waitWord(code: ErrorCode): string | undefined {
  // The network works: the library behind the server that answers doesn't.
  return WAIT_WORDS[code === 'network.gateway' ? 'wait-site' : ERROR_CATALOG[code].disposition];
}

/** Returns the appearance of an upload: by its state, or by its error when the error says why the upload waits. */
export function uploadLook({ state, error }: Pick<UploadRow, 'state' | 'error'>): StateLook {
  const look = UPLOAD_LOOKS[state];
  if (error === null || !Object.hasOwn(ERROR_CATALOG, error.code)) return look;
  if (state === 'failed' && error.code === 'upload.duplicate') {
    return { word: texts.needsDecision, icon: 'unknown', tone: 'waiting' };
  }
  const word = state === 'waiting' ? waitWord(error.code as ErrorCode) : undefined;
  return word === undefined ? look : { ...look, word };
}

const MEDIA_LOOKS: Readonly<Record<string, StateLook>> = {
  published: { word: texts.itemStates.published, icon: 'published', tone: 'good' },
  scheduled: { word: texts.itemStates.scheduled, icon: 'scheduled', tone: 'waiting' },
  draft: { word: texts.itemStates.draft, icon: 'draft', tone: 'neutral' },
};

const FILE_LOOKS: Readonly<Record<string, StateLook>> = {
  uploading: { word: texts.fileStates.uploading, icon: 'sending', tone: 'active' },
  processing: { word: texts.fileStates.processing, icon: 'processing', tone: 'active' },
  complete: { word: texts.fileStates.complete, icon: 'complete', tone: 'good' },
  error: { word: texts.fileStates.error, icon: 'failed', tone: 'bad' },
  aborted: { word: texts.fileStates.aborted, icon: 'cancelled', tone: 'bad' },
};

export function mediaLook(status: string): StateLook {
  return MEDIA_LOOKS[status] ?? unknownLook(status);
}

export function fileLook(status: string): StateLook {
  return FILE_LOOKS[status] ?? unknownLook(status);
}

/** Returns the appearance of the state of an account. */
export function accountLook({ state, reachable }: Pick<Site, 'state' | 'reachable'>): StateLook {
  const words = texts.accountStates;
  if (state === 'needs-sign-in') return { word: words.signInRequired, icon: 'waiting', tone: 'waiting' };
  if (state === 'signed-out') return { word: words.signedOut, icon: 'cancelled', tone: 'neutral' };
  return reachable
    ? { word: words.online, icon: 'complete', tone: 'good' }
    : { word: words.unreachable, icon: 'waiting', tone: 'waiting' };
}

/** Returns whether the library is still processing a file. */
export function isAtWork(fileStatus: string): boolean {
  return fileStatus === 'uploading' || fileStatus === 'processing';
}

/** Returns the appearance of a status that this version does not know, such as a status of a newer library: its own name. */
function unknownLook(status: string): StateLook {
  const word = status.replaceAll(/[_-]/g, ' ');
  return { word: word.charAt(0).toUpperCase() + word.slice(1), icon: 'unknown', tone: 'neutral' };
}

const TYPE_WORDS: Readonly<Record<string, string>> = texts.types;

export function typeWord(type: string | null): string {
  if (type === null) return texts.noFiles;
  return TYPE_WORDS[type] ?? unknownLook(type).word;
}
