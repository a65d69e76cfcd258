import type { Copies } from '../../../electron/engine/library/create-library.ts';

/** For a library without copies on this computer: it reads everything from the service. */
export const noCopies: Copies = {
  mirrors: {
    status: () => ({ phase: 'none', items: 0, total: null, syncedAt: null }),
    window: () => null,
    count: () => null,
    captionsUnknown: () => 0,
    ids: () => null,
    tags: () => [],
    items: () => new Map(),
    collections: () => null,
    syncWrites: () => 0,
    put: () => {},
    putRelated: () => {},
    noteCaptions: () => {},
    putCollections: () => {},
    putCollection: () => {},
    collectionDetail: () => null,
    removeCollection: () => {},
    remove: () => {},
    setOverlay: () => {},
    overlaid: () => [],
    onDidRebuild: () => () => {},
  },
  syncs: { freshen: async () => {}, passSoon: () => {} },
};
