import { create } from 'zustand';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import type { ItemPlace, MediaRights, MediaRow } from '../../../../../shared/contract/library.ts';
import { addPlace, MAX_PLACES, type MediaAction } from '../../../../../shared/model/media-rights.ts';
import { delayed } from '../../../../kit/async/delayed.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { warn } from '../../../common/state/messages-store.ts';
import { mediaList } from '../media-store.ts';
import { selectedTarget, type Target } from './media-selection.ts';

/** The actions that the account lacks the right to, by the key of `rightsPlacesOf`. */
const useRights = create<{ known: ReadonlyMap<string, MediaRights> }>(() => ({ known: new Map() }));

/** The most answers that are kept. */
const MOST_KNOWN = 100;
const PAUSE_MS = 150;

/** Renders the component again when the rights to items become known. Does nothing while `isNeeded` is false. */
export function useKnownRights(isNeeded = true): void {
  useRights(({ known }) => (isNeeded ? known : null));
}

/**
 * Returns the reason why the account can't do something with one of the items; null when it can, or when the rights are unknown.
 */
export function refusalOf(target: Target, action: MediaAction): AppErrorData | null {
  return useRights.getState().known.get(keyOf(target))?.[action] ?? null;
}

/** Returns whether the rights of the account to the items were loaded. */
export function areRightsKnown(target: Target): boolean {
  return useRights.getState().known.has(keyOf(target));
}

/** Runs a command, or shows a message with the reason why the account can't use it. */
export function runAllowed(refusal: AppErrorData | null, run: () => void): void {
  if (refusal === null) run();
  else warn(refusal.message, refusal.nextStep);
}

/**
 * Runs a command on items, or shows why the account can't use it. Rights that are not known yet are loaded first: a command that is
 * used right after the selection is no exception.
 */
export async function runIfAllowed(target: Target, action: MediaAction, run: () => void): Promise<void> {
  if (!areRightsKnown(target)) await loadRightsTo(target);
  runAllowed(refusalOf(target, action), run);
}

/** Loads the rights to items. */
export async function loadRightsTo(target: Target): Promise<void> {
  const { selection } = target;
  const { items, key } = placesIn(target);
  try {
    const input = items === null ? { selection } : { siteId: selection.siteId, items };
    const rights = await call('library.rightsOf', input);
    useRights.setState(({ known }) => {
      const others = [...known].filter(([each]) => each !== key).slice(-MOST_KNOWN);
      return { known: new Map([...others, [key, rights]]) };
    });
  } catch (thrown) {
    // Without the rights, the client refuses nothing, and the library decides about each edit.
    console.warn('Permissions not loaded', thrown);
  }
}

const selected = delayed(() => {
  const target = selectedTarget();
  if (target !== null) void loadRightsTo(target);
}, PAUSE_MS);

/** Loads the rights to the selected items after a short delay. Callers call it when the selection changes. */
export function noteSelectedItems(): void {
  selected.postpone();
}

/** `items` null: rows that are not loaded can be in other collections, so the engine has to read the selection. */
interface Places {
  items: ItemPlace[] | null;
  key: string;
}

/**
 * Caches the result of `rightsPlacesOf` for each target and state of the list rows: every command of a menu asks about the same target.
 */
const known = new WeakMap<Target, { query: unknown; version: number; places: Places }>();

function keyOf(target: Target): string {
  return placesIn(target).key;
}

function placesIn(target: Target): Places {
  const { query, version } = mediaList.useList.getState();
  const last = known.get(target);
  if (last !== undefined && last.query === query && last.version === version) return last.places;
  const found = rightsPlacesOf(target, mediaList.loaded());
  const items = found !== null && found.length <= MAX_PLACES ? found : null;
  const { selection } = target;
  const places = { items, key: JSON.stringify(items === null ? selection : [selection.siteId, items]) };
  known.set(target, { query, version, places });
  return places;
}

/**
 * Returns the values that decide about the rights to items: for each of their collections, the item that the account can most
 * likely edit, which is the newest unpublished one. null: the collection of an item is unknown, because its row is not loaded.
 */
export function rightsPlacesOf({ selection, count }: Target, loaded: Iterable<{ row: MediaRow }>): ItemPlace[] | null {
  const best = new Map<string, ItemPlace>();
  const ids = 'ids' in selection ? new Set(selection.ids) : null;
  const except = 'except' in selection ? new Set(selection.except) : null;
  let found = 0;
  for (const { row } of loaded) {
    if (ids?.has(row.id) === false || except?.has(row.id) === true) continue;
    found += 1;
    const { collectionId, createdOn, status } = row;
    addPlace(best, { collectionId, createdOn, status });
  }
  if (found < count) {
    const only = onlyCollection(selection);
    if (only === null) return null;
    best.set(only, { collectionId: only, createdOn: null, status: 'draft' });
  }
  return best.size === 0 ? null : [...best.values()].sort((a, b) => (a.collectionId < b.collectionId ? -1 : 1));
}

/** Returns the only collection that all items of a query are in; null when they can be in several. */
function onlyCollection(selection: Target['selection']): string | null {
  if (!('query' in selection)) return null;
  const { collectionId, includesBelow = false } = selection.query;
  return includesBelow ? null : collectionId;
}
