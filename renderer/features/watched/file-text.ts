import type { WatchedFileRow } from '../../../shared/contract/watch.ts';
import { formatWait } from '../../kit/text/format.ts';
import { verdictText } from './clause-text.ts';
import { texts } from './texts.ts';

/** Returns the folder of a file inside the watched folder, with a slash at its end; an empty text for a file directly in it. */
export function subFolder(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/**
 * Returns the reason for the state of a file: the error of the engine with its next step, otherwise the decision of the rules.
 */
export function reasonText({ reason, verdict }: Pick<WatchedFileRow, 'reason' | 'verdict'>): string {
  if (reason !== null) return [reason.message, reason.nextStep].filter((text) => text !== null).join(' ');
  return verdict === null ? '' : verdictText(verdict);
}

/** Returns `ready in 12 s`; null when that time is unknown. */
export function readyText({ readyAt }: Pick<WatchedFileRow, 'readyAt'>, nowMs: number): string | null {
  if (readyAt === null) return null;
  const left = readyAt - nowMs;
  return left <= 0 ? texts.files.checking : texts.files.ready(formatWait(left / 1000));
}
