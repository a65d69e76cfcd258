import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import { texts } from './texts.ts';

/**
 * Returns what the screen reader says about a change of the watched folders: another state of a folder, and more incomplete
 * recordings. Arrivals are not announced one by one: their batch is.
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
