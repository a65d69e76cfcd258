import { basename } from 'node:path';
import { appError } from '../../../shared/contract/app-error.ts';
import type { CallOutput, HandledInput } from '../../../shared/contract/contract.ts';
import { MAX_PICTURE_BYTES } from '../../../shared/contract/file-calls.ts';
import type { MediaDetail } from '../../../shared/contract/library.ts';
import type { AddUploadsOutput, UploadRow } from '../../../shared/contract/uploads.ts';
import { captionFileName, readCaptionName } from '../../../shared/model/caption-name.ts';
import { splitFileName } from '../../../shared/model/title-template.ts';
import type { Upload } from '../../../shared/model/upload.ts';
import { getFile } from '../api/files.ts';
import type { SiteClient } from '../api/http-client.ts';
import { type ContentTools, openContent } from '../library/files/open-content.ts';
import { readImageHeader } from '../library/thumbnails/image-header.ts';
import { shownName } from '../ports/byte-paths.ts';
import type { Files } from '../ports/files.ts';
import type { Logger } from '../ports/logger.ts';
import type { Outbox } from '../ports/outbox.ts';
import type { Random } from '../ports/random.ts';
import type { AdditionRequest, NewAddition } from '../uploads/adding/add-to-item.ts';
import { checkCaptions, MAX_CAPTIONS_BYTES } from './check-captions.ts';

type ChangeCalls =
  | 'files.add'
  | 'files.replace'
  | 'files.additions'
  | 'files.checkCaptions'
  | 'files.addCaptions'
  | 'files.renameCaptions'
  | 'files.checkPicture'
  | 'files.setThumbnail';

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
  /** The item as the library has it, or its copy on this computer. */
  itemOf(siteId: string, mediaId: string): Promise<MediaDetail>;
}

/** Pictures with more pixels are not shown as thumbnails either. */
const MAX_PICTURE_PIXELS = 25_000_000;
/** The size of a picture stands before its pixels; a camera may store a preview before it. */
const PICTURE_HEAD_BYTES = 512 * 1024;

export function createFileChanges(tools: FileChangeTools): FileChanges {
  const { uploads, files, outbox, random, logger, clientFor, itemOf } = tools;

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

  /** Stores bytes in the outbox and adds them to an item. */
  async function addBytes(
    { siteId, mediaId }: { siteId: string; mediaId: string },
    bytes: Uint8Array,
    { ending, ...addition }: Omit<NewAddition, 'path'> & { ending: string },
  ): Promise<AddUploadsOutput> {
    const id = random.uuid();
    const path = await outbox.put(id, bytes, ending);
    try {
      return await add(siteId, mediaId, [{ ...addition, path }], [id]);
    } catch (error) {
      await outbox.remove(id);
      throw error;
    }
  }

  async function readAll(path: string, maxBytes: number): Promise<Uint8Array> {
    const file = await files.open(path);
    try {
      const { sizeBytes } = await file.facts();
      const bytes = new Uint8Array(Math.min(sizeBytes, maxBytes));
      let length = 0;
      for (let count = -1; count !== 0 && length < bytes.length; length += count) {
        count = await file.read(bytes, length, bytes.length - length, length);
      }
      return bytes.subarray(0, length);
    } finally {
      await file.close();
    }
  }

  async function captionsFacts(path: string) {
    const bytes = await readAll(path, MAX_CAPTIONS_BYTES + 1);
    if (bytes.length === 0) throw appError('file.empty', { details: { path } });
    return { ...checkCaptions(bytes), ...readCaptionName(shownName(basename(path))) };
  }

  async function pictureFacts(path: string) {
    const { sizeBytes } = await files.facts(path);
    const facts = pictureHeader(await readAll(path, PICTURE_HEAD_BYTES));
    return { ...facts, sizeBytes };
  }

  /** The name of a file of an item, for history; its id where it can't be read now. */
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
        return add(siteId, mediaId, [{ path, addition: { kind: 'file' }, ...old }]);
      },

      'files.additions': async ({ siteId, mediaId }) => uploads.openAdditions(siteId, mediaId),

      'files.checkCaptions': ({ path }) => captionsFacts(path),

      async 'files.addCaptions'({ siteId, mediaId, recordingId, path, replaces, label, language }) {
        const { format } = await captionsFacts(path);
        const old = await replacing(siteId, mediaId, replaces);
        const fileName = captionFileName({ label, language }, format);
        return add(siteId, mediaId, [{ path, fileName, addition: { kind: 'captions', recordingId }, ...old }]);
      },

      async 'files.renameCaptions'({ siteId, mediaId, fileId, recordingId, label, language }) {
        const client = clientFor(siteId);
        const { display_name: name } = await getFile(client, mediaId, fileId);
        const bytes = await download({ client, mediaId, fileId }, tools);
        const { format } = checkCaptions(bytes);
        return addBytes({ siteId, mediaId }, bytes, {
          ...{ ending: `.${format}`, fileName: captionFileName({ label, language }, format) },
          ...{ addition: { kind: 'captions', recordingId }, replaces: { id: fileId, name } },
        });
      },

      'files.checkPicture': ({ path }) => pictureFacts(path),

      async 'files.setThumbnail'({ siteId, mediaId, picture }) {
        if ('bytes' in picture) {
          const { contentType } = fitting(pictureHeader(picture.bytes), picture.bytes.length);
          const ending = contentType === 'image/png' ? '.png' : '.jpg';
          const { stem } = splitFileName(picture.name);
          const named = { ending, fileName: `${stem}${ending}`, addition: { kind: 'thumbnail' as const } };
          return addBytes({ siteId, mediaId }, picture.bytes, named);
        }
        const facts = await pictureFacts(picture.path);
        fitting(facts, facts.sizeBytes);
        return add(siteId, mediaId, [{ path: picture.path, addition: { kind: 'thumbnail' } }]);
      },
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

/** Throws `thumbnail.not-a-picture`. */
function pictureHeader(bytes: Uint8Array) {
  const header = readImageHeader(bytes);
  const contentType = header?.contentType;
  if (header === null || (contentType !== 'image/png' && contentType !== 'image/jpeg')) {
    throw appError('thumbnail.not-a-picture');
  }
  return { contentType, width: header.width, height: header.height } as const;
}

/** Throws `thumbnail.too-large`. */
function fitting<T extends { width: number; height: number }>(facts: T, sizeBytes: number): T {
  const { width, height } = facts;
  if (width * height <= MAX_PICTURE_PIXELS && sizeBytes <= MAX_PICTURE_BYTES) return facts;
  throw appError('thumbnail.too-large', { details: { width, height, sizeBytes } });
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
