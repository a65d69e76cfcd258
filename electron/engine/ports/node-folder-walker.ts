import { lstat, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import { appError } from '../../../shared/contract/app-error.ts';
import { SYSTEM_FOLDER_NAMES } from '../../../shared/model/watch/ignored-names.ts';
import { pathOfBytes, systemPath } from './byte-paths.ts';
import type { Clock } from './clock.ts';
import { FILE_TIMEOUT_MS } from './files-with-timeouts.ts';
import type { FolderEntry, FolderWalker } from './folder-walker.ts';
import { nodeFiles } from './node-files.ts';

/** Entries per message: new ones take the thread that receives them about 4 ms. */
const BATCH_ENTRIES = 100;
/** Files whose facts are read side by side. */
const AT_ONCE = 4;

type Raw = [
  path: Uint8Array | string,
  kind: FolderEntry['kind'],
  sizeBytes: number,
  mtimeMs: number,
  fileId: string,
  blocks: number | null,
];
type Message =
  | { kind: 'batch'; entries: Raw[]; unlisted: (Uint8Array | string)[] }
  | { kind: 'end' }
  | { kind: 'alive' };

/**
 * Lists folders in a thread of their own, with calls that block only that thread. So a large folder does not delay this thread,
 * and a share that does not answer does not use up the threads that read other files.
 */
export function createFolderWalker(clock: Clock): FolderWalker {
  return {
    walk: (request, onBatch, signal) =>
      new Promise((resolve, reject) => {
        const { root, from, isDeep } = request;
        const worker = new Worker(PROGRAM, {
          eval: true,
          execArgv: [],
          name: 'sweep',
          workerData: {
            // A name that is no text has its bytes here.
            root: Buffer.from(systemPath(root)),
            from: Buffer.from(systemPath(from)),
            isDeep,
            most: BATCH_ENTRIES,
            skipped: SYSTEM_FOLDER_NAMES,
            isBytes: process.platform === 'linux',
          } satisfies ThreadData,
        });
        let cancelTimeout = () => {};
        const end = (settle: () => void) => {
          cancelTimeout();
          signal.removeEventListener('abort', onAbort);
          worker.removeAllListeners();
          // A call that hangs in the kernel ends the thread later; the walk does not wait for it.
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
          // What it sent may still be on its way to `onBatch`.
          if (!isListed) end(() => reject(new Error(`the sweep thread ended with ${code}`)));
        });
        // Batches are taken one after the other; the thread is ahead by one.
        let taking = Promise.resolve();
        const take = async ({ entries, unlisted }: Extract<Message, { kind: 'batch' }>) => {
          if (signal.aborted) return;
          // The thread may wait for this one: that it sends nothing means nothing.
          cancelTimeout();
          await onBatch({ entries: entries.map((raw) => entryOf(raw)), unlisted: unlisted.map(textOf) });
          if (signal.aborted) return;
          worker.postMessage('next');
          expectAnswer();
        };
        const fail = (error: unknown) => end(() => reject(error));
        worker.on('message', (message: Message) => {
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
      // Explains why a path can't be followed.
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

/** A few at a time: each takes a thread while it waits for the disk. */
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
    const stats = await lstat(systemPath(join(root, path.split('/').join(sep))), { bigint: true });
    if (stats.isDirectory()) return null;
    return {
      path,
      kind: stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other',
      sizeBytes: Number(stats.size),
      mtimeMs: Number(stats.mtimeNs / 1_000_000_000n) * 1000 + Number(stats.mtimeNs % 1_000_000_000n) / 1e6,
      fileId: stats.dev === rootDevice ? String(stats.ino) : `${stats.dev}:${stats.ino}`,
      blocks: stats.blocks === undefined ? null : Number(stats.blocks),
    };
  } catch {
    // Gone again, or not readable: the next sweep decides.
    return null;
  }
}

function entryOf([path, kind, sizeBytes, mtimeMs, fileId, blocks]: Raw): FolderEntry {
  return { path: textOf(path), kind, sizeBytes, mtimeMs, fileId, blocks };
}

function textOf(path: Uint8Array | string): string {
  return typeof path === 'string' ? path : pathOfBytes(path);
}

interface ThreadData {
  root: Uint8Array;
  from: Uint8Array;
  isDeep: boolean;
  most: number;
  /** Folders that are not listed, in lower case; also those that begin with a dot. */
  skipped: readonly string[];
  isBytes: boolean;
}

/** Text, so that the thread needs no file of its own in a bundle or archive. */
const PROGRAM = `(${walkInThread.toString()})()`;

/** Runs from its text alone, so it must not use anything else of this file. */
function walkInThread(): void {
  const { parentPort, workerData, receiveMessageOnPort } = process.getBuiltinModule('node:worker_threads');
  const fs = process.getBuiltinModule('node:fs');
  const { root, from, isDeep, most, skipped, isBytes } = workerData as ThreadData;
  const slash = Buffer.from('/');
  const wait = new Int32Array(new SharedArrayBuffer(4));
  let entries: unknown[] = [];
  let unlisted: unknown[] = [];
  let count = 0;
  let untaken = 0;

  const join = (folder: Uint8Array, name: Uint8Array) =>
    folder.length === 0 ? name : Buffer.concat([folder, slash, name]);
  const systemPathOf = (path: Uint8Array) => {
    const full = Buffer.from(path.length === 0 ? root : Buffer.concat([root, slash, path]));
    return isBytes ? full : full.toString('utf8');
  };
  // Most names are plain ASCII, for which a string is cheaper to pass on.
  const shown = (path: Uint8Array) =>
    path.every((byte) => byte < 0x80) ? Buffer.from(path).toString('latin1') : new Uint8Array(path);
  const flush = () => {
    if (entries.length + unlisted.length === 0) return;
    parentPort?.postMessage({ kind: 'batch', entries, unlisted });
    entries = [];
    unlisted = [];
    untaken += 1;
    // Synchronous, as all of this thread: one batch is built while the one before it is taken.
    while (parentPort && untaken > 1) {
      if (receiveMessageOnPort(parentPort) === undefined) Atomics.wait(wait, 0, 0, 1);
      else untaken -= 1;
    }
  };
  const statOf = (path: string | Buffer, folder: Uint8Array) => {
    try {
      return fs.lstatSync(path, { bigint: true });
    } catch (error) {
      // Gone again between the two calls is gone; anything else says nothing about the file.
      if ((error as { code?: unknown }).code !== 'ENOENT') unlisted.push(shown(folder));
      return null;
    }
  };
  const listOf = (folder: Uint8Array): Uint8Array[] => {
    try {
      return fs.readdirSync(systemPathOf(folder), { encoding: 'buffer' });
    } catch {
      unlisted.push(shown(folder));
      return [];
    }
  };
  const rootDevice = statOf(systemPathOf(new Uint8Array()), new Uint8Array())?.dev ?? null;
  const skips = new Set(skipped);
  const isSkipped = (name: Uint8Array) =>
    name[0] === 0x2e || skips.has(Buffer.from(name).toString('utf8').toLowerCase());
  const note = (path: Uint8Array, stats: import('node:fs').BigIntStats) => {
    const kind = stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other';
    const mtimeMs = Number(stats.mtimeNs / 1_000_000_000n) * 1000 + Number(stats.mtimeNs % 1_000_000_000n) / 1e6;
    const fileId = stats.dev === rootDevice ? String(stats.ino) : `${stats.dev}:${stats.ino}`;
    const blocks = stats.blocks === undefined ? null : Number(stats.blocks);
    entries.push([shown(path), kind, Number(stats.size), mtimeMs, fileId, blocks]);
    if (entries.length >= most) flush();
  };

  const folders: Uint8Array[] = [from];
  // The list grows while it is read.
  for (const folder of folders) {
    for (const name of listOf(folder)) {
      const path = join(folder, name);
      count += 1;
      if (count % 2000 === 0) parentPort?.postMessage({ kind: 'alive' });
      const stats = statOf(systemPathOf(path), folder);
      if (stats === null) continue;
      if (!stats.isDirectory()) note(path, stats);
      else if (isDeep && !isSkipped(name)) folders.push(path);
    }
  }
  flush();
  parentPort?.postMessage({ kind: 'end' });
}
