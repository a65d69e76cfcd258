import type { Collection } from '../../../../shared/api/collections.ts';
import { type AppError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { CollectionPatch, PodcastPatch } from '../../../../shared/contract/collections.ts';
import {
  canonicalCollectionValue,
  collectionValueOf,
  collectionVerdict,
  netCollectionVerdict,
  rebasedOnCollection,
} from '../../../../shared/model/edits/collection-fold.ts';
import {
  type CollectionOp,
  type EditableCollection,
  editableCollectionOf,
} from '../../../../shared/model/edits/collection-ops.ts';
import type { Net } from '../../../../shared/model/edits/fold.ts';
import { getCollection, updateCollection } from '../../api/collections.ts';
import { existing } from '../../api/existing.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { getPodcastDetails, updatePodcastDetails } from '../../api/podcasts.ts';
import { errorOfPlace, moveToParent, slugTaken } from '../../library/collections/collection-writes.ts';
import type { KnownCollection } from '../../library/collections/effective-collections.ts';
import type { Write } from './send-in-order.ts';
import type { ReplayTools, Subject } from './subject.ts';

type Tools = Pick<ReplayTools, 'client' | 'signal'>;

/** Returns how a replay reads, compares and changes one collection with its podcast details. It exists, and is not deleted. */
export function collectionSubject(
  id: string,
  tools: Tools,
): Subject<CollectionOp, KnownCollection, EditableCollection> {
  let moveError: AppError | null = null;
  return {
    goneCode: 'edit.collection-gone',
    // To read all collections above the new place can take longer than compared values may be sent.
    async prepare(net) {
      const move = net.find(({ op }) => op.kind === 'move-to-parent')?.op;
      moveError = move?.kind === 'move-to-parent' ? await errorOfPlace(tools.client, id, move.mine) : null;
    },
    read: (ops) => readCollection(id, ops, tools),
    valuesOf: ({ collection, podcast }) => editableCollectionOf(collection, podcast),
    verdictOf: collectionVerdict,
    netVerdictOf: netCollectionVerdict,
    valueOf: collectionValueOf,
    canonicalOf: (op, values) => canonicalCollectionValue('field' in op ? op.field : '', collectionValueOf(op, values)),
    intendedOf: (op) => ('mine' in op ? op.mine : null),
    rebased: rebasedOnCollection,
    writesOf: (wanted, { collection }) => writesOf(collection, wanted, moveError, tools),
    withSent: (before, sent) => sent.reduce(withSent, before),
  };
}

/** Returns the collection, with its podcast details if an op needs them; null when the library does not have it. */
async function readCollection(
  id: string,
  ops: readonly Net<CollectionOp>[],
  { client, signal }: Tools,
): Promise<KnownCollection | null> {
  const collection = await existing(getCollection(client, id, signal));
  if (collection === null) return null;
  if (!collection.is_podcast || !ops.some(({ op }) => op.kind === 'set-podcast-field'))
    return { collection, podcast: null };
  const podcast = await existing(getPodcastDetails(client, id, signal));
  return podcast === null ? null : { collection, podcast };
}

/** Returns the requests, in an order in which each makes the next one possible: only a podcast has podcast details. */
function writesOf(
  collection: Collection,
  wanted: readonly Net<CollectionOp>[],
  moveError: AppError | null,
  { client, signal }: Tools,
): Write<Net<CollectionOp>>[] {
  const of = (kind: CollectionOp['kind']) => wanted.filter(({ op }) => op.kind === kind);
  const fields = of('set-collection-field');
  const podcast = of('set-podcast-field');
  const moves = of('move-to-parent');
  const { id } = collection;
  const writes: Write<Net<CollectionOp>>[] = [
    { ops: fields, send: () => sendFields(client, id, patchOf(fields) as CollectionPatch, signal) },
    {
      ops: moves,
      async send() {
        const op = moves[0]?.op;
        if (op?.kind !== 'move-to-parent') return;
        if (moveError !== null) throw moveError;
        await moveToParent(client, collection, op.mine);
      },
    },
    { ops: podcast, send: () => updatePodcastDetails(client, id, patchOf(podcast) as PodcastPatch, signal) },
  ];
  return writes.filter(({ ops }) => ops.length > 0);
}

async function sendFields(client: SiteClient, id: string, patch: CollectionPatch, signal: AbortSignal): Promise<void> {
  try {
    // In the type of an update only `autotranscribe_profile_id` may be null.
    await updateCollection(client, id, patch as Parameters<typeof updateCollection>[2], signal);
  } catch (thrown) {
    const error = toAppError(thrown);
    throw error.code === 'api.conflict' && patch.slug !== undefined ? slugTaken(error, patch.slug) : error;
  }
}

/** The API has no null for a description: the undo of a first description sends a blank one. */
function patchOf(ops: readonly Net<CollectionOp>[]): Record<string, unknown> {
  const sent = ({ field, mine }: { field: string; mine: unknown }) => (field === 'description' ? (mine ?? '') : mine);
  return Object.fromEntries(ops.flatMap(({ op }) => ('field' in op ? [[op.field, sent(op)]] : [])));
}

/** Returns a collection with the value of an op. */
function withSent({ collection, podcast }: KnownCollection, { op }: Net<CollectionOp>): KnownCollection {
  switch (op.kind) {
    case 'set-collection-field':
      return { collection: { ...collection, [op.field]: op.mine }, podcast };
    case 'set-podcast-field':
      return { collection, podcast: podcast === null ? null : { ...podcast, [op.field]: op.mine } };
    case 'move-to-parent':
      return { collection: { ...collection, parent_id: op.mine }, podcast };
    default:
      return { collection, podcast };
  }
}
