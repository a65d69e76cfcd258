import { join } from 'node:path';
import type { MediaItem } from '../../shared/api/media.ts';
import { type Admin, createAdmin } from './admin/create-admin.ts';
import { assembleEdits } from './assemble-edits.ts';
import { assembleItemFiles, type ItemFileParts } from './assemble-item-files.ts';
import { assembleLibrary, type LibraryParts } from './assemble-library.ts';
import { assembleUploads } from './assemble-uploads.ts';
import { assembleWatch } from './assemble-watch.ts';
import { Emitter } from './common/emitter.ts';
import { describeItems } from './edits/describe-items.ts';
import type { Edits } from './edits/edits.ts';
import type { EngineBase, LaterParts } from './engine-base.ts';
import { listableCollections } from './library/collections/listable-collections.ts';
import { mediaFactsHandlers } from './media-tags/media-facts-handlers.ts';
import { createLineFiles } from './ports/system/node-line-files.ts';
import { rootsWhileAdding } from './uploads/places/chosen-places.ts';
import type { Uploads } from './uploads/uploads.ts';
import type { Watch } from './watch/watch.ts';

/** The parts of an engine. */
export interface EngineParts extends LibraryParts, ItemFileParts {
  uploads: Uploads;
  watch: Watch;
  edits: Edits;
  admin: Admin;
  mediaFactsCalls: ReturnType<typeof mediaFactsHandlers>;
  newCollectionChanges: LaterParts['newCollectionChanges'];
}

/**
 * Creates the parts of an engine. Their order is that of their lanes in the scheduler: uploads, copies of libraries,
 * watched folders, edits.
 */
export function assembleParts(base: EngineBase): EngineParts {
  const later: LaterParts = {
    edits: () => edits,
    library: () => libraryParts.library,
    mirrors: () => libraryParts.mirrorSync.mirrors,
    newCollectionChanges: new Emitter<string>(),
  };
  const describe = describeItems({
    edits: later.edits,
    collections: (siteId) => listableCollections(later.library(), siteId),
  });
  const uploads = assembleUploads(base, later, describe);
  const libraryParts = assembleLibrary(base, uploads, later);
  const fileParts = assembleItemFiles(base, uploads, libraryParts, later);
  const watch = assembleWatch(base, uploads, describe);
  const edits = assembleEdits(base, uploads, libraryParts);
  const mediaFactsCalls = mediaFactsHandlers({ read: base.mediaFacts, tags: base.tags, rootsOf: rootsWhileAdding });
  const admin = createAdmin({
    accounts: base.accounts,
    clock: base.clock,
    database: base.database,
    logger: base.logger,
    files: createLineFiles(join(base.host.profileDir, 'admin-log')),
    idOf: (collectionId) => edits.ofLibrary.idOf(collectionId),
    onDidChangeAccess: (siteId, collectionId) =>
      libraryParts.library.noteChange({ siteId, collectionId, mediaId: null }),
    beginRead: (siteId) => readOf(siteId, libraryParts),
    async setPicture(siteId, userId, picture) {
      await fileParts.setPersonPicture(siteId, userId, picture);
      libraryParts.thumbnails.forget({ siteId, subject: 'users', id: userId });
    },
  });
  const { newCollectionChanges } = later;
  return { uploads, ...libraryParts, ...fileParts, watch, edits, admin, mediaFactsCalls, newCollectionChanges };
}

/** Returns a function that stores an item, which is read after this call, in the copy of its library and announces it. */
function readOf(siteId: string, { library, mirrorSync: { mirrors } }: LibraryParts): (item: MediaItem) => void {
  const moment = mirrors.readMoment(siteId);
  return (item) => {
    mirrors.put(siteId, item, moment);
    library.noteChange({ siteId, collectionId: null, mediaId: item.id });
  };
}
