import type { FolderRecord } from '../../../electron/engine/watch/rows/folder-store.ts';
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
