import type { BulkChange } from '../../../../shared/contract/edits.ts';
import { type MediaDetail, type MediaPatch, mediaQuerySchema } from '../../../../shared/contract/library.ts';
import { changeTo } from '../../../../shared/model/edits/bulk-change.ts';
import type { EditableMedia } from '../../../../shared/model/edits/edit-ops.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Handlers } from '../../common/handlers.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LibraryEdits } from '../edit-port.ts';
import type { LibraryChanges } from '../library-changes.ts';
import { correctedSearch } from './corrected-search.ts';
import type { FileFactsReader } from './file-facts-reader.ts';
import type { ItemDetails } from './item-details.ts';
import type { MediaLists } from './media-lists.ts';
import { serviceInstant } from './media-row.ts';

type MediaCall =
  | 'library.mediaWindow'
  | 'library.mediaIds'
  | 'library.calendar'
  | 'library.values'
  | 'library.correctedSearch'
  | 'library.fileFacts'
  | 'library.media'
  | 'library.updateMedia'
  | 'library.publishMedia'
  | 'library.unpublishMedia'
  | 'library.deleteMedia';

export interface MediaHandlerTools {
  clientFor(siteId: string): SiteClient;
  clock: Clock;
  mirrors: Mirrors;
  lists: MediaLists;
  details: ItemDetails;
  fileFacts: FileFactsReader;
  changes: LibraryChanges;
  edits(): LibraryEdits;
}

/** The calls about items. A change is stored in the journal of edits: it is sent immediately, or waits there. */
export function mediaHandlers(tools: MediaHandlerTools): Pick<Handlers, MediaCall> {
  const { clientFor, clock, mirrors, lists, details, fileFacts, changes, edits } = tools;

  /** Changes one item through the journal of edits, and returns the item as it is then or will be. */
  function editing(
    siteId: string,
    mediaId: string,
    change: BulkChange,
    expected?: Partial<EditableMedia>,
  ): Promise<MediaDetail> {
    return changes.changing({ siteId, collectionId: null, mediaId }, async () => {
      const result = await edits().editItem(siteId, mediaId, change, expected);
      if (result.kind === 'done') return details.read(siteId, mediaId, result.item ?? undefined);
      return { ...details.pending(siteId, mediaId, result.item), pendingReason: result.reason };
    });
  }

  return {
    'library.mediaWindow': ({ query, offset, limit, isGrouped }) => lists.window(query, offset, limit, isGrouped),
    'library.mediaIds': ({ query }) => lists.ids(query),
    'library.calendar': ({ query }) => lists.calendar(query),

    async 'library.values'({ siteId, field, text, limit }) {
      clientFor(siteId);
      return mirrors.values(siteId, field, text, limit);
    },

    async 'library.correctedSearch'({ query }) {
      clientFor(query.siteId);
      const search = await correctedSearch(query.search, {
        count: (text) => mirrors.count({ ...query, search: text }) ?? 0,
        has: (word) => (mirrors.count(mediaQuerySchema.parse({ siteId: query.siteId, search: word })) ?? 0) > 0,
        near: (word, initial) => mirrors.wordsNear(query.siteId, word, initial),
      });
      return { search };
    },

    async 'library.fileFacts'({ siteId, mediaId }) {
      const facts = await fileFacts.read(clientFor(siteId), mediaId);
      if (facts !== null) mirrors.noteFiles(siteId, mediaId, facts);
      return facts;
    },

    'library.media': ({ siteId, mediaId }) =>
      details.read(siteId, mediaId).catch((error: unknown) => details.stored(siteId, mediaId, error)),

    'library.updateMedia': ({ siteId, mediaId, patch, expected = {} }) =>
      editing(siteId, mediaId, changeOf(patch), seenValuesOf(expected)),

    async 'library.publishMedia'({ siteId, mediaId, publishOn }) {
      const at = publishOn === null ? null : serviceInstant(publishOn);
      const now = clientFor(siteId).serverClock.now() ?? clock.now();
      const isNow = at === null || Date.parse(at) <= now;
      return editing(siteId, mediaId, { publication: isNow ? { kind: 'now' } : { kind: 'at', at } });
    },

    'library.unpublishMedia': ({ siteId, mediaId }) => editing(siteId, mediaId, { publication: { kind: 'unpublish' } }),

    'library.deleteMedia'({ siteId, mediaId }) {
      return changes.changing({ siteId, collectionId: null, mediaId }, async () => {
        await edits().editItem(siteId, mediaId, { delete: true });
        return null;
      });
    },
  };
}

/** Returns the values of a patch in the form in which edits compare them. */
function seenValuesOf({ collection_id: collectionId, ...rest }: MediaPatch): Partial<EditableMedia> {
  const values = { ...rest, collectionId };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Returns the change for a patch of one item. */
function changeOf({ collection_id: collectionId, ...fields }: MediaPatch): BulkChange {
  return { ...changeTo(fields), ...(collectionId === undefined ? {} : { collectionId }) };
}
