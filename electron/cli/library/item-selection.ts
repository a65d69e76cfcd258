import type { EditSelection } from '../../../shared/contract/edits.ts';
import type { Engine } from '../../engine/engine.ts';
import { type OptionSpec, type OptionValues, optionText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { mediaQueryOf } from './each-item.ts';
import { type ItemQuery, QUERY_OPTIONS, readItemQuery } from './query-options.ts';

/** The items that a command changes: by their ids, or all items of a query. */
export interface ItemSelection {
  ids: readonly string[];
  /** null: only the ids. */
  query: ItemQuery | null;
}

const { sort: _sort, order: _order, ...FILTERS } = QUERY_OPTIONS;

/** The options that select items by a query in commands whose operands are ids; `readItemSelection` reads them. */
export const ITEM_SELECTION_OPTIONS = {
  query: { value: 'TEXT', help: 'All items with this text; an empty text with filters, or for the whole library.' },
  ...FILTERS,
} as const satisfies Record<string, OptionSpec>;

/** Reads the operands and `ITEM_SELECTION_OPTIONS`. Throws `UsageError` when there are both ids and a query, or neither. */
export function readItemSelection(values: OptionValues, ids: readonly string[]): ItemSelection {
  const isQuery = Object.keys(ITEM_SELECTION_OPTIONS).some((name) => values[name] !== undefined);
  if (isQuery && ids.length > 0) throw new UsageError('Enter either the IDs of items or a query.');
  if (!isQuery && ids.length === 0) throw new UsageError('Enter the IDs of items, or use --query.');
  return { ids, query: isQuery ? readItemQuery(values, optionText(values, 'query') ?? '') : null };
}

/**
 * Returns the selection with the id of the query's collection. Throws `api.not-found`, and `input.invalid` when several
 * collections match.
 */
export async function editSelectionOf(
  engine: Engine,
  siteId: string,
  { ids, query }: ItemSelection,
): Promise<EditSelection> {
  if (query === null) return { siteId, ids: [...ids] };
  return { siteId, query: await mediaQueryOf(engine, siteId, query), except: [] };
}
