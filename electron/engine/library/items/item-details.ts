import type { MediaItem } from '../../../../shared/api/media.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { MediaDetail } from '../../../../shared/contract/library.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { viewUrlOf } from '../../api/media.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import { hasNoAnswer } from '../collections/collection-cache.ts';
import type { CollectionTrees } from '../collections/collection-trees.ts';
import type { LibraryEdits } from '../edit-port.ts';
import { readMediaDetail } from './media-detail.ts';
import type { SeenDetails } from './seen-details.ts';

export interface ItemDetailTools {
  clientFor(siteId: string): SiteClient;
  trees: CollectionTrees;
  mirrors: Mirrors;
  /** The items as they were read last. */
  seen: SeenDetails;
  edits(): LibraryEdits;
}

/** One item in full, with its pending edits applied. */
export class ItemDetails {
  readonly #tools: ItemDetailTools;

  constructor(tools: ItemDetailTools) {
    this.#tools = tools;
  }

  /** Reads an item from the library. `known`: the item, if it was just read. */
  async read(siteId: string, mediaId: string, known?: MediaItem): Promise<MediaDetail> {
    const { clientFor, trees, mirrors, seen, edits } = this.#tools;
    const since = mirrors.readMoment(siteId);
    const read = await readMediaDetail(clientFor(siteId), trees.cacheOf(siteId), mediaId, known);
    // A slow answer can be older than the values that the user saw since, after an edit or a sync.
    const detail = { ...read, item: mirrors.put(siteId, read.item, since, read.files) };
    edits().noteSeen(siteId, detail.item);
    seen.note(siteId, detail);
    return this.#withPending(siteId, detail);
  }

  /** Returns the item of an edit that can't be sent now, from an earlier read or the mirror. Throws `network.unreachable` without one. */
  pending(siteId: string, mediaId: string, item: MediaItem | null): MediaDetail {
    const { clientFor, mirrors, seen } = this.#tools;
    const known = seen.get(siteId, mediaId);
    const truth = item ?? known?.item ?? mirrors.items(siteId, [mediaId]).get(mediaId);
    if (truth === undefined) throw appError('network.unreachable', { details: { mediaId, outcome: 'not-sent' } });
    const viewUrl = known?.viewUrl ?? viewUrlOf(clientFor(siteId), truth);
    const collectionName = this.#collectionName(siteId, truth);
    return this.#withPending(siteId, {
      collectionName,
      ...known,
      ...this.#knownFiles(siteId, mediaId),
      item: truth,
      viewUrl,
    });
  }

  /**
   * Returns the item from the mirror while the library gives no answer, with the files that were read last, if any; throws the error
   * when the mirror lacks the item.
   */
  stored(siteId: string, mediaId: string, error: unknown): MediaDetail {
    const { mirrors, seen } = this.#tools;
    const item = hasNoAnswer(error) ? mirrors.items(siteId, [mediaId]).get(mediaId) : undefined;
    if (item === undefined) throw error;
    const collectionName = this.#collectionName(siteId, item);
    const files = this.#knownFiles(siteId, mediaId);
    const viewUrl = seen.get(siteId, mediaId)?.viewUrl ?? null;
    return this.#withPending(siteId, { item, ...files, collectionName, viewUrl, isStored: true });
  }

  #collectionName(siteId: string, item: MediaItem): string | null {
    const collections = this.#tools.mirrors.collections(siteId);
    return collections?.find(({ id }) => id === item.collection_id)?.displayName ?? null;
  }

  /** Returns the files of an item as they were read last. */
  #knownFiles(siteId: string, mediaId: string): Pick<MediaDetail, 'files' | 'areFilesUnknown'> {
    const { mirrors, seen } = this.#tools;
    const files = mirrors.files(siteId, mediaId) ?? seen.get(siteId, mediaId)?.files ?? null;
    return files === null ? { files: [], areFilesUnknown: true } : { files };
  }

  #withPending(siteId: string, detail: MediaDetail): MediaDetail {
    const { item, isPending } = this.#tools.edits().effective(siteId, detail.item);
    return isPending ? { ...detail, item: item ?? detail.item, isPending } : detail;
  }
}
