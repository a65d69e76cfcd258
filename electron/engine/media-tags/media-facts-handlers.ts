import type { MediaFacts } from '../../../shared/contract/media-facts.ts';
import type { Handlers } from '../common/handlers.ts';
import type { ReadMediaFacts } from './media-facts.ts';
import type { TagParser } from './tag-thread.ts';

interface MediaFactsCallTools {
  read: ReadMediaFacts;
  tags: TagParser;
  /** Returns a function that returns the root of a path, from the paths that the user chose. */
  rootsOf(chosen: readonly string[]): (path: string) => string;
}

/** The calls about the facts of local files other than their names. A call reads its files one after the other. */
export function mediaFactsHandlers(tools: MediaFactsCallTools): {
  handlers: Pick<Handlers, 'mediaFacts.read' | 'mediaFacts.end'>;
  stop(): Promise<void>;
} {
  let running = new AbortController();
  const end = () => {
    running.abort();
    running = new AbortController();
  };
  return {
    handlers: {
      'mediaFacts.read': async ({ paths, roots = [] }) => {
        const { signal } = running;
        const rootOf = tools.rootsOf(roots);
        const facts: MediaFacts[] = [];
        for (const path of paths) {
          if (signal.aborted) break;
          facts.push(await tools.read(path, rootOf(path), { isLook: true }));
        }
        return facts;
      },
      'mediaFacts.end': async () => {
        end();
        return null;
      },
    },
    async stop() {
      end();
      await tools.tags.stop();
    },
  };
}
