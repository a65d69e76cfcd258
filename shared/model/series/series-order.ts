import { NATURAL_ORDER } from '../natural-order.ts';
import type { SeriesOrder } from './series-limits.ts';

/** Returns items in the order in which a series gives them times. Items with equal titles keep their order. */
export function inSeriesOrder<Item>(
  items: readonly Item[],
  order: SeriesOrder,
  titleOf: (item: Item) => string,
): readonly Item[] {
  if (order === 'listed') return items;
  if (order === 'reversed') return items.toReversed();
  return items.toSorted((one, other) => NATURAL_ORDER.compare(titleOf(one), titleOf(other)));
}
