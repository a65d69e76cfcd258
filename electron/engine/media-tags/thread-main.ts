// The program of the thread that parses tags. A file of its own in the bundle: it is started by its path.
import { parentPort } from 'node:worker_threads';
import type { MediaCut } from './media-cut.ts';
import { type EmbeddedTags, readCut } from './read-cut.ts';

/** What the thread answers to a cut: null when its bytes are damaged. */
export type ThreadAnswer = EmbeddedTags | null;

parentPort?.on('message', (cut: MediaCut) => {
  void readCut(cut)
    .catch(() => null)
    .then((answer: ThreadAnswer) => parentPort?.postMessage(answer));
});
