import { join } from 'node:path';
import type { EngineBase, LaterParts } from './engine-base.ts';
import { createLibrary, type Library } from './library/create-library.ts';
import { createSavedSearches, type SavedSearches } from './library/saved-searches.ts';
import { THUMBNAIL_LIMITS } from './library/thumbnails/fetch-thumbnail.ts';
import { createThumbnailCache, THUMBNAIL_CACHE_BYTES } from './library/thumbnails/thumbnail-cache.ts';
import { createThumbnails, type Thumbnails } from './library/thumbnails/thumbnails.ts';
import { waveformHandlers } from './library/waveforms/waveforms.ts';
import { createMirrorSync, type MirrorSync } from './mirror/sync/create-mirror-sync.ts';
import { createCacheFolder } from './ports/system/node-cache-folder.ts';
import { SettingStore } from './store/setting-store.ts';
import type { Uploads } from './uploads/uploads.ts';

export interface LibraryParts {
  thumbnails: Thumbnails;
  waveforms: ReturnType<typeof waveformHandlers>;
  mirrorSync: MirrorSync;
  library: Library;
  searches: SavedSearches;
}

/**
 * Creates the parts that read the libraries of the accounts: their mirrors on this computer, the calls about them, thumbnails.
 */
export function assembleLibrary(base: EngineBase, uploads: Uploads, later: LaterParts): LibraryParts {
  const { host, accounts, clock, random, logger } = base;
  const { profileDir } = host;
  const cache = createThumbnailCache({
    folder: createCacheFolder(join(profileDir, 'thumbnails')),
    limitBytes: host.thumbnailCacheBytes ?? THUMBNAIL_CACHE_BYTES,
    clock,
  });
  const thumbnails = createThumbnails({
    accounts,
    clock,
    logger,
    cache,
    userAgent: base.userAgent,
    limits: THUMBNAIL_LIMITS,
  });
  const waveforms = waveformHandlers({ cache, mayUse: thumbnails.mayUse, logger });
  const mirrorSync = createMirrorSync({
    profileDir,
    accounts,
    clock,
    logger,
    failpoints: base.failpoints,
    scheduler: base.scheduler,
    breakers: base.breakers,
    probe: base.probe,
    onDidComeBack: (listener) => uploads.queue.onDidComeBack(listener),
    // The library reads the mirrors; a pass that finds changes clears the library's caches.
    onDidChangeLibrary: (siteId) => library.noteSync(siteId),
    hasEdits: (siteId, mediaId) => later.edits().hasOpen(siteId, mediaId),
  });
  const library = createLibrary({
    accounts,
    clock,
    mirrors: mirrorSync.mirrors,
    syncs: mirrorSync.syncs,
    edits: () => later.edits().ofLibrary,
    showPlayer: async (player) => host.players?.show(player, base.network.browser),
  });
  const texts = new SettingStore(base.database);
  const searches = createSavedSearches({ texts, accounts, mirrors: mirrorSync.mirrors, random, logger });
  return { thumbnails, waveforms, mirrorSync, library, searches };
}
