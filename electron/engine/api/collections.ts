import {
  type Collection,
  type CollectionInput,
  type CollectionTreeNode,
  collectionSchema,
  collectionTreeSchema,
  treeNodes,
} from '../../../shared/api/collections.ts';
import { createdId } from './created.ts';
import { parseAnswer, type SiteAnswer, type SiteClient } from './http-client.ts';
import { apiUrl, segment } from './links.ts';
import { itemsOf, type Pages, pagesOf } from './pages.ts';

const COLLECTIONS = '/api2/collections';
/** Entries for each page. The API names no limit; a library that allows fewer sends fewer. */
const PER_PAGE = 500;
const one = (id: string) => `${COLLECTIONS}/${segment(id)}`;

export interface CollectionListQuery {
  /** Only collections in which the caller has this permission. */
  permission?: string;
  is_podcast?: 0 | 1;
  /** Direct children only. */
  parent_id?: string;
  /** Exact match. */
  display_name?: string;
}

export interface CollectionTreeQuery {
  root_id?: string;
  permission?: string;
  /** `all` includes drafts. Without this option nodes have no count. */
  media_count?: 'all' | 'published';
}

/** GET /api2/collections: a flat list without a defined order; parents that the caller may not see are missing. */
export function listCollections(
  client: SiteClient,
  query: CollectionListQuery = {},
  signal?: AbortSignal,
): AsyncIterable<Collection> {
  return itemsOf(pagesOf(client, collectionSchema, COLLECTIONS, { ...query }, signal));
}

/** The pages of the list of all collections. */
export function collectionPages(client: SiteClient, signal?: AbortSignal): Pages<Collection> {
  return pagesOf(client, collectionSchema, COLLECTIONS, { per_page: PER_PAGE }, signal);
}

/** GET /api2/collections/tree: its nodes. The first one is the root, which may be artificial. */
export async function getCollectionTree(
  client: SiteClient,
  query: CollectionTreeQuery = {},
  signal?: AbortSignal,
): Promise<CollectionTreeNode[]> {
  return [...parseCollectionTree(await getTreeAnswer(client, query, signal))];
}

/** GET /api2/collections/tree, not parsed, so that the answer for a large library can be compared with the last one first. */
export function getTreeAnswer(
  client: SiteClient,
  query: CollectionTreeQuery = {},
  signal?: AbortSignal,
): Promise<SiteAnswer> {
  return client.get(`${COLLECTIONS}/tree`, { ...query }, signal);
}

/** Returns the nodes of the tree that `getTreeAnswer` returned, read one by one. Throws `api.malformed`. */
export function parseCollectionTree(answer: SiteAnswer): Iterable<CollectionTreeNode> {
  return treeNodes(parseAnswer(collectionTreeSchema, answer).root);
}

/** GET /api2/collections/<id>. */
export function getCollection(client: SiteClient, id: string, signal?: AbortSignal): Promise<Collection> {
  return client.read(collectionSchema, one(id), undefined, signal);
}

/** POST /api2/collections. A slug in use is `api.conflict`. */
export async function createCollection(client: SiteClient, input: CollectionInput, signal?: AbortSignal) {
  const answer = await client.request({ method: 'POST', target: COLLECTIONS, json: input, signal });
  return { id: createdId(client, answer, COLLECTIONS) };
}

/** POST /api2/collections/<id>: saves only the given fields. Read the collection again for the result. */
export async function updateCollection(
  client: SiteClient,
  id: string,
  patch: Partial<CollectionInput>,
  signal?: AbortSignal,
): Promise<void> {
  await client.request({ method: 'POST', target: one(id), json: patch, signal });
}

/** POST /api2/collections/<id>/move. Throws `api.forbidden` for a root, and for a new parent below the collection itself. */
export async function moveCollection(
  client: SiteClient,
  id: string,
  newParentId: string,
  signal?: AbortSignal,
): Promise<void> {
  await client.request({ method: 'POST', target: `${one(id)}/move`, json: { new_parent_id: newParentId }, signal });
}

/** POST /api2/collections/<id>/reslugify: generates the slug again from the name. Read the collection again for the result. */
export async function reslugifyCollection(client: SiteClient, id: string, signal?: AbortSignal): Promise<void> {
  await client.request({ method: 'POST', target: `${one(id)}/reslugify`, json: {}, signal });
}

/** DELETE /api2/collections/<id> with all its descendants. Idempotent. Throws `api.conflict` while any of them contains media. */
export async function deleteCollection(client: SiteClient, id: string, signal?: AbortSignal): Promise<void> {
  await client.request({ method: 'DELETE', target: one(id), signal });
}

/** Returns the page of the collection in the library's own web interface; null when there is none. */
export function collectionViewUrl(client: SiteClient, { links }: Collection): string | null {
  const { view } = links;
  if (typeof view !== 'string' || view === '') return null;
  return client.resolve(view, apiUrl(client.baseUrl, COLLECTIONS))?.href ?? null;
}
