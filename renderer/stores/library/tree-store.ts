import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { CollectionRow } from '../../../shared/contract/library.ts';
import { call } from '../../bridge/bridge.ts';
import { toErrorData } from '../../text/errors.ts';
import { preferences, savePreferences } from '../app/preferences.ts';
import { type Branch, TOP, type TreeData } from './tree-model.ts';

export interface FoundCollection {
  collection: CollectionRow;
  path: string[];
}

interface TreeState extends TreeData {
  siteId: string | null;
  /** The collection whose media are listed; null lists all media. */
  selectedId: string | null;
  /** The line that the keyboard is at. */
  focusKey: string | null;
  filter: string;
  found: FoundCollection[] | null;
  /** Why the search could not be done. */
  findError: AppErrorData | null;
}

export const useTree = create<TreeState>(() => ({
  siteId: null,
  rows: new Map(),
  branches: new Map(),
  expanded: new Set(preferences().expanded),
  selectedId: null,
  focusKey: null,
  filter: '',
  found: null,
  findError: null,
}));

/** Starts over for a site (or for none). */
export function openTree(siteId: string | null): void {
  filterTurn += 1;
  useTree.setState({
    siteId,
    rows: new Map(),
    branches: new Map(),
    filter: '',
    found: null,
    findError: null,
    selectedId: null,
  });
  if (siteId !== null) void loadBranch(TOP);
}

/** Loads the children of a collection, and of those below it that are open. */
export async function loadBranch(parentId: string): Promise<void> {
  const { siteId, branches } = useTree.getState();
  if (siteId === null) return;
  if (branches.get(parentId)?.kind !== 'ready') setBranch(parentId, { kind: 'loading' });
  try {
    const children = await call('library.collections', { siteId, parentId: parentId === TOP ? null : parentId });
    if (useTree.getState().siteId !== siteId) return;
    const rows = new Map(useTree.getState().rows);
    for (const child of children) rows.set(child.id, child);
    useTree.setState({ rows });
    setBranch(parentId, { kind: 'ready', ids: children.map((child) => child.id) });
    // One collection at the top is a root: open it, or the person sees a tree of one line.
    const only = parentId === TOP && children.length === 1 ? children[0] : undefined;
    if (only !== undefined && only.childCount > 0) setExpanded(only.id, true);
    const { expanded } = useTree.getState();
    for (const child of children) {
      if (expanded.has(child.id) && child.childCount > 0) void loadBranch(child.id);
    }
  } catch (thrown) {
    if (useTree.getState().siteId !== siteId) return;
    setBranch(parentId, { kind: 'error', error: toErrorData(thrown) });
  }
}

function setBranch(parentId: string, branch: Branch): void {
  useTree.setState((state) => ({ branches: new Map(state.branches).set(parentId, branch) }));
}

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

/** Asks again for all that is shown; what stands there stays until the answer comes. */
export function reloadTree(): void {
  const { branches, expanded, filter, findError } = useTree.getState();
  if (findError !== null) void filterTree(filter);
  const open = [...branches.keys()].filter((id) => id === TOP || expanded.has(id));
  useTree.setState({ branches: new Map([...branches].filter(([id]) => open.includes(id))) });
  void loadBranch(TOP);
}

/** Opens a collection (null: all media) and shows it in the tree, wherever it was reached from. */
export function selectCollection(id: string | null): void {
  useTree.setState({ selectedId: id, focusKey: id });
  if (id !== null) void reveal(id);
}

const MOST_LEVELS = 100;

/** Opens what is above a collection, so that its line is there. */
async function reveal(id: string): Promise<void> {
  const above: string[] = [];
  let row = await learnCollection(id);
  while (row !== null && row.parentId !== null && above.length < MOST_LEVELS) {
    above.unshift(row.parentId);
    row = await learnCollection(row.parentId);
  }
  if (useTree.getState().selectedId !== id) return;
  for (const parentId of above) setExpanded(parentId, true);
}

/** What is known of a collection; asked for when it was reached by search, not by opening the tree. */
async function learnCollection(id: string): Promise<CollectionRow | null> {
  const { siteId, rows } = useTree.getState();
  const known = rows.get(id);
  if (known !== undefined || siteId === null) return known ?? null;
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

/** Remembers collections that a search brought, so that their names are known. */
export function rememberCollections(found: readonly FoundCollection[]): void {
  const rows = new Map(useTree.getState().rows);
  for (const { collection } of found) if (!rows.has(collection.id)) rows.set(collection.id, collection);
  useTree.setState({ rows });
}

let filterTurn = 0;

/** Narrows the tree to collections that match; an empty text shows the tree again. */
export async function filterTree(text: string): Promise<void> {
  const { siteId } = useTree.getState();
  const turn = ++filterTurn;
  useTree.setState({ filter: text });
  if (text.trim() === '' || siteId === null) {
    useTree.setState({ found: null, findError: null });
    return;
  }
  try {
    const found = await call('library.findCollections', { siteId, text: text.trim(), limit: 100 });
    if (turn !== filterTurn) return;
    rememberCollections(found);
    useTree.setState({ found, findError: null });
  } catch (thrown) {
    if (turn === filterTurn) useTree.setState({ found: [], findError: toErrorData(thrown) });
  }
}

/** The names from the top down to a collection, as far as the tree knows them. */
export function pathOf(rows: ReadonlyMap<string, CollectionRow>, id: string): CollectionRow[] {
  const path: CollectionRow[] = [];
  for (let row = rows.get(id); row !== undefined && path.length < 50; ) {
    path.unshift(row);
    row = row.parentId === null ? undefined : rows.get(row.parentId);
  }
  return path;
}
