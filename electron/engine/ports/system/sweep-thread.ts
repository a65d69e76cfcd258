import type { BigIntStats } from 'node:fs';
import type { FolderEntry } from '../folder-walker.ts';

/** A path in a message: text, or its bytes where it is not plain text (see `byte-paths.ts`). */
export type RawPath = Uint8Array | string;

/** A `FolderEntry` as the thread sends it: an array is cheaper to copy between threads than an object. */
export type RawEntry = [
  path: RawPath,
  kind: FolderEntry['kind'],
  sizeBytes: number,
  mtimeMs: number,
  fileId: string,
  blocks: number | null,
  ctimeMs: number | null,
];

export type SweepMessage =
  | {
      kind: 'batch';
      entries: RawEntry[];
      unlisted: RawPath[];
      unchanged: RawPath[];
      listed: [folder: RawPath, digest: string][];
    }
  | { kind: 'end' }
  | { kind: 'alive' };

export interface SweepOrder {
  root: RawPath;
  from: RawPath;
  isDeep: boolean;
  /** Digests of folders whose entries need not be sent. */
  known: readonly string[];
  /** Entries per message. */
  most: number;
  /** Names of folders that are not listed, in lower case. Those that begin with a dot are never listed. */
  skipped: readonly string[];
}

/** The facts of a file that is not a folder. */
type OnFile = (path: RawPath, kind: FolderEntry['kind'], stats: BigIntStats, fileId: string) => void;

/**
 * The program of the thread as text, so that it needs no file of its own in a bundle or archive. Each function runs from its text
 * alone, so it must not use any other name of this file.
 */
export const SWEEP_PROGRAM = `(${sweepInThread})(${createReader}, ${createOutbox})`;

/** Lists a folder with blocking calls, and sends the entries. */
function sweepInThread(newReader: typeof createReader, newOutbox: typeof createOutbox): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const order = workerData as SweepOrder;
  const outbox = newOutbox(order);
  const reader = newReader(order, outbox.alive);
  const known = new Set(order.known);
  const folders: RawPath[] = reader.isBehindLink(order.from) ? [] : [order.from];
  /** Returns whether the files of a folder have a known digest; its sub-folders are then in the list. */
  const isUnchanged = (folder: RawPath, names: readonly RawPath[]) => {
    if (known.size === 0) return false;
    // Read only for the digest: keeping the entries of a large folder until the digest is known would need much memory.
    const { digest, below } = reader.read(folder, names, () => {});
    if (digest === null || !known.has(digest)) return false;
    for (const path of below) folders.push(path);
    return true;
  };
  // The list grows during the loop.
  for (const folder of folders) {
    const names = reader.names(folder);
    if (names === null) outbox.unlisted(folder);
    else if (isUnchanged(folder, names)) outbox.unchanged(folder);
    else {
      const { digest, below } = reader.read(folder, names, outbox.file);
      if (digest === null) outbox.unlisted(folder);
      else outbox.listed(folder, digest);
      for (const path of below) folders.push(path);
    }
  }
  outbox.end();
}

/** Reads folders and the facts of their files. */
function createReader({ root, isDeep, skipped }: SweepOrder, onAlive: () => void) {
  const fs = process.getBuiltinModule('node:fs');
  const { createHash } = process.getBuiltinModule('node:crypto');
  const skips = new Set(skipped);
  let count = 0;
  const join = (folder: RawPath, name: RawPath): RawPath => {
    if (folder.length === 0) return name;
    if (typeof folder === 'string' && typeof name === 'string') return `${folder}/${name}`;
    return Buffer.concat([Buffer.from(folder as string), Buffer.from('/'), Buffer.from(name as string)]);
  };
  const systemPathOf = (path: RawPath) => {
    const full = path.length === 0 ? root : join(root, path);
    return typeof full === 'string' ? full : Buffer.from(full);
  };
  /** Null: the file could not be read. Undefined: it was deleted since its folder was listed. */
  const statOf = (path: RawPath): BigIntStats | null | undefined => {
    try {
      return fs.lstatSync(systemPathOf(path), { bigint: true });
    } catch (error) {
      return (error as { code?: unknown }).code === 'ENOENT' ? undefined : null;
    }
  };
  const rootDevice = statOf('')?.dev;
  const isEntered = (name: RawPath) => {
    if (!isDeep) return false;
    const text = typeof name === 'string' ? name : Buffer.from(name).toString('utf8');
    return !text.startsWith('.') && !skips.has(text.toLowerCase());
  };
  /**
   * Returns whether a name is read again as bytes: it has lost bytes, or contains characters that represent bytes in other paths.
   */
  const needsBytes = (name: string) => name.includes('\ufffd') || /[\u{10fd80}-\u{10fdff}]/u.test(name);
  const kindOf = (stats: BigIntStats) => (stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other');
  const fileIdOf = ({ dev, ino }: BigIntStats) => (dev === rootDevice ? String(ino) : `${dev}:${ino}`);
  const textOf = (name: RawPath) => (typeof name === 'string' ? name : Buffer.from(name).toString('latin1'));
  /** Creates the digest of a folder. It hashes the text in parts, because that of a large folder would need much memory. */
  const newListing = (folder: RawPath) => {
    const hash = createHash('sha256').update(folder).update('\0');
    let lines = '';
    return {
      add(line: string) {
        lines += line;
        if (lines.length < 100_000) return;
        hash.update(lines);
        lines = '';
      },
      digest: () => hash.update(lines).digest('base64'),
    };
  };
  return {
    /** Returns whether a folder on the way from the root is a link: an event can name a folder that was replaced by one since. */
    isBehindLink(folder: RawPath): boolean {
      const bytes = Buffer.from(folder as string);
      for (let end = bytes.indexOf('/'); bytes.length > 0; end = bytes.indexOf('/', end + 1)) {
        const part = end < 0 ? bytes : bytes.subarray(0, end);
        if (statOf(typeof folder === 'string' ? part.toString() : part)?.isSymbolicLink()) return true;
        if (end < 0) return false;
      }
      return false;
    },

    /** Returns the names in a folder in a fixed order; null when it can't be listed. */
    names(folder: RawPath): RawPath[] | null {
      const path = systemPathOf(folder);
      try {
        const names = typeof path === 'string' ? fs.readdirSync(path) : null;
        const isText = names !== null && !names.some(needsBytes);
        return isText ? names : fs.readdirSync(path, { encoding: 'buffer' });
      } catch {
        return null;
      }
    },

    /** Returns a digest of the paths and facts of all files, null when some could not be read, and the folders below. */
    read(folder: RawPath, names: readonly RawPath[], onFile: OnFile): { digest: string | null; below: RawPath[] } {
      const listing = newListing(folder);
      const below: RawPath[] = [];
      let isComplete = true;
      for (const name of names) {
        const path = join(folder, name);
        count += 1;
        if (count % 2000 === 0) onAlive();
        const stats = statOf(path);
        if (stats === null) isComplete = false;
        else if (stats?.isDirectory()) {
          if (isEntered(name)) below.push(path);
        } else if (stats !== undefined) {
          const kind = kindOf(stats);
          const fileId = fileIdOf(stats);
          listing.add(`${textOf(name)}\0${kind} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${fileId}\n`);
          onFile(path, kind, stats, fileId);
        }
      }
      return { digest: isComplete ? listing.digest() : null, below };
    },
  };
}

/** Sends the entries in batches. */
function createOutbox({ most }: SweepOrder) {
  const { parentPort, receiveMessageOnPort } = process.getBuiltinModule('node:worker_threads');
  const wait = new Int32Array(new SharedArrayBuffer(4));
  const empty = () => ({ kind: 'batch' as const, entries: [], unlisted: [], unchanged: [], listed: [] });
  let batch: Extract<SweepMessage, { kind: 'batch' }> = empty();
  let untaken = 0;
  const send = (message: SweepMessage) => parentPort?.postMessage(message);
  const shown = (path: RawPath) => (typeof path === 'string' ? path : new Uint8Array(path));
  const flush = () => {
    send(batch);
    batch = empty();
    untaken += 1;
    // Waits synchronously, as the whole thread works: only one batch is built while the batch before it is processed.
    while (parentPort && untaken > 1) {
      if (receiveMessageOnPort(parentPort) === undefined) Atomics.wait(wait, 0, 0, 1);
      else untaken -= 1;
    }
  };
  const add = <T>(list: T[], item: T) => {
    list.push(item);
    if (list.length >= most) flush();
  };
  const file: OnFile = (path, kind, stats, fileId) => {
    const msOf = (ns: bigint) => Number(ns / 1_000_000_000n) * 1000 + Number(ns % 1_000_000_000n) / 1e6;
    const blocks = stats.blocks === undefined ? null : Number(stats.blocks);
    add(batch.entries, [
      shown(path),
      kind,
      Number(stats.size),
      msOf(stats.mtimeNs),
      fileId,
      blocks,
      msOf(stats.ctimeNs),
    ]);
  };
  return {
    file,
    unlisted: (folder: RawPath) => add(batch.unlisted, shown(folder)),
    unchanged: (folder: RawPath) => add(batch.unchanged, shown(folder)),
    listed: (folder: RawPath, digest: string) => add(batch.listed, [shown(folder), digest]),
    /** Reports that the thread is not hanging, although it has no entries to send. */
    alive: () => void send({ kind: 'alive' }),
    end() {
      flush();
      send({ kind: 'end' });
    },
  };
}
