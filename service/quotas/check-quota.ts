import type { Permission } from '../../shared/api/permission-sets.ts';
import type { Settings } from '../site/settings.ts';
import type { Call } from '../site/site.ts';
import { filterInOrder } from '../wire/in-order.ts';
import { Problem } from '../wire/problem.ts';
import { byteText } from './byte-text.ts';
import {
  type Consumer,
  itemUsage,
  largestCollections,
  largestItems,
  siteUsage,
  subtreeUsage,
  userUsage,
  withAncestors,
} from './usage.ts';

type Scope = 'collection' | 'user' | 'site';

/** A quota that bytes would exceed. */
interface Excess {
  scope: Scope;
  /** The collection of a quota; null for another scope. */
  collectionId: number | null;
  limit: number;
  used: number;
}

/** The member `quota` of a refusal, which is an addition to the API. */
interface QuotaDetails {
  scope: Scope;
  /** null for another scope, and when the caller may not read the collection. */
  collection: { id: string; display_name: string } | null;
  limit_bytes: number;
  used_bytes: number;
  needed_bytes: number;
  /** What takes the most, as far as the caller may see it. */
  largest: { kind: 'collection' | 'media'; id: string; name: string; bytes: number }[];
}

/**
 * Throws 422 when a new file would exceed a quota: of its collection or one above it, of the caller, or of the site. Uploads under way
 * count with their declared size. Call it in the transaction that creates the file.
 */
export async function checkNewFile(call: Call, collectionId: number, bytes: number): Promise<void> {
  const { store, settings } = call.site;
  const now = settings.current();
  const excess =
    (await collectionExcess(call, await withAncestors(store, collectionId), bytes)) ??
    (await excessOf('user', userLimit(now, call.caller.userId), () => userUsage(store, call.caller.userId), bytes)) ??
    (await excessOf('site', now.quota_site_bytes, () => siteUsage(store), bytes));
  if (excess !== undefined) throw await quotaProblem(call, 'upload_size', excess, bytes);
}

/** Throws 422 when an item would exceed a quota of the collection that it is moved to, or of one above it. */
export async function checkMovedItem(call: Call, mediaId: number, from: number, to: number): Promise<void> {
  await checkMove(call, 'collection_id', await itemUsage(call.site.store, mediaId), from, to);
}

/** Throws 422 when a collection with its descendants would exceed a quota of its new parent, or of one above it. */
export async function checkMovedCollection(
  call: Call,
  field: string,
  id: number,
  from: number,
  to: number,
): Promise<void> {
  await checkMove(call, field, await subtreeUsage(call.site.store, id), from, to);
}

async function checkMove(call: Call, field: string, bytes: number, from: number, to: number): Promise<void> {
  if (!hasCollectionQuotas(call)) return;
  // Where both are inside, the move changes nothing.
  const before = new Set(await withAncestors(call.site.store, from));
  const entered = (await withAncestors(call.site.store, to)).filter((id) => !before.has(id));
  const excess = await collectionExcess(call, entered, bytes);
  if (excess !== undefined) throw await quotaProblem(call, field, excess, bytes);
}

const hasCollectionQuotas = ({ site }: Call) => site.settings.current().quotas.some((each) => 'collection_id' in each);

async function collectionExcess(call: Call, ids: readonly number[], bytes: number): Promise<Excess | undefined> {
  if (!hasCollectionQuotas(call)) return undefined;
  const limits = new Map<string, number>();
  for (const each of call.site.settings.current().quotas) {
    if ('collection_id' in each) limits.set(each.collection_id, each.bytes);
  }
  for (const id of ids) {
    const limit = limits.get(String(id)) ?? null;
    const excess = await excessOf('collection', limit, () => subtreeUsage(call.site.store, id), bytes);
    if (excess !== undefined) return { ...excess, collectionId: id };
  }
  return undefined;
}

function userLimit({ quotas, quota_user_bytes }: Settings, userId: number): number | null {
  for (const each of quotas) if ('user_id' in each && each.user_id === String(userId)) return each.bytes;
  return quota_user_bytes;
}

/** What takes no space fits always, also where a quota was lowered below what is used. */
async function excessOf(
  scope: Scope,
  limit: number | null,
  usage: () => Promise<number>,
  bytes: number,
): Promise<Excess | undefined> {
  if (limit === null || bytes === 0) return undefined;
  const used = await usage();
  return used + bytes > limit ? { scope, collectionId: null, limit, used } : undefined;
}

async function quotaProblem(call: Call, field: string, excess: Excess, bytes: number): Promise<Problem> {
  const { scope, limit, used } = excess;
  const collection = await visibleCollection(call, excess.collectionId);
  const owner = {
    collection: collection === null ? 'A collection above this one' : `The collection “${collection.display_name}”`,
    user: 'Your account',
    site: 'This library',
  }[scope];
  const quota: QuotaDetails = {
    scope,
    collection,
    limit_bytes: limit,
    used_bytes: used,
    needed_bytes: bytes,
    largest: await largestOf(call, excess),
  };
  const message = `${owner} may have ${byteText(limit)}, of which ${byteText(used)} are used. ${byteText(bytes)} more do not fit.`;
  call.site.traffic.refused(`quota-${scope}`);
  return new Problem(422, message, [{ field, message: 'exceeds a quota' }], {}, { quota });
}

async function visibleCollection(call: Call, id: number | null): Promise<QuotaDetails['collection']> {
  if (id === null || !(await mayIn(call, 'collection-read', id))) return null;
  const row = await call.site.store.get<{ display_name: string }>(
    'SELECT display_name FROM collections WHERE id = ?',
    id,
  );
  return row === undefined ? null : { id: String(id), display_name: row.display_name };
}

const mayIn = async (call: Call, permission: Permission, collectionId: number) =>
  (await call.site.access.of(call.caller)).may(permission, collectionId);

/** The consumers that a refusal names, chosen from this number of the largest. */
const SHOWN = 3;
const CONSIDERED = 50;

async function largestOf(call: Call, { scope, collectionId }: Excess): Promise<QuotaDetails['largest']> {
  const { store } = call.site;
  const shown = (kind: 'collection' | 'media', all: readonly Consumer[]) =>
    all.slice(0, SHOWN).map(({ id, name, bytes }) => ({ kind, id: String(id), name, bytes }));
  if (scope === 'user') {
    const items = await largestItems(store, call.caller.userId, CONSIDERED);
    return shown('media', await filterInOrder(items, (item) => mayIn(call, 'media-read', item.collectionId)));
  }
  const collections = await largestCollections(store, collectionId, CONSIDERED);
  return shown('collection', await filterInOrder(collections, ({ id }) => mayIn(call, 'collection-read', id)));
}
