// Short forms for tests of watched folders, on a desk (see desk.ts).
import type { EngineHost } from '../../../electron/engine/engine.ts';
import type { FolderEvents } from '../../../electron/engine/ports/folder-events.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import type { WatchedFileRow, WatchedFolder } from '../../../shared/contract/watch.ts';
import { type WatchRules, watchRulesSchema } from '../../../shared/contract/watch-rules.ts';
import { clientFor } from '../service/service-client.ts';
import type { Desk } from './desk.ts';

/** A system that reports no change in any folder: everything is left to the sweep. */
const noEvents: FolderEvents = {
  subscribe(_root, { onReady }) {
    onReady();
    return async () => {};
  },
};

export const WITHOUT_EVENTS: Partial<EngineHost> = { folderEvents: noEvents };

/** Rules that upload everything into the collection of the desk. */
export function rulesFor(
  { siteId, collectionId }: Pick<Desk, 'siteId' | 'collectionId'>,
  changes: Partial<Omit<WatchRules, 'defaults'>> & { settings?: Record<string, unknown> } = {},
): WatchRules {
  const { settings = {}, ...rest } = changes;
  const collection = { kind: 'fixed', collection: { kind: 'id', id: collectionId, name: 'desk' } };
  return watchRulesSchema.parse({ ...rest, defaults: { settings: { siteId, collection, ...settings } } });
}

export async function watchFolder(
  desk: Desk,
  path: string,
  rules: WatchRules = rulesFor(desk),
  sweepEveryMs: number | null = null,
): Promise<WatchedFolder> {
  return desk.engine.call('watch.add', { path, rules, sweepEveryMs });
}

/** Starts the uploads and the watched folders. */
export function startStation(desk: Desk): void {
  desk.engine.startUploads();
  desk.engine.startWatching();
}

/** Rows of all folders under a filter. */
export async function watchedRows(
  desk: Desk,
  filter: 'settling' | 'attention' | 'recent' | 'refused',
): Promise<WatchedFileRow[]> {
  return (await desk.engine.call('watch.files', { folderId: null, filter, offset: 0, limit: 500 })).rows;
}

/** Resolves when the watched folders satisfy `wanted`. */
export async function whenWatched(
  desk: Desk,
  wanted: (folders: WatchedFolder[]) => boolean | Promise<boolean>,
): Promise<void> {
  const check = async () => wanted(await desk.engine.call('watch.list', null));
  if (await check()) return;
  await new Promise<void>((resolve, reject) => {
    const dispose = desk.engine.on('onDidChangeWatch', () => {
      check().then((isMet) => {
        if (!isMet) return;
        dispose();
        resolve();
      }, reject);
    });
  });
}

/** Resolves when a sweep that begins from now on has ended. */
export async function sweepNow(desk: Desk, folderId: string): Promise<void> {
  const find = (folders: WatchedFolder[]) => folders.find(({ id }) => id === folderId);
  const before = find(await desk.engine.call('watch.list', null))?.lastSweepAt ?? null;
  await desk.engine.call('watch.sweepNow', { folderId });
  await whenWatched(desk, (folders) => {
    const folder = find(folders);
    return folder !== undefined && !folder.isSweeping && folder.lastSweepAt !== before;
  });
}

/** Resolves when the first watched folder counts this many files in a state. */
export function whenCounted(desk: Desk, state: keyof WatchedFolder['counts'], wanted: number): Promise<void> {
  return whenWatched(desk, ([folder]) => folder?.counts[state] === wanted);
}

/** The item of the upload of a file, as the library has it. */
export async function itemOfFile(desk: Desk, fileName: string): Promise<MediaItem> {
  const direct = await clientFor(desk.service);
  return (await direct.get(`/api2/media/${(await desk.row(fileName)).mediaId}`)).body as MediaItem;
}

/** The contents of a captions file. */
export const CAPTIONS = 'WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n';
