import type { EditSelection } from '../../../../../shared/contract/edits.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { countSelected, isSelected } from '../../../../kit/lists/selection.ts';
import { mediaList } from '../media-store.ts';

/** The number of selected items of the open list, loaded or not. */
export function useSelectedCount(): number {
  return mediaList.useList(({ selection, total }) => countSelected(selection, total ?? 0));
}

/** The selected items and their number. */
export interface Target {
  selection: EditSelection;
  count: number;
  /** The title of a single item whose row is loaded; null otherwise. */
  title: string | null;
}

let last: { of: ReturnType<typeof mediaList.useList.getState>; target: Target | null } | null = null;

/**
 * Returns the selected items of the open list; null when none is selected. Returns the same object while the list and its
 * selection stay the same, because all commands of a menu call this function.
 */
export function selectedTarget(): Target | null {
  const of = mediaList.useList.getState();
  if (last?.of !== of) last = { of, target: readTarget(of) };
  return last.target;
}

function readTarget({ query, selection, total }: ReturnType<typeof mediaList.useList.getState>): Target | null {
  const count = countSelected(selection, total ?? 0);
  if (query === null || count === 0) return null;
  const { siteId } = query;
  if (selection.except !== undefined) {
    return { selection: { siteId, query, except: [...selection.except] }, count, title: null };
  }
  return { selection: { siteId, ids: [...selection.ids] }, count, title: count === 1 ? titleOf(selection.ids) : null };
}

/**
 * Returns the items that a command on a row applies to: the whole selection when the row is part of it, otherwise only the row.
 */
export function targetOf(id: string): Target | null {
  const { query, selection } = mediaList.useList.getState();
  if (query === null) return null;
  if (isSelected(selection, id)) return selectedTarget();
  return { selection: { siteId: query.siteId, ids: [id] }, count: 1, title: titleOf(new Set([id])) };
}

function titleOf(ids: ReadonlySet<string>): string | null {
  for (const { row } of mediaList.loaded()) if (ids.has(row.id)) return row.title;
  return null;
}

/** Deselects all items. The focused row keeps the focus. */
export function deselectMedia(): void {
  const { selection } = mediaList.useList.getState();
  mediaList.select({ ids: new Set(), focus: selection.focus, anchor: -1 });
}

/** Returns the ids of the selected items, including items that the list has not loaded. Throws if loading them fails. */
export async function selectedItemIds(selection: Target['selection']): Promise<string[]> {
  if ('ids' in selection) return selection.ids;
  const except = new Set(selection.except);
  const { ids } = await call('library.mediaIds', { query: selection.query });
  return ids.filter((id) => !except.has(id));
}
