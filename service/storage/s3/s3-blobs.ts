import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { type Blobs, isBlobName, type ShownAs } from '../blobs.ts';
import type { Scratch } from '../scratch.ts';
import { StorageUnavailable } from '../storage-unavailable.ts';
import { refusal, type S3Client } from './client.ts';
import { createDirectUploads } from './direct-uploads.ts';
import { createS3Sink, PART_BYTES, type S3Sink } from './s3-sink.ts';
import { signedUrl } from './signing.ts';

/** Sizes that are remembered: of content that is read in many ranges. */
const MAX_SIZES = 10_000;
/** The object by which `tryWrite` shows that the store accepts writes. */
const CHECK_KEY = 'check';
const SEND_BYTES = 1024 * 1024;

export interface S3BlobsOptions {
  client: S3Client;
  scratch: Scratch;
  /**
   * Notes that a blob is removed. Its object is deleted days later, so that a database of yesterday, restored from a backup, still
   * finds its objects.
   */
  removeLater(name: string): void;
  /** Whether everyone with the address of content reads it from the store. */
  isRedirected?: boolean;
  /** Whether clients send content to the store. */
  isDirect?: boolean;
  /** Objects above this size are sent in parts; omitted: `PART_BYTES`. */
  smallestPart?: number;
}

/** Blobs in an object store: one object for each, under its name. */
export function createS3Blobs(options: S3BlobsOptions): Blobs {
  const { client, scratch, removeLater, smallestPart = PART_BYTES } = options;
  const sizes = new Map<string, number>();
  const newName = () => randomBytes(16).toString('hex');

  async function read(name: string, { start, end }: { start: number; end: number }): Promise<Readable> {
    const headers = { range: `bytes=${start}-${end}` };
    const answer = await client.read({ method: 'GET', key: keyOf(name), headers });
    const isWhole = start === 0 && Number(answer.headers['content-length']) === end + 1;
    if (answer.statusCode === 206 || (answer.statusCode === 200 && isWhole)) return answer;
    answer.destroy();
    throw new StorageUnavailable(String(answer.statusCode));
  }

  async function size(name: string): Promise<number | undefined> {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const answer = await client.send({ method: 'HEAD', key: keyOf(name) });
    if (answer.status === 404) return undefined;
    const bytes = Number(answer.headers['content-length']);
    if (answer.status !== 200 || !Number.isSafeInteger(bytes)) throw refusal(answer);
    if (sizes.size >= MAX_SIZES) sizes.clear();
    sizes.set(name, bytes);
    return bytes;
  }

  return {
    receive(sizeBytes) {
      const name = newName();
      let sink: S3Sink | undefined;
      let state: 'open' | 'stored' | 'kept' = 'open';
      return {
        open(events) {
          const opened = createS3Sink(client, keyOf(name), sizeBytes, events, smallestPart);
          sink = opened;
          return {
            ...opened,
            async finish() {
              await opened.finish();
              state = 'stored';
            },
          };
        },
        async keep() {
          state = 'kept';
          return name;
        },
        async discard() {
          if (state === 'stored') removeLater(name);
          // Parts that stay, because the store does not answer now, are deleted days later.
          if (state === 'open') await sink?.dropParts().catch(() => {});
        },
      };
    },
    async put(path) {
      const name = newName();
      const { size: bytes } = await stat(path);
      const content = createReadStream(path, { highWaterMark: SEND_BYTES });
      await sendObject(client, keyOf(name), content, bytes, smallestPart);
      await rm(path, { force: true });
      return name;
    },
    size,
    read,
    async local(name, signal) {
      const bytes = await size(name);
      if (bytes === undefined) throw new Error('The content is gone.');
      if ((await scratch.space()).freeBytes < bytes) throw new StorageUnavailable('no room for a temporary copy');
      const path = scratch.path();
      const release = () => rm(path, { force: true });
      try {
        const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
        if (bytes === 0) await finished(target.end());
        else await pipeline(await read(name, { start: 0, end: bytes - 1 }), target, { signal });
        if ((await stat(path)).size !== bytes) throw new StorageUnavailable('connection closed');
        return { path, release };
      } catch (error) {
        await release();
        throw error instanceof StorageUnavailable || signal.aborted ? error : new StorageUnavailable(String(error));
      }
    },
    async remove(name) {
      sizes.delete(name);
      removeLater(name);
    },
    hold: () => async () => {},
    async tryWrite() {
      await scratch.tryWrite();
      const answer = await client.send({ method: 'PUT', key: CHECK_KEY, body: 'check' });
      if (answer.status !== 200) throw refusal(answer);
    },
    space: async () => undefined,
    ...(options.isRedirected === true && {
      redirect: {
        origin: client.place.endpoint,
        address: (name: string, shown: ShownAs) => addressOf(client, name, shown),
      },
    }),
    ...(options.isDirect === true && { direct: createDirectUploads(client) }),
    purge: () => 0,
  };
}

function addressOf({ place }: S3Client, name: string, { contentType, contentDisposition, ttlS }: ShownAs): string {
  const query = {
    'response-content-type': contentType,
    'response-content-disposition': contentDisposition,
    'response-cache-control': 'private, no-store',
  };
  return signedUrl(place, { method: 'GET', key: keyOf(name), query, at: new Date(), expiresS: ttlS });
}

/** Keys are the names; the database knows the rest. */
function keyOf(name: string): string {
  if (!isBlobName(name)) throw new Error('Not the name of a blob.');
  return name;
}

/** Sends content of a known size. */
export async function sendObject(
  client: S3Client,
  key: string,
  content: AsyncIterable<Buffer>,
  bytes: number,
  smallestPart = PART_BYTES,
): Promise<void> {
  let failure: unknown;
  let onRoom = () => {};
  const events = {
    onRoom: () => onRoom(),
    onFail(error: unknown) {
      failure ??= error;
      onRoom();
    },
  };
  const sink = createS3Sink(client, key, bytes, events, smallestPart);
  try {
    sink.begin();
    for await (const chunk of content) {
      const room = new Promise<void>((resolve) => {
        onRoom = resolve;
      });
      if (!sink.write(chunk)) await room;
      if (failure !== undefined) throw failure;
    }
    await sink.finish();
    if (failure !== undefined) throw failure;
  } catch (error) {
    await sink.abandon();
    // See `discard`.
    await sink.dropParts().catch(() => {});
    throw error;
  }
}
