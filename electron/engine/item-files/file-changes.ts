import { appError } from '../../../shared/contract/app-error.ts';
import type { CollectionDetail } from '../../../shared/contract/collections.ts';
import type { CallOutput, HandledInput } from '../../../shared/contract/contract.ts';
import type { ThumbnailPicture } from '../../../shared/contract/file-calls.ts';
import type { MediaDetail } from '../../../shared/contract/library.ts';
import type { AddUploadsOutput, UploadRow } from '../../../shared/contract/uploads.ts';
import { MAX_CAPTIONS_BYTES } from '../../../shared/formats/captions/read-captions.ts';
import { captionFileName } from '../../../shared/model/caption-name.ts';
import { isLocalId } from '../../../shared/model/edits/collection-ops.ts';
import { splitFileName } from '../../../shared/model/title-template.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import { getFile } from '../api/files.ts';
import type { SiteClient } from '../api/http-client.ts';
import { checkCaptions } from '../common/check-captions.ts';
import { type ContentTools, openContent } from '../library/files/open-content.ts';
import type { Files } from '../ports/files.ts';
import type { Logger } from '../ports/logger.ts';
import type { Outbox } from '../ports/outbox.ts';
import type { Random } from '../ports/random.ts';
import type { AdditionRequest, NewAddition } from '../uploads/adding/add-to-item.ts';
import { captionsFacts, captionsOf, fitting, pictureFacts, pictureHeader } from './check-files.ts';
import type { ThumbnailOf } from './thumbnail-of.ts';

type ChangeCalls =
  | 'files.add'
  | 'files.replace'
  | 'files.additions'
  | 'files.checkCaptions'
  | 'files.addCaptions'
  | 'files.renameCaptions'
  | 'files.checkPicture'
  | 'files.setThumbnail'
  | 'files.setCollectionThumbnail';

type ChangeHandlers = {
  [N in ChangeCalls]: (input: HandledInput<N>) => Promise<CallOutput<N>>;
};

/** Changes of the files of items that go through the upload queue. */
export interface FileChanges {
  handlers: ChangeHandlers;
  /** Removes files of the outbox whose uploads have ended. Called at the start. */
  tidy(): Promise<void>;
  stop(): void;
}

export interface FileChangeTools extends ContentTools {
  uploads: {
    addToItem(request: AdditionRequest): Promise<AddUploadsOutput>;
    openAdditions(siteId: string, mediaId: string): UploadRow[];
    get(id: string): Upload | null;
    /** Called after each change of an upload. */
    onDidChange(listener: (upload: Upload) => void): () => void;
  };
  files: Files;
  outbox: Outbox;
  random: Random;
  logger: Logger;
  clientFor(siteId: string): SiteClient;
  thumbnailOf: ThumbnailOf;
  /** The item as the library has it, or its copy on this computer. */
  itemOf(siteId: string, mediaId: string): Promise<MediaDetail>;
  /** The collection as the user sees it, with pending edits. */
  collectionOf(siteId: string, collectionId: string): Promise<CollectionDetail>;
}

/** Wires the changes of files, and removes files of the outbox when their uploads have ended. */
export function createFileChanges(tools: FileChangeTools): FileChanges {
  const { uploads, files, outbox, random, logger, clientFor, itemOf, collectionOf, thumbnailOf } = tools;

  async function add(
    siteId: string,
    mediaId: string,
    wanted: NewAddition[],
    ids?: string[],
  ): Promise<AddUploadsOutput> {
    const { item, collectionName } = await itemOf(siteId, mediaId);
    const { id, title, collection_id: collectionId } = item;
    return uploads.addToItem({
      siteId,
      item: { id, title, collectionId, collectionName: collectionName ?? '' },
      files: wanted,
      ...(ids === undefined ? {} : { ids }),
    });
  }

  /** Stores bytes in the outbox, and queues them with `queue`. */
  async function queueBytes(
    bytes: Uint8Array,
    ending: string,
    queue: (path: string, id: string) => Promise<AddUploadsOutput>,
  ): Promise<AddUploadsOutput> {
    const id = random.uuid();
    const path = await outbox.put(id, bytes, ending);
    try {
      return await queue(path, id);
    } catch (error) {
      await outbox.remove(id);
      throw error;
    }
  }

  /** Queues a picture. Throws as `files.checkPicture`. */
  async function queuePicture(
    picture: ThumbnailPicture,
    queue: (file: Omit<NewAddition, 'addition'>, ids?: string[]) => Promise<AddUploadsOutput>,
  ): Promise<AddUploadsOutput> {
    if ('path' in picture) {
      const facts = await pictureFacts(files, picture.path);
      fitting(facts, facts.sizeBytes);
      return queue({ path: picture.path });
    }
    const { contentType } = fitting(pictureHeader(picture.bytes), picture.bytes.length);
    const ending = endingOf(contentType);
    const fileName = `${splitFileName(picture.name).stem}${ending}`;
    return queueBytes(picture.bytes, ending, (path, id) => queue({ path, fileName }, [id]));
  }

  /** Queues the thumbnail of a collection. Throws `collection.not-created-yet`. */
  async function addToCollection(
    siteId: string,
    collectionId: string,
    file: Omit<NewAddition, 'addition'>,
    ids?: string[],
  ): Promise<AddUploadsOutput> {
    const { collection } = await collectionOf(siteId, collectionId);
    if (isLocalId(collection.id)) throw appError('collection.not-created-yet', { details: { collectionId } });
    const { id, display_name: name } = collection;
    return uploads.addToItem({
      siteId,
      item: { id: null, title: name, collectionId: id, collectionName: name },
      files: [{ ...file, addition: { kind: 'thumbnail', of: 'collection' } }],
      ...(ids === undefined ? {} : { ids }),
    });
  }

  /** Returns the name of a file of an item, for history; its id if the name can't be read now. */
  async function nameOf(siteId: string, mediaId: string, fileId: string): Promise<string> {
    const { files: known } = await itemOf(siteId, mediaId);
    return known.find(({ id }) => id === fileId)?.display_name ?? fileId;
  }

  async function replacing(siteId: string, mediaId: string, fileId: string | null) {
    return fileId === null ? {} : { replaces: { id: fileId, name: await nameOf(siteId, mediaId, fileId) } };
  }

  const isDone = ({ state, followUps }: Upload) =>
    state === 'complete' && followUps.every((followUp) => followUp.state !== 'pending');
  const remove = (id: string) =>
    outbox.remove(id).catch((error: unknown) => logger.warn('outbox.not-removed', { id, reason: String(error) }));
  const unsubscribe = uploads.onDidChange((upload) => {
    if (upload.addition !== null && isDone(upload)) void remove(upload.id);
  });

  return {
    handlers: {
      'files.add': ({ siteId, mediaId, paths }) =>
        add(
          siteId,
          mediaId,
          paths.map((path) => ({ path, addition: { kind: 'file' } })),
        ),

      async 'files.replace'({ siteId, mediaId, fileId, path }) {
        const old = await replacing(siteId, mediaId, fileId);
        const file: NewAddition = { path, addition: { kind: 'file' }, ...old };
        const { item } = await itemOf(siteId, mediaId);
        const thumbnail = await thumbnailOf(siteId, mediaId, item.modified_on ?? '');
        if (thumbnail === null) return add(siteId, mediaId, [file]);
        // The library makes a thumbnail of the new file: the one of now is sent after that.
        const ending = endingOf(thumbnail.contentType);
        return queueBytes(thumbnail.bytes, ending, async (stored, id) => {
          const kept = { path: stored, fileName: `thumbnail${ending}` };
          const output = await add(siteId, mediaId, [{ ...file, thumbnail: kept }], [id]);
          if (output.added === 0) await remove(id);
          return output;
        });
      },

      'files.additions': async ({ siteId, mediaId }) => uploads.openAdditions(siteId, mediaId),

      'files.checkCaptions': ({ path, encoding }) => captionsFacts(files, path, encoding),

      async 'files.addCaptions'({ siteId, mediaId, recordingId, path, encoding, replaces, label, language }) {
        const { read, bytes } = await captionsOf(files, path, encoding);
        const old = await replacing(siteId, mediaId, replaces);
        const fileName = captionFileName({ label, language }, read.format);
        const captions: Omit<NewAddition, 'path'> = { fileName, addition: { kind: 'captions', recordingId }, ...old };
        if (read.encoding === 'utf-8' || read.format !== 'srt') return add(siteId, mediaId, [{ ...captions, path }]);
        return queueBytes(bytes, '.srt', (stored, id) => add(siteId, mediaId, [{ ...captions, path: stored }], [id]));
      },

      async 'files.renameCaptions'({ siteId, mediaId, fileId, recordingId, label, language }) {
        const client = clientFor(siteId);
        const { display_name: name } = await getFile(client, mediaId, fileId);
        const { read, bytes } = checkCaptions(await download({ client, mediaId, fileId }, tools));
        const { format } = read;
        const captions: Omit<NewAddition, 'path'> = {
          fileName: captionFileName({ label, language }, format),
          addition: { kind: 'captions', recordingId },
          replaces: { id: fileId, name },
        };
        return queueBytes(bytes, `.${format}`, (path, id) => add(siteId, mediaId, [{ ...captions, path }], [id]));
      },

      'files.checkPicture': ({ path }) => pictureFacts(files, path),

      'files.setThumbnail': ({ siteId, mediaId, picture }) =>
        queuePicture(picture, (file, ids) => add(siteId, mediaId, [{ ...file, addition: { kind: 'thumbnail' } }], ids)),

      'files.setCollectionThumbnail': ({ siteId, collectionId, picture }) =>
        queuePicture(picture, (file, ids) => addToCollection(siteId, collectionId, file, ids)),
    },

    async tidy() {
      for (const id of await outbox.ids()) {
        const upload = uploads.get(id);
        if (upload === null || isDone(upload) || upload.state === 'cancelled') await remove(id);
      }
    },

    stop: unsubscribe,
  };
}

function endingOf(contentType: string): string {
  return contentType === 'image/png' ? '.png' : '.jpg';
}

/** Reads captions of the library. Throws `captions.too-large`. */
async function download(ref: Parameters<typeof openContent>[0], tools: ContentTools): Promise<Uint8Array> {
  const content = await openContent(ref, { range: null, signal: new AbortController().signal }, tools);
  try {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of content.bytes) {
      length += chunk.length;
      if (length > MAX_CAPTIONS_BYTES) throw appError('captions.too-large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    await content.close();
  }
}
