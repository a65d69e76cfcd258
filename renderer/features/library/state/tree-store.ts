import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { isLocalId } from '../../../../shared/model/edits/collection-ops.ts';
import { type LatestOnly, latestOnly, untilCancelled } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { preferences, savePreferences } from '../../common/state/preferences.ts';
import { type Marks, NO_MARKS } from './collections/collection-selection.ts';
import { type Branch, childIdsOf, TOP, type TreeData } from './tree-model.ts';

export interface FoundCollection {
  collection: CollectionRow;
  path: string[];
}

interface TreeState extends TreeData {
  siteId: string | null;
  /** The collection whose media are listed; null lists all media. */
  selectedId: string | null;
  /** The key of the line that has the keyboard focus. */
  focusKey: string | null;
  /** The collections that are selected for a command. */
  marks: Marks;
  filter: string;
  /** The collections that match `filter`; null while `filter` is empty, and until the first search is answered. */
  found: FoundCollection[] | null;
  /** Why the search failed. */
  findError: AppErrorData | null;
}

export const useTree = create<TreeState>(() => ({
  siteId: null,
  rows: new Map(),
  branches: new Map(),
  expanded: new Set(preferences().expanded),
  selectedId: null,
  focusKey: null,
  marks: NO_MARKS,
  filter: '',
  found: null,
  findError: null,
}));

const searches = latestOnly();
/** The loads of each branch, by the id of its parent: an older answer never replaces a newer one. */
const branchLoads = new Map<string, LatestOnly>();

/**
 * Empties the tree, loads the top collections of a site and opens the collection that was open there last; null leaves the tree
 * empty.
 */
export function openTree(siteId: string | null): void {
  searches.cancel();
  for (const loads of branchLoads.values()) loads.cancel();
  branchLoads.clear();
  const last = siteId === null ? null : (preferences().openCollections[siteId] ?? null);
  useTree.setState({
    siteId,
    rows: new Map(),
    branches: new Map(),
    filter: '',
    found: null,
    findError: null,
    selectedId: last,
    focusKey: last,
    marks: NO_MARKS,
  });
  if (siteId === null) return;
  void loadBranch(TOP);
  if (last !== null) void reopen(siteId, last);
}

/** Shows the collection that was open last in the tree, unless it is gone or the user opened another one meanwhile. */
async function reopen(siteId: string, id: string): Promise<void> {
  await followSelected(siteId, id);
  const state = useTree.getState();
  if (state.siteId === siteId && state.selectedId === id) await expandAncestors(id);
}

/**
 * Loads the children of a collection and of its expanded descendants. A loaded branch stays visible during the load. So does an
 * error, when the user did not ask to load again (`isQuiet`).
 */
export async function loadBranch(parentId: string, { isQuiet = false } = {}): Promise<void> {
  const { siteId, branches } = useTree.getState();
  if (siteId === null) return;
  const known = branches.get(parentId);
  const before = childIdsOf(known);
  if (before === undefined && !(isQuiet && known?.kind === 'error')) setBranch(parentId, { kind: 'loading' });
  const loads = branchLoads.get(parentId) ?? latestOnly();
  branchLoads.set(parentId, loads);
  const load = loads.begin();
  try {
    const children = await call('library.collections', { siteId, parentId: parentId === TOP ? null : parentId });
    if (load.accept()) takeChildren(parentId, children);
  } catch (thrown) {
    if (load.accept()) setBranch(parentId, { kind: 'error', error: toErrorData(thrown), ids: before });
  }
}

function takeChildren(parentId: string, children: readonly CollectionRow[]): void {
  followMissing(parentId, children);
  const rows = new Map(useTree.getState().rows);
  for (const child of children) rows.set(child.id, child);
  useTree.setState({ rows });
  setBranch(parentId, { kind: 'ready', ids: children.map((child) => child.id) });
  // A single collection at the top is the root: if it were collapsed, it would be the only line of the tree.
  const root = parentId === TOP && children.length === 1 ? children[0] : undefined;
  if (root !== undefined && root.childCount > 0) setExpanded(root.id, true);
  const { expanded } = useTree.getState();
  const { branches } = useTree.getState();
  for (const { id, childCount } of children) {
    const hadChildren = (childIdsOf(branches.get(id))?.length ?? 0) > 0;
    if (childCount > 0 ? expanded.has(id) : hadChildren) void loadBranch(id);
  }
}

function setBranch(parentId: string, branch: Branch): void {
  useTree.setState((state) => ({ branches: new Map(state.branches).set(parentId, branch) }));
}

/** Changes the row of a collection in the tree until the collection is loaded again. */
export function patchRow(id: string, change: Partial<CollectionRow>): void {
  const row = useTree.getState().rows.get(id);
  if (row !== undefined) useTree.setState(({ rows }) => ({ rows: new Map(rows).set(id, { ...row, ...change }) }));
}

/** Expands or collapses a collection, and stores that for the next start. */
export function setExpanded(id: string, isExpanded: boolean): void {
  const state = useTree.getState();
  if (state.expanded.has(id) === isExpanded) return;
  const expanded = new Set(state.expanded);
  if (isExpanded) expanded.add(id);
  else expanded.delete(id);
  useTree.setState({ expanded });
  savePreferences({ expanded: [...expanded] });
  if (isExpanded && state.branches.get(id)?.kind !== 'ready') void loadBranch(id);
}

/** Loads all visible collections again, and repeats a failed search. The visible lines stay until the answers arrive. */
export function reloadTree(): void {
  const { branches, expanded, filter, findError } = useTree.getState();
  if (findError !== null) void filterTree(filter);
  const open = [...branches.keys()].filter((id) => id === TOP || expanded.has(id));
  useTree.setState({ branches: new Map([...branches].filter(([id]) => open.includes(id))) });
  void loadBranch(TOP);
}

/** Returns whether the tree shows an error of a failed load. */
export function hasTreeError(): boolean {
  const { branches, findError } = useTree.getState();
  return findError !== null || [...branches.values()].some(({ kind }) => kind === 'error');
}

/** Loads the visible collections and failed branches again. The visible lines stay until the answers arrive. */
export function refreshTree(): void {
  const { branches, filter, findError } = useTree.getState();
  if (findError !== null) void filterTree(filter);
  const failed = [...branches].filter(([id, { kind }]) => id !== TOP && kind === 'error');
  for (const [id] of [[TOP] as const, ...failed]) void loadBranch(id, { isQuiet: true });
}

/** Selects a collection (null: all media), makes its line visible in the tree, and stores it for the next start. */
export function selectCollection(id: string | null): void {
  const { siteId } = useTree.getState();
  useTree.setState({ selectedId: id, focusKey: id, marks: NO_MARKS });
  if (siteId !== null) saveOpen(siteId, id);
  if (id !== null) void expandAncestors(id);
}

function saveOpen(siteId: string, id: string | null): void {
  const { [siteId]: _before, ...others } = preferences().openCollections;
  savePreferences({ openCollections: id === null ? others : { ...others, [siteId]: id } });
}

const MAX_LEVELS = 100;

/**
 * Keeps the page open of a collection that was created on this computer: the library assigns another id when it creates the
 * collection. Opens the parent collection when the creation was dropped.
 */
export async function followCreation(): Promise<void> {
  const { siteId, selectedId } = useTree.getState();
  if (siteId !== null && selectedId !== null && isLocalId(selectedId)) await followSelected(siteId, selectedId);
}

/** Reads the selected collection when it, or one above it, is no longer where the tree showed it. */
function followMissing(parentId: string, children: readonly CollectionRow[]): void {
  const { siteId, rows, selectedId } = useTree.getState();
  const here = new Set(children.map(({ id }) => id));
  let row = selectedId === null ? undefined : rows.get(selectedId);
  for (let level = 0; row !== undefined && level < MAX_LEVELS; level += 1) {
    if ((row.parentId ?? TOP) === parentId) {
      if (!here.has(row.id) && siteId !== null && selectedId !== null) void followSelected(siteId, selectedId);
      return;
    }
    row = row.parentId === null ? undefined : rows.get(row.parentId);
  }
}

/** Reads the selected collection. Selects it by its new id if the library assigned one, or the nearest one above that exists if it is gone. */
async function followSelected(siteId: string, selectedId: string): Promise<void> {
  const { rows } = useTree.getState();
  const isOpen = () => useTree.getState().siteId === siteId && useTree.getState().selectedId === selectedId;
  try {
    const { collection } = await call('library.collection', { siteId, collectionId: selectedId });
    if (!isOpen()) return;
    useTree.setState((state) => ({ rows: new Map(state.rows).set(collection.id, collection) }));
    if (collection.id === selectedId) return;
    if (useTree.getState().expanded.has(selectedId)) setExpanded(collection.id, true);
    selectCollection(collection.id);
  } catch (thrown) {
    const isGone = toErrorData(thrown).code === 'api.not-found';
    if (isGone && isOpen()) {
      const parentId = rows.get(selectedId)?.parentId ?? null;
      selectCollection(parentId);
      if (parentId !== null) await followSelected(siteId, parentId);
    } else if (!isGone) console.warn('Collection not read', thrown);
  }
}

async function expandAncestors(id: string): Promise<void> {
  const ancestors: string[] = [];
  let row = await loadCollection(id);
  while (row !== null && row.parentId !== null && ancestors.length < MAX_LEVELS) {
    ancestors.unshift(row.parentId);
    row = await loadCollection(row.parentId);
  }
  if (useTree.getState().selectedId !== id) return;
  for (const ancestor of ancestors) setExpanded(ancestor, true);
}

/**
 * Returns a loaded collection, or loads it: a collection that a search found is not in the tree yet. Returns null when that
 * fails.
 */
async function loadCollection(id: string): Promise<CollectionRow | null> {
  const { siteId, rows } = useTree.getState();
  const loaded = rows.get(id);
  if (loaded !== undefined || siteId === null) return loaded ?? null;
  try {
    const { collection } = await call('library.collection', { siteId, collectionId: id });
    if (useTree.getState().siteId !== siteId) return null;
    useTree.setState((state) => ({ rows: new Map(state.rows).set(collection.id, collection) }));
    return collection;
  } catch (thrown) {
    console.warn('Collection not read', thrown);
    return null;
  }
}

/** Stores collections that a search returned, so that their names are available when one of them is opened. */
function rememberCollections(found: readonly FoundCollection[]): void {
  const rows = new Map(useTree.getState().rows);
  for (const { collection } of found) if (!rows.has(collection.id)) rows.set(collection.id, collection);
  useTree.setState({ rows });
}

/**
 * Searches collections by name and stores the result. Calls one of the callbacks with the outcome, unless the caller called the
 * returned function before. Pickers use it; the search of the tree itself is `filterTree`.
 */
export function searchCollections(
  { siteId, text, limit }: { siteId: string; text: string; limit: number },
  onFound: (found: FoundCollection[]) => void,
  onError: (thrown: unknown) => void,
): () => void {
  return untilCancelled(
    call('library.findCollections', { siteId, text: text.trim(), limit }),
    (found) => {
      rememberCollections(found);
      onFound(found);
    },
    onError,
  );
}

/** Shows the collections that match a text instead of the tree; an empty text shows the tree again. */
export async function filterTree(text: string): Promise<void> {
  const { siteId } = useTree.getState();
  const search = searches.begin();
  useTree.setState({ filter: text });
  if (text.trim() === '' || siteId === null) {
    useTree.setState({ found: null, findError: null });
    return;
  }
  try {
    const found = await call('library.findCollections', { siteId, text: text.trim(), limit: 100 });
    if (!search.isLatest()) return;
    rememberCollections(found);
    useTree.setState({ found, findError: null });
  } catch (thrown) {
    if (search.isLatest()) useTree.setState({ found: [], findError: toErrorData(thrown) });
  }
}

/** Returns the collections on the path from the top to a collection, as far as they are loaded. */
export function collectionsOnPath(rows: ReadonlyMap<string, CollectionRow>, id: string): CollectionRow[] {
  const path: CollectionRow[] = [];
  for (let row = rows.get(id); row !== undefined && path.length < MAX_LEVELS; ) {
    path.unshift(row);
    row = row.parentId === null ? undefined : rows.get(row.parentId);
  }
  return path;
}
