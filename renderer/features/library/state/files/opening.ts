import type { MediaDetail } from '../../../../../shared/contract/library.ts';
import { bestOf, type Playable } from './playable.ts';

/**
 * Why an item can't be opened: the library can't be reached (`offline`), a file is still being sent or processed, processing
 * failed, a file never arrived, its format can only be downloaded, or the item has no file (`empty`).
 */
export type Unopened = 'offline' | 'sending' | 'processing' | 'failed' | 'aborted' | 'format' | 'empty';

/** How an item opens: with a file, or not, for a reason. */
export type Opening = { kind: 'file'; playable: Playable } | { kind: 'none'; why: Unopened };

type Facts = Pick<MediaDetail, 'files' | 'areFilesUnknown' | 'isStored'>;

/** The first of these states that a file has is the reason: the one that ends by itself, then the one that needs the user. */
const REASONS = [
  ['processing', 'processing'],
  ['uploading', 'sending'],
  ['error', 'failed'],
  ['aborted', 'aborted'],
] as const;

/** Decides how an item opens. Mediadesk keeps no copy of files, so nothing opens while the library can't be reached. */
export function openingOf({ files, areFilesUnknown = false, isStored = false }: Facts): Opening {
  const best = bestOf(files);
  if (areFilesUnknown || (isStored && best !== null)) return { kind: 'none', why: 'offline' };
  if (best !== null) return { kind: 'file', playable: best };
  const shown = files.filter(({ type }) => type !== 'captions');
  const states = new Set(shown.flatMap((file) => [file, ...(file.encodings ?? [])]).map(({ status }) => status));
  const reason = REASONS.find(([status]) => states.has(status))?.[1];
  return { kind: 'none', why: reason ?? (shown.length === 0 ? 'empty' : 'format') };
}
