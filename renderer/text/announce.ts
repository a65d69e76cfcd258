import type { Batch } from '../../shared/contract/uploads.ts';
import { pendingOf, sum } from '../stores/uploads-merge.ts';
import { counted, formatCount } from './format.ts';

/** What was last said about a batch. */
export interface Said {
  quarter: number;
  failed: number;
  ended: boolean;
}

/**
 * What to say about the batches now: quarters of the files, new failures, the end. Nothing on the first look at a batch
 * that is at rest, so that a start of the app is silent. While uploads ask about duplicates (`asking`), what counts as failed may
 * only want a word.
 */
export function announcementsFor(
  batches: readonly Batch[],
  said: ReadonlyMap<string, Said>,
  asking = 0,
): { sentences: string[]; said: Map<string, Said> } {
  const sentences: string[] = [];
  const next = new Map<string, Said>();
  for (const batch of batches) {
    const complete = batch.counts.complete ?? 0;
    const failed = batch.counts.failed ?? 0;
    const pending = pendingOf(batch.counts);
    const total = sum(batch.counts, ['complete', 'failed']) + pending;
    const quarter = total === 0 ? 0 : Math.floor(((complete + failed) / total) * 4);
    const now: Said = { quarter, failed, ended: pending === 0 };
    next.set(batch.id, now);
    const before = said.get(batch.id);
    if (before === undefined) continue;
    const name = batch.collectionName;
    if (now.ended && !before.ended) {
      const rest = failed > 0 ? `, ${formatCount(failed)} ${asking > 0 ? 'need you' : 'failed'}` : '';
      sentences.push(`Uploads to ${name} have ended: ${formatCount(complete)} complete${rest}.`);
    } else if (failed > before.failed) {
      const more = failed - before.failed;
      const what = asking > 0 ? (more === 1 ? 'needs you' : 'need you') : 'failed';
      sentences.push(`${counted(more, 'upload')} to ${name} ${what}.`);
    } else if (quarter > before.quarter) {
      sentences.push(`Uploads to ${name}: ${quarter * 25} per cent, ${complete} of ${total} complete.`);
    }
  }
  return { sentences, said: next };
}
