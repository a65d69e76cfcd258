import { ARTIFICIAL_ROOT_ID } from '../../../../shared/api/collections.ts';
import { type AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import { endsRetries } from '../../../../shared/contract/errors/error-catalog.ts';
import { getCollection } from '../../api/collections.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { fetchIndex } from './collection-cache.ts';
import { type CollectionIndex, namesOnPath } from './collection-index.ts';

/** The properties of a collection that uploads need. */
export interface ResolvedCollection {
  id: string;
  displayName: string;
}

/** How many of several matches an error lists. */
const NAMED_MATCHES = 10;
/** Path segments after `/api2/collections/` that are not identifiers. */
const NO_IDS: ReadonlySet<string> = new Set(['.', '..', 'tree', ARTIFICIAL_ROOT_ID]);

/**
 * Returns the collection that `ref` names: by its id, otherwise by its slug, otherwise by its path (names or slugs from the top
 * down, separated by `/`), otherwise by its name. The first kind with a match decides. Sends new requests each time.
 *
 * Throws `collection.unknown`, `collection.ambiguous` with the matches in `details.errors`, and the errors of the requests.
 */
export async function resolveCollection(
  client: SiteClient,
  ref: string,
  signal: AbortSignal,
): Promise<ResolvedCollection> {
  if (ref === '')
    throw appError('collection.unknown', { message: 'The collection of these uploads no longer exists.' });
  const index = await indexOrNull(client, signal);
  const matches = index === null ? [] : matchesIn(index, ref);
  const [only, another] = matches;
  if (only !== undefined && another !== undefined && index !== null) throw ambiguous(index, ref, matches);
  if (only !== undefined && index !== null)
    return { id: only, displayName: index.nodes.get(only)?.row.displayName ?? ref };
  // The collection may be in a part of the library that the tree does not show to this account.
  const found = await byId(client, ref, signal);
  if (found !== null) return found;
  throw appError('collection.unknown', {
    message: `The library has no collection “${ref}”, or your account has no access to it.`,
    details: { collection: ref },
  });
}

/** Returns the index; null when the account may not list collections: it may still use one whose id it knows. */
async function indexOrNull(client: SiteClient, signal: AbortSignal): Promise<CollectionIndex | null> {
  try {
    return await fetchIndex(client, signal);
  } catch (error) {
    if (isRefusal(toAppError(error))) return null;
    throw error;
  }
}

/** Returns true when the library would repeat the answer: it has no such collection, may not show it, or can't parse the id. */
function isRefusal({ code }: AppError): boolean {
  return code.startsWith('api.') && endsRetries(code);
}

/** Returns the ids of the collections that `ref` names; several when it is ambiguous. */
export function matchesIn(index: CollectionIndex, ref: string): string[] {
  if (index.nodes.has(ref)) return [ref];
  const rows = [...index.nodes.values()].map(({ row }) => row);
  const bySlug = rows.filter(({ slug }) => slug === ref);
  if (bySlug.length > 0) return bySlug.map(({ id }) => id);
  const parts = ref.split('/').map(normalized);
  if (parts.length > 1) {
    const byPath = rows.filter(({ id }) => isPath(index, id, parts));
    if (byPath.length > 0) return byPath.map(({ id }) => id);
  }
  return rows.filter(({ displayName }) => normalized(displayName) === normalized(ref)).map(({ id }) => id);
}

/**
 * Returns whether these are the names or slugs from a top collection, or from a child of the only top collection, down
 * to `id`.
 */
function isPath(index: CollectionIndex, id: string, parts: readonly string[]): boolean {
  let at = index.nodes.get(id);
  for (const part of parts.toReversed()) {
    if (at === undefined || (normalized(at.row.displayName) !== part && at.row.slug !== part)) return false;
    at = at.row.parentId === null ? undefined : index.nodes.get(at.row.parentId);
  }
  return at === undefined || (at.row.parentId === null && index.top.length === 1);
}

/** Names are equal in any Unicode composition. */
function normalized(name: string): string {
  return name.normalize('NFC').trim();
}

async function byId(client: SiteClient, ref: string, signal: AbortSignal): Promise<ResolvedCollection | null> {
  if (NO_IDS.has(ref)) return null;
  try {
    const { id, display_name } = await getCollection(client, ref, signal);
    // A library that accepts a slug here has returned the id to use.
    return { id, displayName: display_name };
  } catch (error) {
    if (isRefusal(toAppError(error))) return null;
    throw error;
  }
}

function ambiguous(index: CollectionIndex, ref: string, ids: readonly string[]) {
  const named = ids.slice(0, NAMED_MATCHES).map((id) => `${id}: ${namesOnPath(index, id).join(' / ')}`);
  return appError('collection.ambiguous', {
    message: `“${ref}” matches ${ids.length} collections of the library.`,
    details: { collection: ref, errors: named },
  });
}
