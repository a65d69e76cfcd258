import { Worker } from 'node:worker_threads';
import type { MediaCut } from '../../../shared/formats/tags/media-cut.ts';
import type { Clock } from '../ports/clock.ts';
import type { EmbeddedTags } from './read-cut.ts';
import type { ThreadAnswer } from './thread-main.ts';

/** `damaged`: the parser refused the bytes. `too-slow`: it did not end in time. `failed`: the thread ended or could not start. */
export type TagProblem = 'damaged' | 'too-slow' | 'failed';

/** Parses the tags of a cut. Never rejects. */
export interface TagParser {
  parse(cut: MediaCut): Promise<EmbeddedTags | TagProblem>;
  stop(): Promise<void>;
}

/** A cut has at most a few megabytes: a parser that takes longer is in an endless loop. */
const TIMEOUT_MS = 5000;
/** The maximum size of the thread's heap. */
const MOST_MEGABYTES = 128;
/** In a bundle, the program is beside the folder of every other part; in the sources, beside this file. */
const PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? 'thread-main.ts' : '../threads/media-tags.js',
  import.meta.url,
);

/**
 * Parses tags in a thread of its own: a parser that loops or uses up its memory ends with that thread, and the next cut gets a
 * new one. One cut at a time. The thread starts with the first cut and does not keep the process alive.
 */
export function createTagThread(clock: Clock, program: URL = PROGRAM, timeoutMs = TIMEOUT_MS): TagParser {
  let thread: TagThread | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const parse = async (cut: MediaCut): Promise<EmbeddedTags | TagProblem> => {
    try {
      thread ??= new TagThread(program);
      const answer = await thread.ask(cut, clock, timeoutMs);
      if (!thread.isLost) return answer;
    } catch {
      // The thread could not be started.
      return 'failed';
    }
    const { lostBy } = thread;
    thread = null;
    return lostBy;
  };
  return {
    parse(cut) {
      const next = last.then(() => parse(cut));
      last = next;
      return next;
    },
    async stop() {
      const ended = thread;
      thread = null;
      await ended?.end('failed');
    },
  };
}

/** One thread; it counts as lost when it ends, or does not answer in time. */
class TagThread {
  lostBy: TagProblem = 'failed';
  isLost = false;
  readonly #worker: Worker;
  #answer: (answer: EmbeddedTags | TagProblem) => void = () => undefined;

  constructor(program: URL) {
    this.#worker = new Worker(program, {
      execArgv: [],
      name: 'media-tags',
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
      // The parsers print notices, which would end up among the output of the command line.
      stdout: true,
      stderr: true,
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.on('message', (answer: ThreadAnswer) => this.#answer(answer ?? 'damaged'));
    this.#worker.on('error', () => void this.end('failed'));
    this.#worker.on('exit', () => void this.end('failed'));
    // Called after the listeners are added, because a listener for messages keeps the process alive.
    this.#worker.unref();
  }

  async ask(cut: MediaCut, clock: Clock, timeoutMs: number): Promise<EmbeddedTags | TagProblem> {
    const cancel = clock.schedule(timeoutMs, () => void this.end('too-slow'));
    try {
      return await new Promise((resolve) => {
        this.#answer = resolve;
        this.#worker.postMessage(cut);
      });
    } finally {
      cancel();
    }
  }

  async end(reason: TagProblem): Promise<void> {
    if (this.isLost) return;
    this.isLost = true;
    this.lostBy = reason;
    this.#answer(reason);
    await this.#worker.terminate();
  }
}
