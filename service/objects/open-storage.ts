import { readMeta, writeMeta } from '../database/meta.ts';
import type { Store } from '../database/store.ts';
import type { Log, Site } from '../site/site.ts';
import { ON_DISK, placeOf, STORAGE_KEY, type StorageConfig, secretKeyOf } from '../site/storage-settings.ts';
import { openDiskBlobs } from '../storage/disk-blobs.ts';
import { createS3Client, type S3Client } from '../storage/s3/client.ts';
import { createNamesUnderWay } from '../storage/s3/names-under-way.ts';
import { createS3Blobs } from '../storage/s3/s3-blobs.ts';
import { openScratch } from '../storage/scratch.ts';
import type { StorageUnavailable } from '../storage/storage-unavailable.ts';
import { createObjectSweep, OWNER_KEY } from './sweep-objects.ts';

export interface OpenStorage extends Pick<Site, 'blobs' | 'scratch'> {
  /** Begins to delete objects that are due; does nothing most of the time, and while it does so. */
  sweep(): void;
  /** Ends the sweep. */
  endSweep(): Promise<void>;
  close(): void;
}

interface StorageOptions {
  dataDir: string;
  storage: StorageConfig | undefined;
  store: Store;
  /** The public address of the library, if it is known before the start. */
  baseUrl: string | undefined;
  /** The epoch of the library. */
  epoch: string;
  /** Whether the objects of another library, or of another state of this one, belong to this one from now on. */
  takesStorage: boolean;
  /** Epoch ms, by the clock of the service. */
  now: () => number;
  log: Log;
}

/**
 * Opens the storage that the configuration names. Throws an error with a sentence for the operator when the library has its content
 * elsewhere, when the object store can't be used, and when the objects belong to another library.
 */
export async function openStorage(options: StorageOptions): Promise<OpenStorage> {
  const { dataDir, storage, store } = options;
  await checkPlace(store, storage);
  checkOrigin(storage, options.baseUrl);
  const scratch = openScratch(dataDir);
  if (storage === undefined) {
    const blobs = await openDiskBlobs(dataDir, scratch);
    return { scratch, blobs, sweep: () => {}, endSweep: async () => {}, close: () => {} };
  }
  const client = clientOf(storage);
  try {
    await claim(client, storage, options);
  } catch (error) {
    client.close();
    throw error;
  }
  const removeLater = async (name: string): Promise<void> => {
    await store.run(
      'INSERT INTO removed_blobs (name, removed_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
      name,
      options.now(),
    );
  };
  const underWay = createNamesUnderWay();
  return {
    scratch,
    blobs: createS3Blobs({
      client,
      scratch,
      removeLater,
      underWay,
      isRedirected: storage.content === 'redirected',
      isDirect: storage.uploads === 'direct',
    }),
    ...sweepInTurn({ ...options, client, prefix: storage.prefix, underWay, keepDays: storage.keep_removed_days }),
    close: client.close,
  };
}

/** Creates the client of an object store; call its `close`. */
export function clientOf(storage: StorageConfig): S3Client {
  const { endpoint, bucket, prefix, region, access_key: accessKey } = storage;
  const { origin } = new URL(endpoint);
  return createS3Client({ endpoint: origin, bucket, prefix, region, accessKey, secretKey: secretKeyOf(storage) });
}

/** Beside the other work of the service: a store that does not answer delays nothing else. */
function sweepInTurn(
  options: Omit<Parameters<typeof createObjectSweep>[0], 'signal'>,
): Pick<OpenStorage, 'sweep' | 'endSweep'> {
  const ending = new AbortController();
  const work = createObjectSweep({ ...options, signal: ending.signal });
  let sweeping: Promise<void> | undefined;
  return {
    sweep() {
      sweeping ??= options.store
        .exclusively('sweep-objects', async () => void (await work()))
        .catch((error) => {
          if (!ending.signal.aborted) options.log('objects could not be deleted', { error: String(error) });
        })
        .finally(() => {
          sweeping = undefined;
        });
    },
    async endSweep() {
      ending.abort();
      await sweeping;
    },
  };
}

/** Another place would have none of the content: moving it is a command of its own. */
async function checkPlace(store: Store, storage: StorageConfig | undefined): Promise<void> {
  const known = await readMeta(store, STORAGE_KEY);
  const hasContent =
    (await store.get('SELECT 1 FROM files WHERE stored_name IS NOT NULL UNION SELECT 1 FROM thumbs')) !== undefined;
  const before = known ?? (hasContent ? ON_DISK : undefined);
  const place = placeOf(storage);
  if (before !== undefined && before !== place && hasContent) {
    throw new Error(
      `The content of this library is in another place (${before}) than the configuration says (${place}).`,
    );
  }
  if (known !== place) await writeMeta(store, STORAGE_KEY, place);
}

/** Content that a browser shows must not come from the host of the library: its cookies count for all ports. */
function checkOrigin(storage: StorageConfig | undefined, baseUrl: string | undefined): void {
  if (storage?.content !== 'redirected' || baseUrl === undefined) return;
  if (new URL(storage.endpoint).hostname === new URL(baseUrl).hostname) {
    throw new Error('With redirected content, the object store must be on another host than the library.');
  }
}

/** Makes sure that the objects are those of this library, and that the store accepts requests. */
export async function claim(
  client: S3Client,
  storage: StorageConfig,
  { epoch, takesStorage, log }: Pick<StorageOptions, 'epoch' | 'takesStorage' | 'log'>,
): Promise<void> {
  const at = `${new URL(storage.endpoint).origin}/${storage.bucket}/${storage.prefix}`;
  const cant = (reason: string) => new Error(`The object store ${at} can't be used: ${reason}`);
  const answer = await client.send({ method: 'GET', key: OWNER_KEY }).catch((error: StorageUnavailable) => {
    throw cant(`it does not answer (${error.code}).`);
  });
  const code = /<Code>(\w{1,60})<\/Code>/.exec(answer.text.slice(0, 2000))?.[1] ?? '';
  const isFree = answer.status === 404 && code !== 'NoSuchBucket';
  if (answer.status !== 200 && !isFree) throw cant(`it answers ${answer.status} ${code}.`);
  const owner = isFree ? undefined : answer.text;
  if (owner === epoch) return;
  if (owner !== undefined && !takesStorage) {
    throw cant(
      'its objects belong to another library, or to another state of this one. If nothing else uses them, start once with --take-storage.',
    );
  }
  const written = await client.send({ method: 'PUT', key: OWNER_KEY, body: epoch });
  if (written.status !== 200) throw cant(`it answers ${written.status} to a write.`);
  if (owner !== undefined) log('took the objects of another library');
}
