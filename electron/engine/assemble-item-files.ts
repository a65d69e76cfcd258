import { join } from 'node:path';
import { finishUpload } from './api/completion.ts';
import type { LibraryParts } from './assemble-library.ts';
import { formSender } from './assemble-uploads.ts';
import type { EngineBase, LaterParts } from './engine-base.ts';
import { createFileChanges, type FileChanges } from './item-files/file-changes.ts';
import { type PersonPictureTools, personPictures, type SetPersonPicture } from './item-files/person-picture.ts';
import { createThumbnailOf } from './item-files/thumbnail-of.ts';
import { createContentCalls, type ItemContents, TTL_SECONDS } from './library/files/content-calls.ts';
import { DownloadParts } from './library/files/download-parts.ts';
import { createDownloads, type Downloads } from './library/files/downloads.ts';
import { createNodeOutbox } from './ports/system/node-outbox.ts';
import { nodePartFiles } from './ports/system/node-part-files.ts';
import { UploadConnections } from './uploads/delivery/upload-connections.ts';
import type { Uploads } from './uploads/uploads.ts';

export interface ItemFileParts {
  itemContents: ItemContents;
  fileChanges: FileChanges;
  downloads: Downloads;
  setPersonPicture: SetPersonPicture;
}

/**
 * Creates the parts for the files of items: `itemContents` plays and shows them, `fileChanges` changes them through the
 * upload queue, `downloads` saves them on this computer.
 */
export function assembleItemFiles(
  base: EngineBase,
  uploads: Uploads,
  { library, thumbnails, mirrorSync: { mirrors } }: LibraryParts,
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
  const outbox = createNodeOutbox(join(host.profileDir, 'outbox'));
  const fileChanges = createFileChanges({
    clock,
    random,
    logger,
    userAgent,
    ttlSeconds,
    clientFor,
    files: base.files,
    outbox,
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
    titleOf: (siteId, mediaId) => mirrors.storedItems(siteId, [mediaId]).get(mediaId)?.().title ?? null,
  });
  const setPersonPicture = personPictures({ clientFor, files: base.files, outbox, random, send: pictureSender(base) });
  return { itemContents, fileChanges, downloads, setPersonPicture };
}

/** Returns the function that sends a picture without a pause, a limit of its speed or progress. */
function pictureSender(base: EngineBase): PersonPictureTools['send'] {
  const { clock, random, files, network } = base;
  const sendForm = formSender(base);
  return async (client, destination, { path, fileName, contentType }) => {
    const connections = new UploadConnections(network.connections);
    const file = await files.open(path);
    try {
      const { sizeBytes, mtimeMs } = await file.facts();
      await sendForm({
        url: new URL(destination.upload_url),
        fields: destination.upload_post_params,
        fileParam: destination.upload_file_param,
        fileName,
        contentType,
        file,
        expected: { sizeBytes, mtimeMs },
        hash: false,
        gate: { pass: async (wanted) => wanted, isHeld: () => false },
        signal: new AbortController().signal,
        onProgress: () => {},
        clock,
        random,
        connections,
      });
      if (destination.postprocess_url) await finishUpload(client, destination.postprocess_url);
    } finally {
      await file.close();
      connections.close();
    }
  };
}
