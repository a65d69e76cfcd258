import { lstat, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import { appError } from '../../../../shared/contract/app-error.ts';
import { SYSTEM_FOLDER_NAMES } from '../../../../shared/model/ignored-names.ts';
import type { Clock } from '../clock.ts';
import type { FolderEntry, FolderWalker } from '../folder-walker.ts';
import { assertNoLinks } from './below-root.ts';
import { pathOfBytes, systemPath } from './byte-paths.ts';
import { FILE_TIMEOUT_MS } from './files-with-timeouts.ts';
import { nodeFiles } from './node-files.ts';
import { type RawEntry, type RawPath, SWEEP_PROGRAM, type SweepMessage, type SweepOrder } from './sweep-thread.ts';

/** The number of entries per message: the receiving thread needs about 4 ms for them. */
const BATCH_ENTRIES = 100;
/** The number of files whose facts are read in parallel. */
const AT_ONCE = 4;

/**
 * Lists folders in a separate thread, with calls that block only that thread. So a large folder does not delay this thread, and a
 * share that does not answer does not use up the threads that read other files.
 */
export function createFolderWalker(clock: Clock): FolderWalker {
  return {
    walk: (request, onBatch, signal) =>
      new Promise((resolve, reject) => {
        const { root, from, isDeep } = request;
        const worker = new Worker(SWEEP_PROGRAM, {
          eval: true,
          execArgv: [],
          name: 'sweep',
          workerData: {
            root: systemPath(root),
            from: systemPath(from),
            isDeep,
            known: [...(request.known ?? [])],
            most: BATCH_ENTRIES,
            skipped: SYSTEM_FOLDER_NAMES,
          } satisfies SweepOrder,
        });
        let cancelTimeout = () => {};
        const end = (settle: () => void) => {
          cancelTimeout();
          signal.removeEventListener('abort', onAbort);
          worker.removeAllListeners();
          // A call that hangs in the kernel delays the end of the thread; the walk does not wait for it.
          worker.on('error', () => {});
          void worker.terminate();
          settle();
        };
        const onAbort = () => end(() => reject(signal.reason));
        const expectAnswer = () => {
          cancelTimeout();
          cancelTimeout = clock.schedule(FILE_TIMEOUT_MS, () =>
            end(() => reject(appError('file.disk-hangs', { details: { path: join(root, from) } }))),
          );
        };
        worker.on('error', (error) => end(() => reject(error)));
        let isListed = false;
        worker.on('exit', (code) => {
          // After `end` the exit is no error: `onBatch` may still be processing batches of the thread.
          if (!isListed) end(() => reject(new Error(`the sweep thread ended with ${code}`)));
        });
        // Batches are processed one after the other; the thread is one batch ahead.
        let taking = Promise.resolve();
        const take = async (batch: Extract<SweepMessage, { kind: 'batch' }>) => {
          if (signal.aborted) return;
          // The thread may be waiting for this thread, so its silence does not mean that it hangs.
          cancelTimeout();
          await onBatch({
            entries: batch.entries.map((raw) => entryOf(raw)),
            unlisted: batch.unlisted.map(textOf),
            unchanged: batch.unchanged.map(textOf),
            listed: batch.listed.map(([folder, digest]) => ({ folder: textOf(folder), digest })),
          });
          if (signal.aborted) return;
          worker.postMessage('next');
          expectAnswer();
        };
        const fail = (error: unknown) => end(() => reject(error));
        worker.on('message', (message: SweepMessage) => {
          expectAnswer();
          if (message.kind === 'batch') taking = taking.then(() => take(message));
          else if (message.kind === 'end') {
            isListed = true;
            taking = taking.then(() => end(resolve));
          }
          taking.catch(fail);
        });
        worker.unref();
        if (signal.aborted) onAbort();
        else {
          signal.addEventListener('abort', onAbort, { once: true });
          expectAnswer();
        }
      }),

    async realPath(path) {
      // Throws the errors of `Files` for a path that can't be followed.
      await nodeFiles.facts(path);
      return pathOfBytes(await realpath(systemPath(path), { encoding: 'buffer' }));
    },

    entriesAt: (root, paths) =>
      new Promise((resolve, reject) => {
        const cancel = clock.schedule(FILE_TIMEOUT_MS, () =>
          reject(appError('file.disk-hangs', { details: { path: root } })),
        );
        entriesAt(root, paths).then(resolve, reject).finally(cancel);
      }),
  };
}

/** Reads a few entries at a time, because each uses a thread while it waits for the disk. */
async function entriesAt(root: string, paths: readonly string[]): Promise<FolderEntry[]> {
  const device = (await stat(systemPath(root), { bigint: true })).dev;
  const entries: (FolderEntry | null)[] = [];
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    const some = paths.slice(at, at + AT_ONCE);
    entries.push(...(await Promise.all(some.map((path) => entryAt(root, path, device)))));
  }
  return entries.filter((entry) => entry !== null);
}

async function entryAt(root: string, path: string, rootDevice: bigint): Promise<FolderEntry | null> {
  try {
    const full = join(root, path.split('/').join(sep));
    const [stats] = await Promise.all([
      lstat(systemPath(full), { bigint: true }),
      assertNoLinks(root, full, { isLast: false }),
    ]);
    if (stats.isDirectory()) return null;
    return {
      path,
      kind: stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other',
      sizeBytes: Number(stats.size),
      mtimeMs: msOf(stats.mtimeNs),
      fileId: stats.dev === rootDevice ? String(stats.ino) : `${stats.dev}:${stats.ino}`,
      blocks: stats.blocks === undefined ? null : Number(stats.blocks),
      ctimeMs: msOf(stats.ctimeNs),
    };
  } catch {
    // Deleted meanwhile, not readable, or behind a link: the next sweep decides.
    return null;
  }
}

/** Returns nanoseconds as milliseconds, without the loss of digits of a number of nanoseconds. */
function msOf(ns: bigint): number {
  return Number(ns / 1_000_000_000n) * 1000 + Number(ns % 1_000_000_000n) / 1e6;
}

function entryOf([path, kind, sizeBytes, mtimeMs, fileId, blocks, ctimeMs]: RawEntry): FolderEntry {
  return { path: textOf(path), kind, sizeBytes, mtimeMs, fileId, blocks, ctimeMs };
}

function textOf(path: RawPath): string {
  return typeof path === 'string' ? path : pathOfBytes(path);
}
