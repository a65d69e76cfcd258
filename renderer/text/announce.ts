import type { Batch } from '../../shared/contract/uploads.ts';
import { pendingOf, sum } from '../stores/uploads-merge.ts';
import { counted, formatCount } from './format.ts';
import { failuresOf } from './upload-text.ts';

/** What was last said about a batch. */
export interface Said {
  quarter: number;
  failed: number;
  asking: number;
  ended: boolean;
}

/**
 * What to say about the batches now: quarters of the files, new failures and questions, the end. Nothing on the first
 * look at a batch that is at rest, so that a start of the app is silent.
 */
export function announcementsFor(
  batches: readonly Batch[],
  said: ReadonlyMap<string, Said>,
): { sentences: string[]; said: Map<string, Said> } {
  const sentences: string[] = [];
  const next = new Map<string, Said>();
  for (const batch of batches) {
    const complete = batch.counts.complete ?? 0;
    const failed = failuresOf(batch);
    const asking = batch.duplicates;
    const pending = pendingOf(batch.counts);
    const total = sum(batch.counts, ['complete', 'failed']) + pending;
    const quarter = total === 0 ? 0 : Math.floor(((total - pending) / total) * 4);
    const now: Said = { quarter, failed, asking, ended: pending === 0 };
    next.set(batch.id, now);
    const before = said.get(batch.id);
    if (before === undefined) continue;
    const name = batch.collectionName;
    if (now.ended && !before.ended) {
      const troubled = failed > 0 ? `, ${formatCount(failed)} failed` : '';
      const open = asking > 0 ? `, ${formatCount(asking)} ${asking === 1 ? 'needs' : 'need'} you` : '';
      sentences.push(`Uploads to ${name} have ended: ${formatCount(complete)} complete${troubled}${open}.`);
    } else if (failed > before.failed) {
      sentences.push(`${counted(failed - before.failed, 'upload')} to ${name} failed.`);
    } else if (asking > before.asking) {
      const more = asking - before.asking;
      sentences.push(`${counted(more, 'upload')} to ${name} ${more === 1 ? 'needs' : 'need'} you.`);
    } else if (quarter > before.quarter) {
      sentences.push(`Uploads to ${name}: ${quarter * 25} per cent, ${complete} of ${total} complete.`);
    }
  }
  return { sentences, said: next };
}
