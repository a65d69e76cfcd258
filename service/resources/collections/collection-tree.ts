import { ARTIFICIAL_ROOT_ID } from '../../../shared/api/collections.ts';
import { PERMISSIONS } from '../../../shared/api/permission-sets.ts';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { notFound } from '../../wire/problem.ts';
import { flag, oneOf, param, parseId, type Query } from '../../wire/query.ts';
import { type Counts, countMedia } from './collection-row.ts';

export interface TreeNode {
  id: string;
  display_name: string;
  is_podcast: boolean | null;
  slug: string;
  media_count?: number;
  /** The node's own count in addition to the sum; present in the reference dialect with additive counts. */
  own_media_count?: number;
  children: TreeNode[];
}

interface Row {
  id: number;
  parent_id: number | null;
  display_name: string;
  is_podcast: number;
  slug: string;
}

export interface TreeOptions {
  counts: Counts | undefined;
  additive: boolean;
  ownCount: boolean;
  /** Counts by which empty collections are dropped; undefined keeps all. */
  omitEmpty: Counts | undefined;
}

/** Builds the tree of the collections that the caller may read, with the query's filters. It always has one root. */
export async function collectionTree(call: Call, query: Query): Promise<{ root: TreeNode }> {
  const permission = param(query, 'permission', oneOf(PERMISSIONS), 'must be the name of a permission');
  const which = param(query, 'media_count', oneOf(['all', 'published']), 'must be all or published');
  const access = await call.site.access.of(call.caller);
  const rows = (await call.site.store.derived('collections', 'tree rows', () => readRows(call.site.store))).filter(
    ({ id }) => access.may('collection-read', id) && (!permission || access.may(permission, id)),
  );
  const omit = flag(query, 'omit_empty');
  const counts = which || omit ? await countMedia(call, 'all', which ?? 'all') : undefined;
  const options: TreeOptions = {
    counts: which ? counts : undefined,
    additive: flag(query, 'additive_counts'),
    ownCount: call.site.dialect().ownCountInTree,
    omitEmpty: omit ? counts : undefined,
  };
  if (query.root_id && query.root_id !== ARTIFICIAL_ROOT_ID) {
    // An id that is none is unknown, too.
    const root = buildForest(rows, options, parseId(query.root_id) ?? -1)[0];
    if (!root) throw notFound('Collection');
    return { root };
  }
  const realRoot = rows.find((row) => row.parent_id === null);
  return { root: singleRoot(buildForest(rows, options), realRoot, options) };
}

function readRows(store: Store): Promise<readonly Row[]> {
  return store.all<Row>(
    'SELECT id, parent_id, display_name, is_podcast, slug FROM collections ORDER BY display_name COLLATE NOCASE, id',
  );
}

/** Returns the real root, or an artificial one for callers without access to the real one, even above a single collection. */
function singleRoot(forest: TreeNode[], realRoot: Row | undefined, options: TreeOptions): TreeNode {
  const only = forest[0];
  if (forest.length === 1 && only && only.id === String(realRoot?.id)) return only;
  const root: TreeNode = { id: ARTIFICIAL_ROOT_ID, display_name: '', is_podcast: null, slug: '', children: forest };
  if (options.counts) {
    root.media_count = options.additive ? forest.reduce((sum, node) => sum + (node.media_count ?? 0), 0) : 0;
    if (options.additive && options.ownCount) root.own_media_count = 0;
  }
  return root;
}

/**
 * Builds trees from rows. A row whose parent is not among the rows is a root. With `rootId`, only that row's tree is
 * built. That row, or the real root if it is the only one, is kept even if it is empty.
 */
export function buildForest(rows: readonly Row[], options: TreeOptions, rootId?: number): TreeNode[] {
  const ids = new Set(rows.map((row) => row.id));
  const byParent = new Map<number | null, Row[]>();
  for (const row of rows) {
    const parent = row.parent_id !== null && ids.has(row.parent_id) ? row.parent_id : null;
    const siblings = byParent.get(parent);
    if (siblings) siblings.push(row);
    else byParent.set(parent, [row]);
  }
  const roots = rootId === undefined ? (byParent.get(null) ?? []) : rows.filter((row) => row.id === rootId);
  const keep = rootId !== undefined || (roots.length === 1 && roots[0]?.parent_id === null);
  return roots.flatMap((row) => build(row, byParent, options, keep) ?? []);
}

function build(
  row: Row,
  byParent: Map<number | null, Row[]>,
  options: TreeOptions,
  keep: boolean,
): TreeNode | undefined {
  const children = (byParent.get(row.id) ?? []).flatMap((child) => build(child, byParent, options, false) ?? []);
  if (options.omitEmpty && !keep && children.length === 0 && (options.omitEmpty.get(row.id) ?? 0) === 0)
    return undefined;
  const { display_name, slug } = row;
  const node: TreeNode = { id: String(row.id), display_name, is_podcast: row.is_podcast === 1, slug, children };
  if (options.counts) {
    const own = options.counts.get(row.id) ?? 0;
    node.media_count = options.additive ? children.reduce((sum, child) => sum + (child.media_count ?? 0), own) : own;
    if (options.additive && options.ownCount) node.own_media_count = own;
  }
  return node;
}
