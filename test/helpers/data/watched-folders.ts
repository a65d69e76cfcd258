import type { FolderRecord } from '../../../electron/engine/watch/rows/folder-store.ts';
import type { NewWatchedFile } from '../../../electron/engine/watch/rows/watched-file.ts';
import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import { type FolderSettings, type WatchRules, watchRulesSchema } from '../../../shared/contract/watch-rules.ts';

/** Rules that upload everything to one collection. */
export function plainRules(settings: Partial<FolderSettings> = {}, change: Partial<WatchRules> = {}): WatchRules {
  const collection = { kind: 'fixed', collection: { kind: 'id', id: 'c1', name: 'Optics' } } as const;
  return { ...watchRulesSchema.parse({ defaults: { settings: { siteId: 's', collection, ...settings } } }), ...change };
}

/** A watched folder as the store keeps it: its first sweep was done. */
export function folderRecord(rules: WatchRules = plainRules()): FolderRecord {
  return {
    id: 'f1',
    root: '/recordings',
    volume: 'v',
    volumeName: 'V',
    place: '',
    rootId: '1',
    rules,
    isPaused: false,
    sweepEveryMs: null,
    sweepOnly: null,
    misses: 0,
    baseline: 'done',
    lastSweepAt: null,
    numbered: 0,
    addedAt: 1,
  };
}

/** A file of `folderRecord` that settles, with the given changes. */
export function newWatchedFile(changes: Partial<NewWatchedFile> & Pick<NewWatchedFile, 'path'>): NewWatchedFile {
  return {
    folderId: 'f1',
    kind: 'file',
    fileId: '1:1',
    sizeBytes: 9,
    mtimeMs: 1,
    number: 0,
    isExisting: false,
    isForced: false,
    state: 'settling',
    history: null,
    dueAt: null,
    readyAt: null,
    firstSeenAt: 1,
    unchangedSince: 1,
    edgeHash: null,
    reason: null,
    outcome: null,
    described: null,
    uploadId: null,
    handledAt: null,
    goneAt: null,
    ctimeMs: null,
    ...changes,
  };
}

const NO_FILES = { settling: 0, waiting: 0, incomplete: 0, refused: 0, attached: 0, queued: 0, done: 0 };

/** A watched folder as a screen gets it, without files. `counts`: those that are not zero. */
export function watchedFolder(
  change: Partial<Omit<WatchedFolder, 'counts'>> & { counts?: Partial<WatchedFolder['counts']> } = {},
): WatchedFolder {
  return {
    id: 'f1',
    root: '/rec/Lectures',
    name: 'Lectures',
    driveName: 'this computer',
    rules: plainRules(),
    state: 'watching',
    isSweeping: false,
    notice: null,
    movedTo: null,
    lastSweepAt: null,
    nextSweepAt: null,
    sweepEveryMs: null,
    addedAt: 0,
    unsent: 0,
    ...change,
    counts: { ...NO_FILES, ...change.counts },
  };
}
