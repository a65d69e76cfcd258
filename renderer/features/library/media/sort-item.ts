import type { MediaQuery } from '../../../../shared/contract/library.ts';
import { selectItem, type ToolbarItem } from '../../../kit/components/toolbar/overflow-toolbar.tsx';
import { changeQuery } from '../state/media-store.ts';
import { texts } from './texts.ts';

interface Order {
  sort: MediaQuery['sort'];
  order: 'asc' | 'desc';
  label: string;
}

const ORDERS: readonly Order[] = [
  { sort: 'created_on', order: 'desc', label: texts.sort.newest },
  { sort: 'created_on', order: 'asc', label: texts.sort.oldest },
  { sort: 'modified_on', order: 'desc', label: texts.sort.changed },
  { sort: 'publish_on', order: 'desc', label: texts.sort.published },
  { sort: 'title', order: 'asc', label: texts.sort.title },
  { sort: 'title', order: 'desc', label: texts.sort.titleDown },
  { sort: 'popularity', order: 'desc', label: texts.sort.popularity },
];
const BEST_MATCH: Order = { sort: 'relevance', order: 'desc', label: texts.sort.relevance };

const keyOf = ({ sort, order }: Pick<Order, 'sort' | 'order'>) => `${sort} ${order}`;

/** The order of the items, as a choice in the toolbar. Only a search has a best match. */
export function sortItem(query: MediaQuery): ToolbarItem {
  const orders = query.search === '' ? ORDERS : [...ORDERS, BEST_MATCH];
  return selectItem({
    id: 'sort',
    label: texts.sort.label,
    value: keyOf(query),
    options: orders.map((each) => ({ value: keyOf(each), label: each.label })),
    onChange: (value) => {
      const chosen = orders.find((each) => keyOf(each) === value);
      if (chosen !== undefined) changeQuery({ sort: chosen.sort, order: chosen.order });
    },
  });
}
