import { call } from '../../../../kit/bridge/bridge.ts';
import type { Target } from './media-selection.ts';

/** Returns the ids of the selected items, including items that the list has not loaded. Throws if loading them fails. */
export async function idsOf(selection: Target['selection']): Promise<string[]> {
  if ('ids' in selection) return selection.ids;
  const except = new Set(selection.except);
  const { ids } = await call('library.mediaIds', { query: selection.query });
  return ids.filter((id) => !except.has(id));
}
