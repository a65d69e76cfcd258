import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';
import { type Blobs, isBlobName, type ShownAs } from '../blobs.ts';
import type { Scratch } from '../scratch.ts';
import { StorageUnavailable } from '../storage-unavailable.ts';
import { refusal, type S3Client } from './client.ts';
import { createDirectUploads } from './direct-uploads.ts';
import { createNamesUnderWay, type NamesUnderWay } from './names-under-way.ts';
import { readObject } from './read-object.ts';
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
  removeLater(name: string): Promise<void>;
  /** Notes the names of blobs until rows have them; omitted: nothing else needs to know. */
  underWay?: NamesUnderWay;
  /** Whether everyone with the address of content reads it from the store. */
  isRedirected?: boolean;
  /** Whether clients send content to the store. */
  isDirect?: boolean;
  /** Objects above this size are sent in parts; omitted: `PART_BYTES`. */
  smallestPart?: number;
}

/** Blobs in an object store: one object for each, under its name. */
export function createS3Blobs(options: S3BlobsOptions): Blobs {
  const { client, scratch, removeLater, smallestPart = PART_BYTES, underWay = createNamesUnderWay() } = options;
  const sizes = new Map<string, number>();

  const read = (name: string, range: { start: number; end: number }) => readObject(client, keyOf(name), range);

  async function size(name: string, signal?: AbortSignal): Promise<number | undefined> {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const answer = await client.send({ method: 'HEAD', key: keyOf(name), signal });
    if (answer.status === 404) return undefined;
    const bytes = Number(answer.headers['content-length']);
    if (answer.status !== 200 || !Number.isSafeInteger(bytes)) throw refusal(answer);
    if (sizes.size >= MAX_SIZES) sizes.clear();
    sizes.set(name, bytes);
    return bytes;
  }

  return {
    receive(sizeBytes) {
      const name = underWay.make(true);
      let sink: S3Sink | undefined;
      let isKept = false;
      return {
        open(events) {
          sink = createS3Sink(client, keyOf(name), sizeBytes, events, smallestPart);
          return sink;
        },
        async keep() {
          isKept = true;
          return name;
        },
        async discard() {
          // What stays, because the store does not answer now, is deleted days later.
          if (!isKept) await sink?.drop().catch(() => {});
          underWay.end(name);
        },
      };
    },
    async put(path) {
      const name = underWay.make();
      const { size: bytes } = await stat(path);
      const content = createReadStream(path, { highWaterMark: SEND_BYTES });
      await sendObject(client, keyOf(name), content, bytes, smallestPart);
      await rm(path, { force: true });
      return name;
    },
    size: (name) => size(name),
    read,
    async local(name, signal) {
      const bytes = await size(name, signal);
      if (bytes === undefined) {
        const bucket = await client.send({ method: 'HEAD', key: '', signal });
        if (bucket.status !== 200) throw refusal(bucket);
        throw new Error('The content is gone.');
      }
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
      await removeLater(name);
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
    // What was sent when the configuration permitted it is taken also later.
    direct: createDirectUploads({ client, underWay, removeLater, isOffered: options.isDirect === true }),
    // The object `owner` says whose content it is.
    hasContent: () => false,
    purge: () => 0,
  };
}

function addressOf({ place }: S3Client, name: string, { contentType, contentDisposition, ttlS }: ShownAs): string {
  const query = {
    'response-content-type': contentType,
    'response-content-disposition': contentDisposition,
    'response-cache-control': 'private, no-store',
  };
  return signedUrl(place, {
    method: 'GET',
    key: keyOf(name),
    query,
    at: new Date(),
    expiresS: ttlS,
  });
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
    await sink.drop().catch(() => {});
    throw error;
  }
}
