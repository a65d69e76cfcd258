import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** A picture to read and the place for its thumbnail, as paths. */
export interface PictureOrder {
  input: string;
  output: string;
}

/** Goes with each order. */
export interface PictureLimit {
  /** Memory of the process past which it gives up, whatever the headers of the picture promised. */
  maxResidentBytes: number;
}

/** What became of it. `none` says that no thumbnail could be made although the picture may be in order. */
export type PictureAnswer =
  | { kind: 'made'; width: number; height: number }
  | { kind: 'broken'; reason: string }
  | { kind: 'none'; reason: string };

/**
 * Makes thumbnails: JPEG in sRGB of at most 640 by 640 pixels, upright, on white where the picture is transparent, of its
 * first frame, without any metadata.
 */
export interface PictureMaker {
  /** Rejects with the signal's reason when it is aborted; everything else is an answer. */
  make(order: PictureOrder, signal: AbortSignal): Promise<PictureAnswer>;
  stop(): void;
}

export interface PictureMakerOptions extends Partial<PictureLimit> {
  /** A picture that takes longer is given up. */
  limitMs?: number;
  /** The process ends when there was nothing to do for so long. */
  idleMs?: number;
}

const WORKER = fileURLToPath(new URL('./picture-worker.ts', import.meta.url));
/** Below uploads and answers: they must not wait for pictures. */
const NICE = 15;
const COMPLAINT_CHARS = 500;

/** One process, started when it is needed and replaced when it is lost, takes the orders one after the other. */
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
      // Native allocations in several threads would otherwise keep what they once had.
      env: { ...env, MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    complaint = '';
    // Nobody's any more once the order that it was for is answered.
    child.on('error', () => {});
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-COMPLAINT_CHARS);
    });
    child.once('exit', () => {
      if (worker === child) worker = undefined;
    });
    if (child.pid !== undefined) {
      try {
        setPriority(child.pid, NICE);
      } catch {
        // It has ended already, or the system does not let us.
      }
    }
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
