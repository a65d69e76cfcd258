// The program of the thread that parses tags. It is a separate file in the bundle, because a thread is started by its path.
import { parentPort } from 'node:worker_threads';
import type { MediaCut } from '../../../shared/formats/tags/media-cut.ts';
import { type EmbeddedTags, readCut } from './read-cut.ts';

/** The answer of the thread to a cut: null when its bytes are damaged. */
export type ThreadAnswer = EmbeddedTags | null;

parentPort?.on('message', (cut: MediaCut) => {
  void readCut(cut)
    .catch(() => null)
    .then((answer: ThreadAnswer) => parentPort?.postMessage(answer));
});
