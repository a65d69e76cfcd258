import { ARTIFICIAL_ROOT_ID, type Collection, type CollectionTreeNode } from '../../../../shared/api/collections.ts';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { NATURAL_ORDER } from '../../../../shared/model/natural-order.ts';

/** The collections of a site as a forest, with access by id. */
export interface CollectionIndex {
  /** The top rows, sorted by name. */
  top: string[];
  nodes: ReadonlyMap<string, IndexedCollection>;
}

interface IndexedCollection {
  row: CollectionRow;
  /** By name. */
  readonly children: string[];
}

/** A collection without the values that are derived from others. */
export interface StoredEntry extends Pick<CollectionRow, 'pending' | 'needsDecision'> {
  id: string;
  parentId: string | null;
  displayName: string;
  slug: string;
  isPodcast: boolean;
  mediaCount: number | null;
}

/**
 * Returns the collections among the nodes of the tree endpoint, one by one. The real root is a collection, because it can contain
 * media. An artificial root is none: its children are the top rows.
 */
export function* entriesOfTree(nodes: Iterable<CollectionTreeNode>): Generator<StoredEntry> {
  for (const { id, parent_id, display_name, slug, is_podcast, media_count } of nodes) {
    if (id === ARTIFICIAL_ROOT_ID) continue;
    yield {
      id,
      parentId: parent_id === ARTIFICIAL_ROOT_ID ? null : parent_id,
      displayName: display_name,
      slug,
      isPodcast: is_podcast === true,
      mediaCount: media_count,
    };
  }
}

/** Returns a collection of the flat list, in which some parents may be missing. */
export function entryOfList(collection: Collection): StoredEntry {
  const { id, parent_id: parentId, display_name: displayName, slug, media_count: mediaCount } = collection;
  return { id, parentId, displayName, slug, isPodcast: collection.is_podcast, mediaCount };
}

/** Returns a valid forest of any collections: each id once, no cycles, no missing parents. */
export function forestOf(entries: readonly StoredEntry[]): StoredEntry[] {
  const byId = new Map<string, StoredEntry>();
  for (const entry of entries) if (!byId.has(entry.id)) byId.set(entry.id, entry);
  const parents = parentsWithoutCircles(byId);
  return Array.from(byId.values(), (entry) => {
    const parentId = parents.get(entry.id) ?? null;
    return parentId === entry.parentId ? entry : { ...entry, parentId };
  });
}

/** Returns the names from the top of the tree to `id`, including its own. */
export function namesOnPath(index: CollectionIndex, id: string): string[] {
  const path: string[] = [];
  for (let node = index.nodes.get(id); node !== undefined; node = index.nodes.get(node.row.parentId ?? '')) {
    path.unshift(node.row.displayName);
  }
  return path;
}

/** Returns a collection and all below it, parents before their children; empty for an unknown id. */
export function idsFrom(index: CollectionIndex, id: string): string[] {
  const ids = index.nodes.has(id) ? [id] : [];
  // The list grows while it is walked.
  for (const each of ids) for (const child of index.nodes.get(each)?.children ?? []) ids.push(child);
  return ids;
}

/** Children are sorted on first use, because few nodes of a large tree are opened. */
class IndexedNode implements IndexedCollection {
  readonly row: CollectionRow;
  readonly #names: ReadonlyMap<string, IndexedNode>;
  readonly #children: string[] = [];
  #isSorted = true;

  constructor(row: CollectionRow, names: ReadonlyMap<string, IndexedNode>) {
    this.row = row;
    this.#names = names;
  }

  add(id: string): void {
    this.#children.push(id);
    this.row.childCount++;
    this.#isSorted = false;
  }

  get unsortedChildren(): readonly string[] {
    return this.#children;
  }

  get children(): string[] {
    if (!this.#isSorted) sortByName(this.#children, this.#names);
    this.#isSorted = true;
    return this.#children;
  }
}

function sortByName(ids: string[], nodes: ReadonlyMap<string, IndexedNode>): void {
  const name = (id: string) => nodes.get(id)?.row.displayName ?? '';
  ids.sort((x, y) => NATURAL_ORDER.compare(name(x), name(y)));
}

/** Builds the index of any collections. */
export function indexOf(entries: readonly StoredEntry[]): CollectionIndex {
  const nodes = new Map<string, IndexedNode>();
  for (const entry of forestOf(entries)) {
    const { id, parentId, displayName, slug, isPodcast, mediaCount, pending, needsDecision } = entry;
    const marks = { ...(pending ? { pending } : {}), ...(needsDecision ? { needsDecision } : {}) };
    const facts = { id, parentId, displayName, slug, isPodcast, mediaCount, ...marks };
    const row: CollectionRow = { ...facts, mediaCountBelow: 0, childCount: 0 };
    nodes.set(id, new IndexedNode(row, nodes));
  }
  const top: string[] = [];
  for (const [id, { row }] of nodes) {
    if (row.parentId === null) top.push(id);
    else nodes.get(row.parentId)?.add(id);
  }
  sortByName(top, nodes);
  countBelow(top, nodes);
  return { top, nodes };
}

/** Adds up the items below each collection, from the leaves up. */
function countBelow(top: readonly string[], nodes: ReadonlyMap<string, IndexedNode>): void {
  const fromTheTop = [...top];
  // The list grows during the loop: each collection comes after its parent.
  for (const id of fromTheTop) for (const child of nodes.get(id)?.unsortedChildren ?? []) fromTheTop.push(child);
  for (const id of fromTheTop.reverse()) {
    const row = nodes.get(id)?.row;
    const parent = row === undefined || row.parentId === null ? undefined : nodes.get(row.parentId)?.row;
    if (row === undefined || parent === undefined || parent.mediaCountBelow === null) continue;
    const isKnown = row.mediaCount !== null && row.mediaCountBelow !== null;
    parent.mediaCountBelow = isKnown
      ? parent.mediaCountBelow + (row.mediaCount ?? 0) + (row.mediaCountBelow ?? 0)
      : null;
  }
}

/** Returns the parent of each collection. A missing parent counts as none, and so does a parent that would close a cycle. */
function parentsWithoutCircles(byId: ReadonlyMap<string, StoredEntry>): Map<string, string | null> {
  const parents = new Map<string, string | null>();
  const isSafe = new Set<string>();
  for (const { id, parentId } of byId.values()) {
    parents.set(id, parentId !== null && byId.has(parentId) ? parentId : null);
  }
  for (const id of byId.keys()) {
    if (isSafe.has(id)) continue;
    const walked = new Set<string>();
    let last = id;
    for (let at: string | null = id; at !== null && !isSafe.has(at); at = parents.get(at) ?? null) {
      if (walked.has(at)) {
        parents.set(last, null);
        break;
      }
      walked.add(at);
      last = at;
    }
    for (const seen of walked) isSafe.add(seen);
  }
  return parents;
}
