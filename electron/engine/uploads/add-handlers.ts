import type { Handlers } from '../common/handlers.ts';
import { EarlierUploads } from '../companions/earlier-uploads.ts';
import type { FileFacts } from '../ports/files.ts';
import { filesByRoot } from '../ports/rooted-files.ts';
import type { AddTools } from './adding/add-tools.ts';
import { addUploads } from './adding/add-uploads.ts';
import { batchTargetOf } from './adding/batch-target.ts';
import { describeUploads, uploadDetails } from './adding/describe-uploads.ts';
import { FileChoices } from './adding/file-choices.ts';
import { previewPaths } from './adding/preview-paths.ts';
import type { UploadStore } from './journal/upload-store.ts';
import { rootsWhileAdding } from './places/chosen-places.ts';

type AddCall = 'uploads.add' | 'uploads.preview' | 'uploads.endPreview' | 'uploads.details' | 'uploads.describe';

export interface AddHandlerTools extends AddTools {
  store: UploadStore;
  /** Returns the name of a collection, for the target of a batch. Throws `api.not-found` and other errors of the request. */
  collectionName(siteId: string, collectionId: string): Promise<string>;
  /**
   * Returns the function that checks whether a collection probably has a file already. `collection` null: the function always
   * returns false.
   */
  looksKnownIn(
    collection: { siteId: string; collectionId: string } | null,
  ): (path: string, facts: FileFacts) => boolean;
  /** Starts the uploads that can start now. */
  pump(): void;
}

/** The calls that add files to the queue, and that read or set the values of their items. */
export function addHandlers(tools: AddHandlerTools): { handlers: Pick<Handlers, AddCall>; endPreviews(): void } {
  /** Aborts the running previews; each abort replaces it for the next ones. */
  let previews = new AbortController();
  const endPreviews = () => {
    previews.abort();
    previews = new AbortController();
  };
  const earlierOf = (siteId: string, choices: FileChoices) => new EarlierUploads(siteId, tools, choices.earlier);
  const handlers: Pick<Handlers, AddCall> = {
    'uploads.add': async (input) => {
      const { siteId, collectionId, collectionRef, paths, roots = [], defaults, files = [], addsOthers = true } = input;
      const target = await batchTargetOf(siteId, { collectionId, collectionRef }, tools.collectionName);
      const choices = new FileChoices(files, addsOthers);
      const request = { siteId, target, paths, roots, defaults, choices, earlier: earlierOf(siteId, choices) };
      const added = await addUploads(request, tools);
      tools.pump();
      return added;
    },
    'uploads.preview': ({ paths, sidecars, siteId, collectionId, lists = false, choices: given = [] }) => {
      const collection = siteId === null || collectionId === null ? null : { siteId, collectionId };
      const looksKnown = tools.looksKnownIn(collection);
      const choices = new FileChoices(given, true);
      const earlier = siteId === null ? null : earlierOf(siteId, choices);
      const { signal } = previews;
      const rooted = filesByRoot(tools.files, rootsWhileAdding(paths));
      return previewPaths(rooted, paths, { sidecars, lists, choices, earlier, looksKnown, signal });
    },
    'uploads.endPreview': async () => {
      endPreviews();
      return null;
    },
    'uploads.details': async ({ ids }) => uploadDetails(ids, tools),
    'uploads.describe': async (input) => {
      const result = describeUploads(input, tools);
      await tools.journal.whenDurable();
      return result;
    },
  };
  return { handlers, endPreviews };
}
