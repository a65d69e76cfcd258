import { isAbsolute } from 'node:path';
import type { Encoding, MediaFile } from '../../../../shared/api/files.ts';
import { appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { CallOutput, EngineCallName, HandledInput } from '../../../../shared/contract/contract.ts';
import type { Download } from '../../../../shared/contract/downloads.ts';
import { downloadName } from '../../../../shared/model/download-name.ts';
import { getFile, listFiles } from '../../api/files.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { Emitter } from '../../common/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { type DownloadTools, downloadFile } from './download-file.ts';

type DownloadHandlers = {
  [N in Extract<EngineCallName, `downloads.${string}`>]: (input: HandledInput<N>) => Promise<CallOutput<N>>;
};

export interface Downloads {
  handlers: DownloadHandlers;
  /** All downloads of the session, after each change; at most five times a second. */
  onDidChange(listener: (downloads: Download[]) => void): () => void;
  stop(): Promise<void>;
}

export interface DownloadsOptions extends DownloadTools {
  clock: Clock;
  random: Random;
  clientFor(siteId: string): SiteClient;
  /** The SHA-256 of a file that was uploaded from this computer; null when it is unknown. */
  knownSha256(siteId: string, fileId: string): string | null;
}

interface Entry {
  row: Download;
  folder: string;
  sha256: string | null;
  part: string | null;
  controller: AbortController | null;
  /** Settles when the running attempt has ended. */
  work: Promise<void>;
}

const MAX_RUNNING = 3;
const ANNOUNCE_EVERY_MS = 200;
const ENDED: ReadonlySet<Download['state']> = new Set(['complete', 'failed', 'cancelled']);

export function createDownloads(options: DownloadsOptions): Downloads {
  const { clock, random, clientFor, knownSha256 } = options;
  const entries = new Map<string, Entry>();
  const changed = new Emitter<Download[]>();
  let announcement: (() => void) | null = null;
  let isStopped = false;

  const list = () => [...entries.values()].map(({ row }) => row);

  function announce(): void {
    if (isStopped) return;
    announcement ??= clock.schedule(ANNOUNCE_EVERY_MS, () => {
      announcement = null;
      changed.emit(list());
    });
  }

  function update(entry: Entry, change: Partial<Download>): void {
    entry.row = { ...entry.row, ...change };
    announce();
  }

  function startNext(): void {
    let running = [...entries.values()].filter(({ row }) => row.state === 'running').length;
    for (const entry of entries.values()) {
      if (isStopped || running >= MAX_RUNNING) return;
      if (entry.row.state !== 'queued') continue;
      running += 1;
      entry.work = run(entry);
    }
  }

  async function run(entry: Entry): Promise<void> {
    const controller = new AbortController();
    entry.controller = controller;
    update(entry, { state: 'running', error: null });
    const { siteId, mediaId, fileId, name } = entry.row;
    try {
      const { path, sizeBytes, sha256 } = await downloadFile(
        {
          ...{ ref: { client: clientFor(siteId), mediaId, fileId }, folder: entry.folder, name, sha256: entry.sha256 },
          signal: controller.signal,
          onProgress: (doneBytes, totalBytes) => update(entry, { doneBytes, totalBytes }),
          onPart: (part) => {
            entry.part = part;
          },
        },
        options,
      );
      update(entry, {
        state: 'complete',
        path,
        doneBytes: sizeBytes,
        totalBytes: sizeBytes,
        isVerified: sha256 !== null,
      });
    } catch (error) {
      // A pause and a cancel have set the state already.
      if (!controller.signal.aborted) update(entry, { state: 'failed', error: toAppError(error).toData() });
    } finally {
      if (entry.controller === controller) entry.controller = null;
      startNext();
    }
  }

  /** Ends the running attempt, and waits until it has closed its file. */
  async function interrupt(entry: Entry, state: 'paused' | 'cancelled'): Promise<void> {
    update(entry, { state, error: null });
    entry.controller?.abort(new Error(state));
    await entry.work;
  }

  async function eachOf(ids: readonly string[], change: (entry: Entry) => Promise<boolean>) {
    let count = 0;
    for (const id of ids) {
      const entry = entries.get(id);
      if (entry !== undefined && (await change(entry))) count += 1;
    }
    startNext();
    return { changed: count };
  }

  function add(siteId: string, mediaId: string, file: MediaFile | Encoding, folder: string): Download {
    const { id: fileId, display_name, container, size } = file;
    const row: Download = {
      ...{ id: random.uuid(), siteId, mediaId, fileId, name: downloadName(display_name, container), path: null },
      ...{ doneBytes: 0, totalBytes: size, state: 'queued', isVerified: false, error: null },
    };
    const sha256 = knownSha256(siteId, fileId);
    entries.set(row.id, { row, folder, sha256, part: null, controller: null, work: Promise.resolve() });
    return row;
  }

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
        const rows = found.map(([mediaId, file]) => add(siteId, mediaId, file, folder));
        startNext();
        announce();
        return { downloads: rows };
      },

      'downloads.list': async () => list(),

      'downloads.pause': ({ ids }) =>
        eachOf(ids, async (entry) => {
          if (entry.row.state !== 'running' && entry.row.state !== 'queued') return false;
          await interrupt(entry, 'paused');
          return true;
        }),

      'downloads.resume': ({ ids }) =>
        eachOf(ids, async (entry) => {
          if (entry.row.state !== 'paused' && entry.row.state !== 'failed') return false;
          update(entry, { state: 'queued', error: null });
          return true;
        }),

      'downloads.cancel': ({ ids }) =>
        eachOf(ids, async (entry) => {
          if (entry.row.state === 'complete' || entry.row.state === 'cancelled') return false;
          await interrupt(entry, 'cancelled');
          if (entry.part !== null) await options.parts.remove(entry.part);
          return true;
        }),

      async 'downloads.clear'() {
        const ended = [...entries.values()].filter(({ row }) => ENDED.has(row.state));
        for (const { row } of ended) entries.delete(row.id);
        announce();
        return { changed: ended.length };
      },
    },

    onDidChange: (listener) => changed.on(listener),

    async stop() {
      isStopped = true;
      announcement?.();
      for (const { controller } of entries.values()) controller?.abort(new Error('the engine stops'));
      await Promise.all([...entries.values()].map(({ work }) => work));
    },
  };
}

/** The originals of an item that the library stores, captions included. Throws `download.no-file` without any. */
async function storedOriginals(client: SiteClient, mediaId: string): Promise<MediaFile[]> {
  const files: MediaFile[] = [];
  for await (const file of listFiles(client, mediaId)) {
    const isStored = file.source === null || file.source === 'upload';
    if (isStored && file.status !== 'uploading' && file.status !== 'aborted') files.push(file);
  }
  if (files.length === 0) throw appError('download.no-file', { details: { mediaId } });
  return files;
}
