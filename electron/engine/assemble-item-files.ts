import { join } from 'node:path';
import type { LibraryParts } from './assemble-library.ts';
import type { EngineBase, LaterParts } from './engine-base.ts';
import { createFileChanges, type FileChanges } from './item-files/file-changes.ts';
import { createThumbnailOf } from './item-files/thumbnail-of.ts';
import { createContentCalls, type ItemContents, TTL_SECONDS } from './library/files/content-calls.ts';
import { DownloadParts } from './library/files/download-parts.ts';
import { createDownloads, type Downloads } from './library/files/downloads.ts';
import { createNodeOutbox } from './ports/system/node-outbox.ts';
import { nodePartFiles } from './ports/system/node-part-files.ts';
import type { Uploads } from './uploads/uploads.ts';

export interface ItemFileParts {
  itemContents: ItemContents;
  fileChanges: FileChanges;
  downloads: Downloads;
}

/**
 * Creates the parts for the files of items: `itemContents` plays and shows them, `fileChanges` changes them through the
 * upload queue, `downloads` saves them on this computer.
 */
export function assembleItemFiles(
  base: EngineBase,
  uploads: Uploads,
  { library, thumbnails }: LibraryParts,
  later: LaterParts,
): ItemFileParts {
  const { host, accounts, clock, random, logger, userAgent } = base;
  const { clientFor } = accounts;
  const ttlSeconds = host.contentTtlSeconds ?? TTL_SECONDS;
  const itemContents = createContentCalls({
    accounts,
    clock,
    userAgent,
    ttlSeconds,
    onChanged: (change) => library.noteChange(change),
    edits: () => later.edits().ofLibrary,
  });
  const fileChanges = createFileChanges({
    clock,
    random,
    logger,
    userAgent,
    ttlSeconds,
    clientFor,
    files: base.files,
    outbox: createNodeOutbox(join(host.profileDir, 'outbox')),
    thumbnailOf: createThumbnailOf({ clientFor, thumbnails, userAgent, logger }),
    itemOf: (siteId, mediaId) => library.handlers['library.media']({ siteId, mediaId }),
    collectionOf: (siteId, collectionId) => library.handlers['library.collectionDetail']({ siteId, collectionId }),
    uploads: {
      addToItem: uploads.addToItem,
      openAdditions: uploads.openAdditions,
      get: (id) => uploads.rows.store.get(id),
      onDidChange: (listener) => uploads.rows.journal.onDidChange.on(({ after }) => listener(after)),
    },
  });
  const downloads = createDownloads({
    clock,
    random,
    userAgent,
    ttlSeconds,
    clientFor,
    mover: base.mover,
    parts: new DownloadParts(base.database, nodePartFiles, random),
    knownSha256: (siteId, fileId) => uploads.rows.store.sha256Of(siteId, fileId),
  });
  return { itemContents, fileChanges, downloads };
}
