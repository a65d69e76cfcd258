import { PODCAST_FIELDS } from '../../../../shared/api/podcast-fields.ts';
import { type AppErrorData, appError, errorFrom } from '../../../../shared/contract/app-error.ts';
import {
  COLLECTION_FIELDS,
  type CollectionOp,
  type CollectionValue,
  type CollectionValues,
  isLocalId,
} from '../../../../shared/model/edits/collection-ops.ts';
import type { Handlers } from '../../common/handlers.ts';
import { collectionIntents, type NewIntents } from '../edit-port.ts';
import { type CollectionMoveTools, moveCollections } from './collection-moves.ts';
import { renewSlug } from './collection-writes.ts';
import { type DeletionTools, deletionHandlers } from './deletion-handlers.ts';

type CollectionCall =
  | 'library.collectionDetail'
  | 'library.createCollection'
  | 'library.updateCollection'
  | 'library.reslugifyCollection'
  | 'library.moveCollections'
  | 'library.planDeletion'
  | 'library.deleteCollections'
  | 'library.stopDeletion'
  | 'library.podcast'
  | 'library.updatePodcast';

export interface CollectionHandlerTools extends CollectionMoveTools, DeletionTools {
  /** The tree as the library has it, and as the user sees it. */
  trees: DeletionTools['trees'];
}

/**
 * The calls about collections and podcast details. Changes are stored in the journal of edits: each is sent immediately, or waits
 * while the library can't be reached.
 */
export function collectionHandlers(tools: CollectionHandlerTools): Pick<Handlers, CollectionCall> {
  const { clientFor, changing, edits, reads } = tools;

  /** Sends one edit of one collection. Throws the refusal of the library. Returns the group, and the reason if the edit waits. */
  async function sendOne(siteId: string, collection: 'edit' | 'podcast', edit: NewIntents) {
    const { groupId, results } = await edits().apply({ siteId, change: { collection }, edits: [edit], wait: true });
    const [result] = results;
    if (result?.kind === 'failed' && result.error !== null) throw errorFrom(result.error);
    return { groupId, ...(result?.kind === 'pending' ? { pendingReason: result.error } : {}) };
  }

  return {
    ...deletionHandlers(tools),

    'library.collectionDetail': ({ siteId, collectionId }) => reads.detail(siteId, collectionId),

    async 'library.createCollection'({ siteId, parentId, displayName, isPodcast, slug, description }) {
      clientFor(siteId);
      return changing({ siteId, collectionId: parentId, mediaId: null }, async () => {
        const values: CollectionValues = {
          display_name: displayName,
          ...(isPodcast ? { is_podcast: true } : {}),
          ...(slug === undefined ? {} : { slug }),
          ...(description === undefined ? {} : { description }),
        };
        const { entityId, kind, error, groupId } = await edits().createCollection(siteId, parentId, values);
        if (kind === 'failed' && error !== null) throw errorFrom(error);
        const { collection } = await reads.detail(siteId, entityId);
        return { ...collection, groupId, ...(kind === 'pending' ? { isPending: true, pendingReason: error } : {}) };
      });
    },

    'library.updateCollection'({ siteId, collectionId, patch, expected }) {
      return changing({ siteId, collectionId, mediaId: null }, async () => {
        clientFor(siteId);
        // An edit is stored before anything else: an answer of the library can take half a minute, and a crash would lose the edit.
        const before = await reads.detail(siteId, collectionId, isAllExpected(patch, expected));
        const ops = COLLECTION_FIELDS.flatMap((field): CollectionOp[] => {
          const mine = patch[field];
          if (mine === undefined) return [];
          const seen = expected[field];
          const base = seen === undefined ? before.collection[field] : seen;
          return [{ kind: 'set-collection-field', v: 1, field, base, mine }];
        });
        const changed = ops.filter((op) => 'field' in op && !isSameValue(op.field, op.base, op.mine));
        if (changed.length === 0) return reads.detail(siteId, collectionId);
        const { id, display_name: name } = before.collection;
        const sent = await sendOne(siteId, 'edit', collectionIntents(id, name, changed));
        return { ...(await reads.detail(siteId, collectionId, isWaiting(sent))), ...sent };
      });
    },

    'library.reslugifyCollection'({ siteId, collectionId }) {
      return changing({ siteId, collectionId, mediaId: null }, async () => {
        const id = edits().idOf(collectionId);
        if (isLocalId(id)) throw appError('collection.not-created-yet', { details: { collectionId } });
        await renewSlug(clientFor(siteId), id);
        return reads.detail(siteId, id);
      });
    },

    'library.moveCollections': ({ siteId, moves }) =>
      changing({ siteId, collectionId: null, mediaId: null }, () => moveCollections(tools, siteId, moves)),

    'library.podcast': ({ siteId, collectionId }) => reads.podcast(siteId, collectionId),

    'library.updatePodcast'({ siteId, collectionId, patch, expected }) {
      return changing({ siteId, collectionId, mediaId: null }, async () => {
        clientFor(siteId);
        const before = await reads.podcast(siteId, collectionId, isAllExpected(patch, expected));
        const ops = PODCAST_FIELDS.flatMap((field): CollectionOp[] => {
          const mine = patch[field];
          if (mine === undefined) return [];
          const seen = expected[field];
          const base = seen === undefined ? before.details[field] : seen;
          return isSameValue(field, base, mine) ? [] : [{ kind: 'set-podcast-field', v: 1, field, base, mine }];
        });
        if (ops.length === 0) return reads.podcast(siteId, collectionId);
        const { id, display_name: name } = before.collection;
        const sent = await sendOne(siteId, 'podcast', collectionIntents(id, name, ops));
        return { ...(await reads.podcast(siteId, collectionId, isWaiting(sent))), ...sent };
      });
    },
  };
}

/** Returns whether the caller passes the value that the user saw for each field that it changes. */
function isAllExpected(patch: object, expected: object): boolean {
  const seen: Readonly<Record<string, unknown>> = { ...expected };
  return Object.keys(patch).every((field) => seen[field] !== undefined);
}

/** Returns whether an edit waits for the library: another request would only delay the caller. */
function isWaiting({ pendingReason }: { pendingReason?: AppErrorData | null }): boolean {
  return pendingReason !== undefined;
}

function isSameValue(field: string, one: CollectionValue | undefined, other: CollectionValue | undefined): boolean {
  return (one ?? '') === (other ?? '') && (field !== 'description' || one === other);
}
