import { isAbsolute } from 'node:path';
import type { Encoding, MediaFile } from '../../../../shared/api/files.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { CallOutput, EngineCallName, HandledInput } from '../../../../shared/contract/contract.ts';
import type { Download } from '../../../../shared/contract/downloads.ts';
import { getFile, listFiles } from '../../api/files.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { DownloadQueue, type DownloadsOptions } from './download-queue.ts';

type DownloadHandlers = {
  [N in Extract<EngineCallName, `downloads.${string}`>]: (input: HandledInput<N>) => Promise<CallOutput<N>>;
};

export interface Downloads {
  handlers: DownloadHandlers;
  /** All downloads of the session, after each change; at most five times a second. */
  onDidChange(listener: (downloads: Download[]) => void): () => void;
  stop(): Promise<void>;
}

/** Creates the calls about downloads, and the queue that they fill. */
export function createDownloads(options: DownloadsOptions): Downloads {
  const { clientFor } = options;
  const queue = new DownloadQueue(options);
  return {
    handlers: {
      async 'downloads.start'({ siteId, files, folder }) {
        if (!isAbsolute(folder)) throw appError('input.invalid', { message: 'This isn’t the full path of a folder.' });
        const client = clientFor(siteId);
        const found: [mediaId: string, file: MediaFile | Encoding][] = [];
        for (const { mediaId, fileId } of files) {
          const all =
            fileId === null ? await storedOriginals(client, mediaId) : [await getFile(client, mediaId, fileId)];
          found.push(...all.map((file): [string, MediaFile] => [mediaId, file]));
        }
        return { downloads: queue.add(siteId, found, folder) };
      },
      'downloads.list': async () => queue.list(),
      'downloads.pause': async ({ ids }) => ({ changed: await queue.pause(ids) }),
      'downloads.resume': async ({ ids }) => ({ changed: await queue.resume(ids) }),
      'downloads.cancel': async ({ ids }) => ({ changed: await queue.cancel(ids) }),
      'downloads.clear': async () => ({ changed: queue.clear() }),
    },
    onDidChange: (listener) => queue.onDidChange.on(listener),
    stop: () => queue.stop(),
  };
}

/** Returns the originals of an item that the library stores, captions included. Throws `download.no-file` when there is none. */
async function storedOriginals(client: SiteClient, mediaId: string): Promise<MediaFile[]> {
  const files: MediaFile[] = [];
  for await (const file of listFiles(client, mediaId)) {
    const isStored = file.source === null || file.source === 'upload';
    if (isStored && file.status !== 'uploading' && file.status !== 'aborted') files.push(file);
  }
  if (files.length === 0) throw appError('download.no-file', { details: { mediaId } });
  return files;
}
