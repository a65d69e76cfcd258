import type { SyncedMirrors } from '../../../electron/engine/library/create-library.ts';

/** For a library without mirrors: it reads everything from the service. */
export const noMirrors: SyncedMirrors = {
  mirrors: {
    status: () => ({ phase: 'none', items: 0, total: null, syncedAt: null }),
    window: () => null,
    count: () => null,
    captionsUnknown: () => 0,
    ids: () => null,
    version: () => 0,
    tags: () => [],
    items: () => new Map(),
    files: () => null,
    storedItems: () => new Map(),
    collections: () => null,
    readMoment: () => ({ moment: 0, syncWrites: 0 }),
    put: (_siteId, item) => item,
    putRelated: () => {},
    noteCaptions: () => {},
    putCollections: () => {},
    collectionMoment: () => 0,
    putCollection: () => true,
    collectionDetail: () => null,
    removeCollection: () => {},
    remove: () => {},
    setOverlay: () => {},
    overlaid: () => [],
    onDidRebuild: () => () => {},
  },
  syncs: { freshen: async () => {}, passSoon: () => {}, passNow: () => {} },
};
