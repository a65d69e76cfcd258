import { basename, dirname, join, sep } from 'node:path';
import type { MediaFacts } from '../../../shared/contract/media-facts.ts';
import type { EarlierUpload } from '../../../shared/contract/upload-files.ts';
import type { BatchDefaults } from '../../../shared/contract/uploads.ts';
import { type ItemField, type ItemFields, noItemFields } from '../../../shared/item/fields.ts';
import type { KnownFields } from '../../../shared/model/edits/same-field.ts';
import { localDay } from '../../../shared/model/local-day.ts';
import { type CompanionKind, pairFiles, stemsOf } from '../../../shared/model/pairing/pair-files.ts';
import { composeTitle, needsTitleContents } from '../../../shared/model/title-template.ts';
import type { CompanionFile } from '../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import { isEnded } from '../../../shared/model/uploads/upload-states.ts';
import type { ReadMediaFacts } from '../media-tags/media-facts.ts';
import { hasFileNumber } from '../ports/file-identity.ts';
import type { FileFacts } from '../ports/files.ts';
import type { BatchStore } from '../uploads/journal/batch-store.ts';
import type { UploadStore } from '../uploads/journal/upload-store.ts';
import { rootOf } from '../uploads/places/chosen-places.ts';
import { folderNameOf } from '../uploads/places/folder-name.ts';
import type { KnownItem, KnownItems } from './known-items.ts';
import { hasSidecar } from './late-sidecar.ts';
import { enteredFields } from './late-values.ts';

/** The maximum number of numbers in a title that are tried as the number of the file in its batch. */
const MOST_NUMBERS = 20;
/** The maximum number of names of earlier recordings that are compared with that of one file. */
const MOST_NAMES = 100;

export interface EarlierTools {
  store: UploadStore;
  batches: BatchStore;
  items: Pick<KnownItems, 'get' | 'collectionName'>;
  mediaFacts: ReadMediaFacts;
}

/** The uploads of an account to which captions, thumbnails and details can be added later, with the user's choices. */
export class EarlierUploads {
  readonly #siteId: string;
  readonly #tools: EarlierTools;
  readonly #chosen: ReadonlyMap<string, string>;
  /** Whether anything was uploaded from a folder or below it. Cached: a folder with thousands of files needs one query. */
  readonly #usedFolders = new Map<string, boolean>();

  /** `chosen`: the ids of the uploads that the user chose, by the paths of the files that are added to them. */
  constructor(siteId: string, tools: EarlierTools, chosen: ReadonlyMap<string, string>) {
    this.#siteId = siteId;
    this.#tools = tools;
    this.#chosen = chosen;
  }

  /** Returns the uploads of the recording at a path that have an item or will have one, the newest first. */
  ofRecording(path: string): Upload[] {
    return this.#tools.store.ofPath(this.#siteId, path).filter(takesSidecars);
  }

  /**
   * Returns the uploads of a recording that had another path when it was uploaded. `same`: uploads of this file. `alike`: uploads
   * of another file with the same size and time of change, such as the original of a copy.
   */
  ofMoved({ identity, ...facts }: FileFacts): { same: Upload[]; alike: Upload[] } {
    const found = this.#tools.store.ofContents(this.#siteId, facts).filter(takesSidecars);
    // Some file systems have no file numbers (all are 0): there, equal identities do not prove that it is the same file.
    const isSame = (upload: Upload) => upload.identity === identity && hasFileNumber(identity);
    return { same: found.filter(isSame), alike: found.filter((upload) => !isSame(upload)) };
  }

  /**
   * Returns the path from which the recording of a file was uploaded, found by the name of the file; the path may no longer
   * exist. null: no recording with such a name was uploaded from this folder.
   */
  pathOfAbsent(path: string, kind: CompanionKind): string | null {
    const { store } = this.#tools;
    const [folder, fileName] = [dirname(path), basename(path)];
    if (!this.#isUsed(folder)) return null;
    const found = stemsOf(fileName, kind).flatMap((stem) => {
      // A file can also be named after the recording with its extension: `talk.mp4.srt`.
      const full = join(folder, stem);
      return [full, ...store.pathsThatBegin(this.#siteId, `${full}.`, MOST_NAMES)];
    });
    const earlier = found.filter((each) => dirname(each) === folder && this.ofRecording(each).length > 0);
    const recording = pairFiles([fileName, ...earlier.map((each) => basename(each))]).recordingOf.get(fileName);
    return recording === undefined ? null : join(folder, recording);
  }

  #isUsed(folder: string): boolean {
    let isUsed = this.#usedFolders.get(folder);
    if (isUsed === undefined) {
      const inside = folder.endsWith(sep) ? folder : `${folder}${sep}`;
      isUsed = this.#tools.store.pathsThatBegin(this.#siteId, inside, 1).length > 0;
      this.#usedFolders.set(folder, isUsed);
    }
    return isUsed;
  }

  /** Returns the current upload with this id; null: nothing can be added to it. */
  get(id: string): Upload | null {
    const upload = this.#tools.store.get(id);
    return upload?.siteId === this.#siteId && takesSidecars(upload) ? upload : null;
  }

  /** Returns the id of the upload that the user chose for a file; null: the names decide. */
  chosenFor(path: string): string | null {
    return this.#chosen.get(path) ?? null;
  }

  /** Returns whether this computer added captions with this name, or a thumbnail, to the item of an upload, or is going to. */
  hasSidecar(upload: Upload, sidecar: Pick<CompanionFile, 'kind' | 'fileName'>): boolean {
    return hasSidecar(upload, sidecar, this.#tools.store);
  }

  /** Returns the values that Mediadesk gave to an upload by itself. */
  async made(upload: Upload): Promise<KnownFields[]> {
    const batch = this.#tools.batches.get(upload.batchId);
    if (batch === null) return [];
    return madeFields(upload, batch.defaults, (path) => this.#tools.mediaFacts(path, rootOf(path, batch)));
  }

  /**
   * Returns the fields whose values someone entered for an upload or its item, as this computer knows it, and that the given values
   * would replace.
   */
  async entered(upload: Upload, given: Partial<ItemFields>): Promise<ItemField[]> {
    const made = await this.made(upload);
    return enteredFields(given, this.#known(upload)?.fields ?? upload, made);
  }

  /** Returns an upload as screens name it. */
  shown(upload: Upload): EarlierUpload {
    const { id, fileName, title, state, endedAt } = upload;
    const uploadedAt = state === 'complete' ? endedAt : null;
    const collectionName = this.#batchName(upload);
    const present = this.collectionOf(upload);
    const isMoved = present.id !== upload.collectionId;
    return { id, fileName, title, collectionName, uploadedAt, ...(isMoved ? { movedTo: present.name } : {}) };
  }

  /** Returns the collection of an upload's item now, as far as this computer knows it. */
  collectionOf(upload: Upload): { id: string; name: string } {
    const id = this.#known(upload)?.collectionId ?? upload.collectionId;
    if (id === upload.collectionId) return { id, name: this.#batchName(upload) };
    return { id, name: this.#tools.items.collectionName(upload.siteId, id) ?? id };
  }

  #batchName({ batchId }: Upload): string {
    return this.#tools.batches.get(batchId)?.collectionName ?? '';
  }

  #known({ siteId, mediaId }: Upload): KnownItem | null {
    return mediaId === null ? null : this.#tools.items.get(siteId, mediaId);
  }
}

/**
 * Returns whether sidecars can be added to an upload: to a complete upload, because it has its item and file, and to an upload
 * that has not ended.
 */
function takesSidecars({ state, addition, mediaId, fileId }: Upload): boolean {
  if (addition !== null) return false;
  return state === 'complete' ? mediaId !== null && fileId !== null : !isEnded(state);
}

/** Returns the values that Mediadesk gives to an upload by itself, from the options of its batch. */
async function madeFields(
  { path, fileName, mtimeMs, title }: Upload,
  { titleTemplate, tags }: Pick<BatchDefaults, 'titleTemplate' | 'tags'>,
  mediaFacts: (path: string) => Promise<MediaFacts>,
): Promise<KnownFields[]> {
  const contents = needsTitleContents(titleTemplate) ? await mediaFacts(path) : null;
  const facts = { fileName, folderName: folderNameOf(path), date: localDay(mtimeMs), contents };
  // The number of a file in its batch is not stored: it can be any number in the title.
  const numbers = [1, ...[...title.matchAll(/\d+/g)].slice(0, MOST_NUMBERS).map(([digits]) => Number(digits))];
  const titles = numbers.map((number) => composeTitle(titleTemplate, { ...facts, number }).title);
  const name = composeTitle('{name}', { ...facts, number: 1 }).title;
  const { title: _, ...untitled } = noItemFields();
  return [{ ...untitled, tags }, ...[name, ...titles].map((each) => ({ title: each }))];
}
