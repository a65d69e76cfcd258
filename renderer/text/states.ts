import type { Disposition } from '../../shared/contract/catalog-entry.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../shared/contract/error-catalog.ts';
import type { UploadRow } from '../../shared/contract/uploads.ts';
import type { UploadState } from '../../shared/model/upload-states.ts';

/** The meaning of a colour; the same on every screen. */
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

/** How a state is shown: by word and icon, never by colour alone. */
export interface StateLook {
  word: string;
  icon: StateIcon;
  tone: Tone;
}

export const UPLOAD_LOOKS: Readonly<Record<UploadState, StateLook>> = {
  queued: { word: 'Queued', icon: 'queued', tone: 'neutral' },
  preparing: { word: 'Preparing', icon: 'preparing', tone: 'active' },
  sending: { word: 'Sending', icon: 'sending', tone: 'active' },
  finishing: { word: 'Finishing', icon: 'finishing', tone: 'active' },
  processing: { word: 'Processing', icon: 'processing', tone: 'active' },
  publishing: { word: 'Publishing', icon: 'processing', tone: 'active' },
  waiting: { word: 'Waiting', icon: 'waiting', tone: 'waiting' },
  paused: { word: 'Paused', icon: 'paused', tone: 'neutral' },
  complete: { word: 'Complete', icon: 'complete', tone: 'good' },
  failed: { word: 'Failed', icon: 'failed', tone: 'bad' },
  cancelled: { word: 'Cancelled', icon: 'cancelled', tone: 'neutral' },
  skipped: { word: 'Skipped', icon: 'skipped', tone: 'neutral' },
};

/** What a waiting row waits for, by the class of its error code. */
const WAIT_WORDS: Partial<Record<Disposition, string>> = {
  'wait-network': 'Waiting for the network',
  'wait-site': 'Waiting for the library',
  'wait-keychain': 'Waiting for the keychain',
  'wait-disk': 'Waiting for the drive',
  'sign-in': 'Waiting for a sign-in',
};

/** How an upload is shown: by its state, or by its error when that says what the upload waits for. */
export function uploadLook({ state, error }: Pick<UploadRow, 'state' | 'error'>): StateLook {
  const look = UPLOAD_LOOKS[state];
  if (error === null || !Object.hasOwn(ERROR_CATALOG, error.code)) return look;
  if (state === 'failed' && error.code === 'upload.duplicate') {
    return { word: 'Needs decision', icon: 'unknown', tone: 'waiting' };
  }
  const word = state === 'waiting' ? WAIT_WORDS[ERROR_CATALOG[error.code as ErrorCode].disposition] : undefined;
  return word === undefined ? look : { ...look, word };
}

const MEDIA_LOOKS: Readonly<Record<string, StateLook>> = {
  published: { word: 'Published', icon: 'published', tone: 'good' },
  scheduled: { word: 'Scheduled', icon: 'scheduled', tone: 'waiting' },
  draft: { word: 'Draft', icon: 'draft', tone: 'neutral' },
};

const FILE_LOOKS: Readonly<Record<string, StateLook>> = {
  uploading: { word: 'Uploading', icon: 'sending', tone: 'active' },
  processing: { word: 'Processing', icon: 'processing', tone: 'active' },
  complete: { word: 'Complete', icon: 'complete', tone: 'good' },
  error: { word: 'Error', icon: 'failed', tone: 'bad' },
  aborted: { word: 'Aborted', icon: 'cancelled', tone: 'bad' },
};

export function mediaLook(status: string): StateLook {
  return MEDIA_LOOKS[status] ?? unknownLook(status);
}

export function fileLook(status: string): StateLook {
  return FILE_LOOKS[status] ?? unknownLook(status);
}

/** Returns whether the library is still processing a file. */
export function isAtWork(fileStatus: string): boolean {
  return fileStatus === 'uploading' || fileStatus === 'processing';
}

/** Shows a status that this version does not know, such as one of a newer service, by its own name. */
function unknownLook(status: string): StateLook {
  const word = status.replaceAll(/[_-]/g, ' ');
  return { word: word.charAt(0).toUpperCase() + word.slice(1), icon: 'unknown', tone: 'neutral' };
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  audio: 'Audio',
  video: 'Video',
  doc: 'Document',
  image: 'Image',
  blob: 'File',
  captions: 'Captions',
};

export function typeWord(type: string | null): string {
  if (type === null) return 'No files yet';
  return TYPE_WORDS[type] ?? unknownLook(type).word;
}
