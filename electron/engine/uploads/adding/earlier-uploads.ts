import type { EarlierUpload } from '../../../../shared/contract/upload-files.ts';
import { hasSidecar } from '../../../../shared/model/follow-ups.ts';
import type { SidecarName } from '../../../../shared/model/sidecars.ts';
import type { Upload } from '../../../../shared/model/upload.ts';
import { isEnded } from '../../../../shared/model/upload-states.ts';
import type { BatchStore } from '../journal/batch-store.ts';
import type { UploadStore } from '../journal/upload-store.ts';

/** States of additions that bring nothing to their item. */
const BRINGS_NOTHING: ReadonlySet<Upload['state']> = new Set(['failed', 'cancelled', 'skipped']);

/** The uploads of an account that captions and thumbnails can be added to later, with what the user chose. */
export class EarlierUploads {
  readonly #siteId: string;
  readonly #store: UploadStore;
  readonly #batches: BatchStore;
  readonly #chosen: ReadonlyMap<string, string>;

  /** `chosen`: the ids of the uploads that the user chose, by the paths of the files that are added to them. */
  constructor(
    siteId: string,
    { store, batches }: { store: UploadStore; batches: BatchStore },
    chosen: ReadonlyMap<string, string>,
  ) {
    this.#siteId = siteId;
    this.#store = store;
    this.#batches = batches;
    this.#chosen = chosen;
  }

  /** The uploads of the recording at a path that have an item or will have one, the newest first. */
  ofRecording(path: string): Upload[] {
    return this.#store.ofPath(this.#siteId, path).filter(takesSidecars);
  }

  /** The upload with this id as it is now; null: nothing can be added to it. */
  get(id: string): Upload | null {
    const upload = this.#store.get(id);
    return upload?.siteId === this.#siteId && takesSidecars(upload) ? upload : null;
  }

  /** The id of the upload that the user chose for a file; null: the names decide. */
  chosenFor(path: string): string | null {
    return this.#chosen.get(path) ?? null;
  }

  /** Whether the item of an upload got captions of this name, or a thumbnail, from this computer. */
  hasSidecar(upload: Upload, sidecar: SidecarName): boolean {
    if (hasSidecar(upload.followUps, sidecar)) return true;
    if (upload.mediaId === null) return false;
    const additions = this.#store
      .additionsTo(upload.siteId, upload.mediaId)
      .filter(({ state }) => !BRINGS_NOTHING.has(state))
      .flatMap(({ addition, fileName }) => (addition === null ? [] : [{ addition, fileName }]));
    const { kind, fileName } = sidecar;
    return additions.some(
      (each) => each.addition.kind === kind && (kind === 'thumbnail' || each.fileName === fileName),
    );
  }

  /** An upload as screens name it. */
  shown(upload: Upload): EarlierUpload {
    const { id, fileName, title, state, endedAt } = upload;
    const uploadedAt = state === 'complete' ? endedAt : null;
    return { id, fileName, title, collectionName: this.collectionName(upload), uploadedAt };
  }

  collectionName({ batchId }: Upload): string {
    return this.#batches.get(batchId)?.collectionName ?? '';
  }
}

/** A complete upload has its item and file; one that has not ended takes sidecars as if they had been there when it was added. */
function takesSidecars({ state, addition, mediaId, fileId }: Upload): boolean {
  if (addition !== null) return false;
  return state === 'complete' ? mediaId !== null && fileId !== null : !isEnded(state);
}
