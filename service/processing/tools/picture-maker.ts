import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { lowerPriority } from './tool-priority.ts';

/** A picture to read and the destination of its thumbnail, as paths. */
export interface PictureOrder {
  input: string;
  output: string;
}

/** The limit that is sent to the process with each order. */
export interface PictureLimit {
  /** Memory limit of the process, regardless of what the headers of the picture claim. */
  maxResidentBytes: number;
}

/** The outcome. `broken`: the picture is invalid. `none`: no thumbnail could be created, although the picture may be valid. */
export type PictureAnswer =
  | { kind: 'made'; width: number; height: number }
  | { kind: 'broken'; reason: string }
  | { kind: 'none'; reason: string };

/**
 * Creates thumbnails: JPEG in sRGB of at most 640 by 640 pixels, upright, transparent areas white, from the first frame, without
 * metadata.
 */
export interface PictureMaker {
  /** Rejects only when the signal is aborted, with its reason; every other outcome is a result. */
  make(order: PictureOrder, signal: AbortSignal): Promise<PictureAnswer>;
  stop(): void;
}

export interface PictureMakerOptions extends Partial<PictureLimit> {
  /** Time limit for one picture. */
  limitMs?: number;
  /** The process ends after this idle time. */
  idleMs?: number;
}

/** In a bundle, the program is beside the folder of every other part; in the sources, beside this file. */
const WORKER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? 'picture-worker.ts' : '../threads/picture-worker.js', import.meta.url),
);
const COMPLAINT_CHARS = 500;

/** Runs one worker process, started on demand and replaced when it ends. It handles one order at a time. */
export function createPictureMaker(options: PictureMakerOptions = {}): PictureMaker {
  const { limitMs = 60_000, idleMs = 10_000, maxResidentBytes = 400 * 1024 * 1024 } = options;
  let worker: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let complaint = '';

  function start(): ChildProcess {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const child = fork(WORKER, [], {
      execArgv: [],
      // Otherwise native allocations in several threads would keep their peak memory.
      env: { ...env, MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    complaint = '';
    // Without a listener, an error after the answer to the order would end the service.
    child.on('error', () => {});
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-COMPLAINT_CHARS);
    });
    child.once('exit', () => {
      if (worker === child) worker = undefined;
    });
    lowerPriority(child.pid);
    return child;
  }

  function end(): void {
    clearTimeout(idle);
    worker?.kill('SIGKILL');
    worker = undefined;
  }

  function work(order: PictureOrder, signal: AbortSignal): Promise<PictureAnswer> {
    clearTimeout(idle);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      worker ??= start();
      const child = worker;
      const limit = setTimeout(() => {
        end();
        settle({ kind: 'none', reason: `It took longer than ${limitMs} ms.` });
      }, limitMs);
      const onAbort = () => {
        end();
        release();
        reject(signal.reason);
      };
      const onExit = (code: number | null, by: string | null) =>
        settle({ kind: 'none', reason: `The process that makes it ended (${by ?? code}). ${complaint}`.trim() });
      const onError = (error: Error) => settle({ kind: 'none', reason: error.message });

      function release(): void {
        clearTimeout(limit);
        signal.removeEventListener('abort', onAbort);
        child.off('message', settle).off('close', onExit).off('error', onError);
      }
      function settle(answer: PictureAnswer): void {
        release();
        idle = setTimeout(end, idleMs).unref();
        resolve(answer);
      }
      signal.addEventListener('abort', onAbort);
      child.on('message', settle).on('close', onExit).on('error', onError);
      child.send({ ...order, maxResidentBytes }, (error) => {
        if (error) onError(error);
      });
    });
  }

  return {
    make(order, signal) {
      const turn = last.then(() => work(order, signal));
      last = turn.catch(() => {});
      return turn;
    },
    stop: end,
  };
}
