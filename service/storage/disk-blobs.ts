import { randomBytes } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { chmod, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Blobs, isBlobName } from './blobs.ts';
import { directWritesWork } from './byte-writer.ts';
import { createFileSink } from './file-sink.ts';
import { makePrivate } from './private-file.ts';
import { renameFile, syncFolder } from './replace-file.ts';
import type { Scratch } from './scratch.ts';

const READ_BYTES = 512 * 1024;

/**
 * Blobs in the data directory. A file is written in `scratch`, made durable, and only then renamed into `stored/`: every file in
 * `stored/` is complete.
 */
export async function openDiskBlobs(dataDir: string, scratch: Scratch): Promise<Blobs> {
  const stored = join(dataDir, 'stored');
  mkdirSync(stored, { recursive: true, mode: 0o700 });
  makePrivate(stored);
  await makeFolders(stored);

  function path(name: string): string {
    if (!isBlobName(name)) throw new Error('Not the name of a blob.');
    return join(stored, name.slice(0, 2), name);
  }

  let holds = 0;
  /** The files to delete when nothing holds them any more. After a kill, the next start deletes them. */
  const held = new Set<string>();
  const direct = await directWritesWork(scratch.path());

  async function keep(temporaryPath: string): Promise<string> {
    const name = randomBytes(16).toString('hex');
    // Tools that write for the service choose their own mode.
    await chmod(temporaryPath, 0o600);
    await renameFile(temporaryPath, path(name));
    await syncFolder(join(stored, name.slice(0, 2)));
    return name;
  }

  return {
    receive(sizeBytes) {
      const temporaryPath = scratch.path();
      return {
        open: (events) => createFileSink(temporaryPath, sizeBytes, direct, events),
        keep: () => keep(temporaryPath),
        discard: () => rm(temporaryPath, { force: true }),
      };
    },
    async put(temporaryPath) {
      await syncFile(temporaryPath);
      return keep(temporaryPath);
    },
    async size(name) {
      return statSync(path(name), { throwIfNoEntry: false })?.size;
    },
    async read(name, range) {
      return createReadStream(path(name), { ...range, highWaterMark: READ_BYTES });
    },
    async local(name) {
      return { path: path(name), release: async () => {} };
    },
    async remove(name) {
      if (holds > 0) held.add(name);
      else await rm(path(name), { force: true });
    },
    hold() {
      holds += 1;
      let isReleased = false;
      return async () => {
        if (isReleased) return;
        isReleased = true;
        holds -= 1;
        if (holds > 0) return;
        const names = [...held];
        held.clear();
        for (const name of names) await rm(path(name), { force: true });
      };
    },
    tryWrite: scratch.tryWrite,
    async space() {
      const { bsize, bavail, blocks } = await statfs(stored);
      return { freeBytes: bsize * bavail, totalBytes: bsize * blocks };
    },
    hasContent: () => readdirSync(stored).some((folder) => readdirSync(join(stored, folder)).length > 0),
    purge(known) {
      let removed = 0;
      for (const folder of readdirSync(stored)) {
        for (const name of readdirSync(join(stored, folder))) {
          if (known.has(name)) {
            makePrivate(join(stored, folder, name));
            continue;
          }
          rmSync(join(stored, folder, name), { force: true });
          removed += 1;
        }
      }
      return removed;
    },
  };
}

/** Creates the subfolders of `stored/` in advance, so that no upload has to create them. */
async function makeFolders(stored: string): Promise<void> {
  const there = new Set(readdirSync(stored));
  const missing = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0')).filter(
    (name) => !there.has(name),
  );
  for (const name of missing) mkdirSync(join(stored, name), { mode: 0o700 });
  if (missing.length > 0) await syncFolder(stored);
}

/** Waits until the bytes of a file are on disk. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
