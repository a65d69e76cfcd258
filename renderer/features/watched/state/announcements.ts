import type { WatchedFolder } from '../../../../shared/contract/watch.ts';
import { texts } from './texts.ts';

/**
 * Returns the sentences that the screen reader says about changes of watched folders: another state of a folder, and more
 * incomplete recordings. New files are not announced one by one, because their batch is announced.
 */
export function watchSentences(before: readonly WatchedFolder[], now: readonly WatchedFolder[]): string[] {
  const sentences: string[] = [];
  for (const folder of now) {
    const last = before.find(({ id }) => id === folder.id);
    if (last === undefined) continue;
    if (last.state !== folder.state) sentences.push(texts.announced.states[folder.state](folder.name));
    const more = folder.counts.incomplete - last.counts.incomplete;
    if (more > 0) sentences.push(texts.announced.incomplete(more, folder.name));
  }
  return sentences;
}
