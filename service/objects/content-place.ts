import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageConfig } from '../site/storage-settings.ts';
import { isBlobName } from '../storage/blobs.ts';
import { renameFile, syncFolder } from '../storage/replace-file.ts';
import { refusal } from '../storage/s3/client.ts';
import { listObjects } from '../storage/s3/listing.ts';
import { sendObject } from '../storage/s3/s3-blobs.ts';
import { openScratch } from '../storage/scratch.ts';
import { StorageUnavailable } from '../storage/storage-unavailable.ts';
import { clientOf } from './open-storage.ts';

const READ_BYTES = 1024 * 1024;

/** A place with the content of a library, to move it. Unlike `Blobs`, it stores content under a given name. */
export interface ContentPlace {
  /** Yields the names of all blobs, some at a time. */
  names(): AsyncIterable<readonly string[]>;
  /** Bytes; undefined when there is no such blob. */
  size(name: string): Promise<number | undefined>;
  read(name: string): Promise<AsyncIterable<Buffer>>;
  /** Stores a blob; what was under this name is replaced. */
  write(name: string, content: AsyncIterable<Buffer>, bytes: number): Promise<void>;
  close(): void;
}

/** Opens the data directory (`undefined`) or an object store. */
export function openPlace(dataDir: string, storage: StorageConfig | undefined): ContentPlace {
  return storage === undefined ? openDisk(dataDir) : openStore(storage);
}

function openDisk(dataDir: string): ContentPlace {
  const stored = join(dataDir, 'stored');
  const pathOf = (name: string) => join(stored, name.slice(0, 2), name);
  return {
    async *names() {
      for (const folder of await readdirIfThere(stored)) {
        yield (await readdirIfThere(join(stored, folder))).filter(
          (name) => isBlobName(name) && name.startsWith(folder),
        );
      }
    },
    async size(name) {
      try {
        const stats = await stat(pathOf(name));
        return stats.isFile() ? stats.size : undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    read: async (name) => createReadStream(pathOf(name), { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>,
    async write(name, content) {
      const temporary = openScratch(dataDir).path();
      try {
        const handle = await open(temporary, 'wx', 0o600);
        try {
          for await (const chunk of content) await handle.writeFile(chunk);
          await handle.sync();
        } finally {
          await handle.close();
        }
        const folder = join(stored, name.slice(0, 2));
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await renameFile(temporary, pathOf(name));
        await syncFolder(folder);
      } finally {
        await rm(temporary, { force: true });
      }
    },
    close: () => {},
  };
}

async function readdirIfThere(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

function openStore(storage: StorageConfig): ContentPlace {
  const client = clientOf(storage);
  return {
    async *names() {
      for await (const page of listObjects(client, storage.prefix)) yield page.map(({ key }) => key).filter(isBlobName);
    },
    async size(name) {
      const answer = await client.send({ method: 'HEAD', key: name });
      if (answer.status === 404) return undefined;
      if (answer.status !== 200) throw refusal(answer);
      return Number(answer.headers['content-length']);
    },
    async read(name) {
      const answer = await client.read({ method: 'GET', key: name });
      if (answer.statusCode === 200) return answer;
      answer.destroy();
      throw new StorageUnavailable(String(answer.statusCode));
    },
    write: (name, content, bytes) => sendObject(client, name, content, bytes),
    close: client.close,
  };
}
