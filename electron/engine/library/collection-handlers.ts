import type { Collection } from '../../../shared/api/collections.ts';
import { PODCAST_FIELDS } from '../../../shared/api/podcast-fields.ts';
import type { PodcastDetails } from '../../../shared/api/podcasts.ts';
import { AppError, type AppErrorData, appError, toAppError } from '../../../shared/contract/app-error.ts';
import type {
  CollectionDetail,
  CollectionMove,
  CollectionMoves,
  Podcast,
} from '../../../shared/contract/collections.ts';
import type { CallOutput, EngineCallName, EventData, HandledInput } from '../../../shared/contract/contract.ts';
import {
  COLLECTION_FIELDS,
  type CollectionOp,
  type CollectionValue,
  type CollectionValues,
  isLocalId,
} from '../../../shared/model/edits/collection-ops.ts';
import { collectionViewUrl, getCollection } from '../api/collections.ts';
import type { SiteClient } from '../api/http-client.ts';
import { countMedia } from '../api/media.ts';
import { firstCollectionThumb, getPodcastDetails } from '../api/podcasts.ts';
import type { LibraryMirror } from '../mirror/library-mirror.ts';
import { isOffline } from './collection-cache.ts';
import {
  type BranchCount,
  countBranches,
  pendingCount,
  planDeletion,
  storedCount,
  storedDeletion,
  topOf,
  withPendingCounts,
} from './collection-deletion.ts';
import type { CollectionEdit, CollectionEditResult, CollectionEdits, KnownCollection } from './collection-edit-port.ts';
import { type CollectionIndex, idsFrom } from './collection-index.ts';
import { renewSlug } from './collection-writes.ts';
import { collectionOfRow, effectiveCollection } from './effective-collections.ts';

type CollectionCallName = Extract<
  EngineCallName,
  | 'library.collectionDetail'
  | 'library.createCollection'
  | 'library.updateCollection'
  | 'library.reslugifyCollection'
  | 'library.moveCollections'
  | 'library.planDeletion'
  | 'library.deleteCollections'
  | 'library.stopDeletion'
  | 'library.podcast'
  | 'library.updatePodcast'
>;
export type CollectionHandlers = {
  [N in CollectionCallName]: (input: HandledInput<N>) => Promise<CallOutput<N>>;
};

interface Options {
  clientFor(siteId: string): SiteClient;
  edits(): CollectionEdits;
  mirrors: Pick<LibraryMirror, 'collectionMoment' | 'putCollection' | 'collectionDetail'>;
  /** The tree as the library has it, and as the user sees it. */
  trees(siteId: string): Promise<{ truth: CollectionIndex; effective: CollectionIndex }>;
  /** The tree as the library had it last, without a request; null: it was never read. */
  storedTree(siteId: string): CollectionIndex | null;
  /** Forgets what is cached of the library after the task, whatever its outcome, and notifies the screens. */
  changing<T>(change: EventData<'onDidChangeLibrary'>, task: () => Promise<T>): Promise<T>;
}

/**
 * The calls about collections and podcast details. Changes go through the journal of edits: each is sent at once, or waits
 * while the library can't be reached.
 */
export function createCollectionHandlers(options: Options): CollectionHandlers {
  const { clientFor, changing, edits, mirrors, trees, storedTree } = options;

  const pendingOps = (siteId: string, id: string) => edits().pendingOf(siteId).opsOf.get(id) ?? [];

  /** A collection as the service has it; from the copy while it can't be reached. null: it is not in the library yet. */
  async function truthOf(siteId: string, id: string): Promise<Truth | null> {
    const client = clientFor(siteId);
    if (isLocalId(id)) return null;
    const since = mirrors.collectionMoment(siteId);
    try {
      const collection = await getCollection(client, id);
      const isNewest = mirrors.putCollection(siteId, collection, null, since);
      const newer = isNewest ? null : mirrors.collectionDetail(siteId, id);
      return { collection: newer?.collection ?? collection, podcast: null, marks: {} };
    } catch (error) {
      if (!isOffline(error)) throw error;
      const stored = copyOf(siteId, id);
      if (stored === null) throw error;
      return stored;
    }
  }

  /** A collection as the copy has it: all values if they were read once, else those of the tree. null: the copy does not have it. */
  function copyOf(siteId: string, id: string): Truth | null {
    const stored = mirrors.collectionDetail(siteId, id);
    if (stored !== null) return { ...stored, marks: { isStored: true } };
    const row = storedTree(siteId)?.nodes.get(id)?.row;
    if (row === undefined) return null;
    return { collection: collectionOfRow(row), podcast: null, marks: { isStored: true, isPartial: true } };
  }

  async function detailOf(siteId: string, collectionId: string, prefersCopy = false): Promise<CollectionDetail> {
    const id = edits().idOf(collectionId);
    const truth = (prefersCopy ? copyOf(siteId, id) : null) ?? (await truthOf(siteId, id));
    const ops = pendingOps(siteId, id);
    const effective = effectiveCollection(id, truth, ops);
    if (effective === null) throw appError('api.not-found', { details: { collectionId } });
    const viewUrl = truth === null ? null : collectionViewUrl(clientFor(siteId), truth.collection);
    return {
      collection: effective.collection,
      viewUrl,
      ...truth?.marks,
      ...(ops.length > 0 ? { isPending: true } : {}),
    };
  }

  /** Reads podcast details. `newest`: what the copy has from a later request, if there was one. */
  async function readNewestPodcast(siteId: string, id: string, collection: Collection) {
    const since = mirrors.collectionMoment(siteId);
    const podcast = await readPodcast(clientFor(siteId), collection);
    const isNewest = mirrors.putCollection(siteId, collection, podcast.details, since);
    const newer = isNewest ? null : mirrors.collectionDetail(siteId, id);
    return {
      podcast,
      newest: { collection: newer?.collection ?? collection, podcast: newer?.podcast ?? podcast.details },
    };
  }

  /** The podcast details of a collection as the user sees them. */
  async function podcastOf(siteId: string, collectionId: string, prefersCopy = false): Promise<Podcast> {
    const id = edits().idOf(collectionId);
    const stored = prefersCopy ? copyOf(siteId, id) : null;
    const truth = stored?.podcast == null ? await truthOf(siteId, id) : stored;
    const ops = pendingOps(siteId, id);
    const effective = effectiveCollection(id, truth, ops);
    if (effective?.collection.is_podcast !== true) {
      throw appError('collection.not-a-podcast', { details: { collectionId } });
    }
    const { collection } = effective;
    const pending = ops.length > 0 ? { isPending: true } : {};
    const isReadable = truth?.collection.is_podcast === true && truth.marks.isStored !== true;
    if (!isReadable) return { collection, ...storedPodcast(id, truth, ops), ...pending };
    const { podcast, newest } = await readNewestPodcast(siteId, id, truth.collection);
    const shown = effectiveCollection(id, newest, ops);
    return { ...podcast, collection, details: shown?.podcast ?? podcast.details, ...pending };
  }

  /** Sends one edit of one collection. Throws what the library refused; returns what belongs to an answer. */
  async function sendOne(siteId: string, what: 'edit' | 'podcast', edit: CollectionEdit) {
    const { groupId, results } = await edits().change(siteId, what, [edit]);
    const [result] = results;
    if (result?.kind === 'failed' && result.error !== null) throw thrownOf(result.error);
    return { groupId, ...(result?.kind === 'pending' ? { pendingReason: result.error } : {}) };
  }

  /** Throws `collection.is-root`, `collection.into-itself`, and what a read throws. */
  async function plannedMove(siteId: string, move: CollectionMove): Promise<PlannedMove> {
    const { collectionId, expectedParentId } = move;
    const { effective } = await trees(siteId);
    const id = edits().idOf(collectionId);
    const to = edits().idOf(move.newParentId);
    const row = effective.nodes.get(id)?.row;
    // A collection at the top of the tree can be below one that the account does not see.
    const place =
      row === undefined || row.parentId === null
        ? (await detailOf(siteId, id)).collection
        : { display_name: row.displayName, parent_id: row.parentId };
    const name = place.display_name;
    if (place.parent_id === null) throw named(appError('collection.is-root', { details: { collectionId } }), name);
    if (id === to || idsFrom(effective, id).includes(to)) {
      throw named(appError('collection.into-itself', { details: { collectionId, newParentId: to } }), name);
    }
    const from = edits().idOf(expectedParentId ?? place.parent_id);
    return { id, name, from, to, isThere: from === to };
  }

  /** Checks the moves, and sends those that are possible. */
  async function moveAll(siteId: string, moves: readonly CollectionMove[]): Promise<CollectionMoves> {
    const result: CollectionMoves = { moved: [], failed: [], groupId: null };
    const planned: PlannedMove[] = [];
    for (const move of moves) {
      const { collectionId } = move;
      try {
        const plan = await plannedMove(siteId, move);
        if (plan.isThere) result.moved.push({ collectionId, displayName: plan.name, fromParentId: move.newParentId });
        else planned.push(plan);
      } catch (thrown) {
        const error = toAppError(thrown);
        const displayName = String(error.details?.displayName ?? '');
        result.failed.push({ collectionId, displayName, error: error.toData() });
      }
    }
    if (planned.length === 0) return result;
    const sent = await edits().change(
      siteId,
      'move',
      planned.map(({ id, name, from, to }) => ({
        ...{ collectionId: id, name },
        ops: [{ kind: 'move-to-parent', v: 1, base: from, mine: to }],
      })),
    );
    for (const [index, { kind, error, collectionId }] of sent.results.entries()) {
      const { name: displayName, from: fromParentId } = planned[index] as PlannedMove;
      if (kind === 'failed' && error !== null) result.failed.push({ collectionId, displayName, error });
      else
        result.moved.push({
          collectionId,
          displayName,
          fromParentId,
          ...(kind === 'pending' ? { isPending: true } : {}),
        });
    }
    return { ...result, groupId: sent.groupId };
  }

  return {
    'library.collectionDetail': ({ siteId, collectionId }) => detailOf(siteId, collectionId),

    async 'library.createCollection'({ siteId, parentId, displayName, isPodcast, slug, description }) {
      clientFor(siteId);
      return changing({ siteId, collectionId: parentId, mediaId: null }, async () => {
        const values: CollectionValues = {
          display_name: displayName,
          ...(isPodcast ? { is_podcast: true } : {}),
          ...(slug === undefined ? {} : { slug }),
          ...(description === undefined ? {} : { description }),
        };
        const { collectionId, kind, error, groupId } = await edits().create(siteId, parentId, values);
        if (kind === 'failed' && error !== null) throw thrownOf(error);
        const { collection } = await detailOf(siteId, collectionId);
        return { ...collection, groupId, ...(kind === 'pending' ? { isPending: true, pendingReason: error } : {}) };
      });
    },

    'library.updateCollection'({ siteId, collectionId, patch, expected }) {
      return changing({ siteId, collectionId, mediaId: null }, async () => {
        clientFor(siteId);
        // An edit is stored before anything else: an answer of the library can take half a minute, and a crash would lose the edit.
        const before = await detailOf(siteId, collectionId, isAllExpected(patch, expected));
        const ops = COLLECTION_FIELDS.flatMap((field): CollectionOp[] => {
          const mine = patch[field];
          if (mine === undefined) return [];
          const seen = expected[field];
          const base = seen === undefined ? before.collection[field] : seen;
          return [{ kind: 'set-collection-field', v: 1, field, base, mine }];
        });
        const changed = ops.filter((op) => 'field' in op && !isSameValue(op.field, op.base, op.mine));
        if (changed.length === 0) return detailOf(siteId, collectionId);
        const edit = { collectionId: before.collection.id, name: before.collection.display_name, ops: changed };
        const sent = await sendOne(siteId, 'edit', edit);
        return { ...(await detailOf(siteId, collectionId, isWaiting(sent))), ...sent };
      });
    },

    'library.reslugifyCollection'({ siteId, collectionId }) {
      return changing({ siteId, collectionId, mediaId: null }, async () => {
        const id = edits().idOf(collectionId);
        if (isLocalId(id)) throw appError('collection.not-created-yet', { details: { collectionId } });
        await renewSlug(clientFor(siteId), id);
        return detailOf(siteId, id);
      });
    },

    'library.moveCollections': ({ siteId, moves }) =>
      changing({ siteId, collectionId: null, mediaId: null }, () => moveAll(siteId, moves)),

    async 'library.planDeletion'({ siteId, collectionIds }) {
      const client = clientFor(siteId);
      const ids = collectionIds.map((id) => edits().idOf(id));
      try {
        const plan = await planDeletion(
          client,
          ids.filter((id) => !isLocalId(id)),
        );
        const { truth, effective } = await trees(siteId);
        const top = topOf(effective, ids);
        const moved = top.map((id) => pendingCount(truth, effective, id));
        return withPendingCounts(plan, moved, top.length);
      } catch (error) {
        if (!isOffline(error)) throw error;
        return storedDeletion((await trees(siteId)).effective, ids);
      }
    },

    'library.deleteCollections'({ siteId, collectionIds, confirmed }) {
      return changing({ siteId, collectionId: null, mediaId: null }, async () => {
        if (edits().isDeleting(siteId)) {
          throw appError('input.invalid', { message: 'Another deletion is still running in this library.' });
        }
        const ids = [...new Set(collectionIds.map((id) => edits().idOf(id)))];
        const { effective } = await trees(siteId);
        const top = topOf(effective, ids);
        const counts = await branchCounts(siteId, top);
        const collections = counts.reduce((sum, each) => sum + each.collections, 0);
        const items = counts.reduce((sum, each) => sum + each.items, 0);
        if (collections > confirmed.collections || items > confirmed.items) {
          throw appError('collection.grew', { details: { collections, items } });
        }
        edits().dropBlocked(siteId, top);
        // What is to be created below a collection that is deleted is not created.
        const below = top.flatMap((id) =>
          idsFrom(effective, id).filter((each) => isLocalId(each) && !top.includes(each)),
        );
        const deletions = [...below, ...top].map((id): CollectionEdit => {
          const base = counts.find((each) => each.id === id) ?? { collections: 1, items: 0 };
          const op: CollectionOp = {
            ...({ kind: 'delete-collection', v: 1 } as const),
            base: { collections: base.collections, items: base.items },
          };
          return { collectionId: id, name: effective.nodes.get(id)?.row.displayName ?? id, ops: [op] };
        });
        const sent = await edits().change(siteId, 'delete', deletions, items);
        const results = sent.results.filter(({ collectionId }) => top.includes(collectionId));
        const of = (kind: CollectionEditResult['kind']) =>
          results.flatMap((each) => (each.kind === kind ? [each.collectionId] : []));
        const failed = results.flatMap(({ collectionId, kind, error }) => {
          const displayName = effective.nodes.get(collectionId)?.row.displayName ?? collectionId;
          return kind === 'failed' && error !== null ? [{ collectionId, displayName, error }] : [];
        });
        const pending = of('pending');
        return {
          ...{ deleted: of('done'), deletedItems: sent.deletedItems, failed, isStopped: of('stopped').length > 0 },
          ...(pending.length > 0 ? { pending } : {}),
        };
      });
    },

    async 'library.stopDeletion'({ siteId }) {
      edits().stopDeletion(siteId);
      return null;
    },

    'library.podcast': ({ siteId, collectionId }) => podcastOf(siteId, collectionId),

    'library.updatePodcast'({ siteId, collectionId, patch, expected }) {
      return changing({ siteId, collectionId, mediaId: null }, async () => {
        clientFor(siteId);
        const before = await podcastOf(siteId, collectionId, isAllExpected(patch, expected));
        const ops = PODCAST_FIELDS.flatMap((field): CollectionOp[] => {
          const mine = patch[field];
          if (mine === undefined) return [];
          const seen = expected[field];
          const base = seen === undefined ? before.details[field] : seen;
          return isSameValue(field, base, mine) ? [] : [{ kind: 'set-podcast-field', v: 1, field, base, mine }];
        });
        if (ops.length === 0) return podcastOf(siteId, collectionId);
        const { id, display_name: name } = before.collection;
        const sent = await sendOne(siteId, 'podcast', { collectionId: id, name, ops });
        return { ...(await podcastOf(siteId, collectionId, isWaiting(sent))), ...sent };
      });
    },
  };

  /** What a deletion removes, by chosen collection; counted in the copy while the library can't be reached. */
  async function branchCounts(siteId: string, ids: readonly string[]): Promise<BranchCount[]> {
    const { truth, effective } = await trees(siteId);
    try {
      const counted = await countBranches(
        clientFor(siteId),
        ids.filter((id) => !isLocalId(id)),
      );
      return ids.map((id) => {
        const known = counted.find((each) => each.id === id) ?? { id, collections: 0, items: 0 };
        return withPendingCounts(known, [pendingCount(truth, effective, id)], 1);
      });
    } catch (error) {
      if (!isOffline(error)) throw error;
      return ids.map((id) => storedCount(effective, id));
    }
  }
}

/** A move that was checked; `isThere`: there is nothing to do. */
interface PlannedMove {
  id: string;
  name: string;
  from: string;
  to: string;
  isThere: boolean;
}

interface Truth extends KnownCollection {
  marks: Pick<CollectionDetail, 'isStored' | 'isPartial'>;
}

const NO_DETAILS = Object.fromEntries(PODCAST_FIELDS.map((field) => [field, null])) as PodcastDetails;

/** The podcast details as this computer has them, with the pending edits. Throws when it never read them. */
function storedPodcast(id: string, truth: Truth | null, ops: readonly CollectionOp[]): Omit<Podcast, 'collection'> {
  if (truth?.collection.is_podcast === true && truth.podcast === null) throw appError('collection.details-not-stored');
  const known = truth === null ? null : { ...truth, podcast: truth.podcast ?? NO_DETAILS };
  const details = effectiveCollection(id, known, ops)?.podcast ?? NO_DETAILS;
  const facts = { viewUrl: null, artwork: 'unknown', publishedEpisodes: null } as const;
  return { ...facts, details, ...(truth?.marks.isStored ? { isStored: true } : {}) };
}

/** Whether the caller passes the value that the user saw of each field that it changes. */
function isAllExpected(patch: object, expected: object): boolean {
  const seen: Readonly<Record<string, unknown>> = { ...expected };
  return Object.keys(patch).every((field) => seen[field] !== undefined);
}

/** Whether an edit waits for the library: asking it again would only make the caller wait. */
function isWaiting({ pendingReason }: { pendingReason?: AppErrorData | null }): boolean {
  return pendingReason !== undefined;
}

function isSameValue(field: string, one: CollectionValue | undefined, other: CollectionValue | undefined): boolean {
  return (one ?? '') === (other ?? '') && (field !== 'description' || one === other);
}

function thrownOf({ code, message, details }: AppErrorData): AppError {
  return new AppError(code as AppError['code'], message, details);
}

function named(error: AppError, displayName: string): AppError {
  return new AppError(error.code, error.message, { ...error.details, displayName }, error.cause);
}

/** Reads the details of a podcast, and what directories check besides them. */
async function readPodcast(client: SiteClient, collection: Collection): Promise<Podcast> {
  const collectionId = collection.id;
  const [details, artwork, publishedEpisodes] = await Promise.all([
    getPodcastDetails(client, collectionId),
    unlessRefused(firstCollectionThumb(client, collectionId), 'unknown' as const),
    unlessRefused(countEpisodes(client, collectionId), null),
  ]);
  return { details, collection, viewUrl: collectionViewUrl(client, collection), artwork, publishedEpisodes };
}

async function countEpisodes(client: SiteClient, collectionId: string): Promise<number> {
  const query = { collection_id: collectionId, status: 'published' };
  const [audio, video] = await Promise.all(['audio', 'video'].map((type) => countMedia(client, { ...query, type })));
  return (audio ?? 0) + (video ?? 0);
}

/** What only informs must not hide the details: thumbnails are unfinished in the API, and rights differ. */
async function unlessRefused<T, F>(asked: Promise<T>, otherwise: F): Promise<T | F> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('api.')) return otherwise;
    throw error;
  }
}
