import type { Batch } from '../../../shared/contract/uploads.ts';
import { uploadOutcomes } from '../../../shared/model/upload-counts.ts';
import { counted, formatCount } from '../../text/format.ts';

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
    const { complete, failed, needsDecision: asking, pending } = uploadOutcomes(batch);
    const total = complete + failed + asking + pending;
    const quarter = total === 0 ? 0 : Math.floor(((total - pending) / total) * 4);
    const now: Said = { quarter, failed, asking, ended: pending === 0 };
    next.set(batch.id, now);
    const before = said.get(batch.id);
    if (before === undefined) continue;
    const name = batch.collectionName;
    if (now.ended && !before.ended) {
      const troubled = failed > 0 ? `, ${formatCount(failed)} failed` : '';
      const open = asking > 0 ? `, ${formatCount(asking)} ${asking === 1 ? 'needs' : 'need'} a decision` : '';
      sentences.push(`Uploads to ${name} have ended: ${formatCount(complete)} complete${troubled}${open}.`);
    } else if (failed > before.failed) {
      sentences.push(`${counted(failed - before.failed, 'upload')} to ${name} failed.`);
    } else if (asking > before.asking) {
      const more = asking - before.asking;
      sentences.push(`${counted(more, 'upload')} to ${name} ${more === 1 ? 'needs' : 'need'} a decision.`);
    } else if (quarter > before.quarter) {
      sentences.push(`Uploads to ${name}: ${quarter * 25} per cent, ${complete} of ${total} complete.`);
    }
  }
  return { sentences, said: next };
}
