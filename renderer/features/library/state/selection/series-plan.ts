import type { EditFieldChange, EditPlan, EditSelection } from '../../../../../shared/contract/edits.ts';
import type { Series } from '../../../../../shared/contract/series.ts';
import type { SeriesOrder } from '../../../../../shared/model/series/series-limits.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { followGroup } from '../../../edits/state/follow-group.ts';
import { mediaList } from '../media-store.ts';
import { texts } from '../texts.ts';

/** The effect of a series on a selection. Nothing is changed yet. */
export interface SeriesPlan {
  planId: string;
  /** The items that get another time, in the order of publication. */
  rows: EditPlan['rows'];
  unchanged: number;
  missing: number;
}

const PAGE = 500;

/** Returns the times of the selected items in an order. Throws if reading them fails, and when the series has no times. */
export async function planSeries(selection: EditSelection, series: Series, order: SeriesOrder): Promise<SeriesPlan> {
  const change = { publication: { kind: 'series', series, order } } as const;
  const plan = await call('edits.plan', { selection, change, limit: PAGE });
  const rows = [...plan.rows];
  while (rows.length < plan.total) {
    const page = { selection: { siteId: selection.siteId, ids: [] }, change: {}, planId: plan.planId };
    const next = (await call('edits.plan', { ...page, offset: rows.length, limit: PAGE })).rows;
    if (next.length === 0) break;
    rows.push(...next);
  }
  return { planId: plan.planId, rows, unchanged: plan.unchanged, missing: plan.missing };
}

/** Applies a plan as one edit. Throws if it fails. */
export async function applySeries(planId: string): Promise<void> {
  const { group } = await call('edits.apply', { planId, except: [], label: texts.selection.labels.schedule });
  if (group !== null) followGroup(group);
}

/** Returns the publish time of a planned row, epoch milliseconds; null when the row has none. */
export function plannedTime({ changes }: EditPlan['rows'][number]): number | null {
  const publication = publicationOf(changes.find(({ field }) => field === 'publication')?.after ?? null);
  return publication?.publishOn == null ? null : Date.parse(publication.publishOn);
}

/** Returns whether the item of a planned row is published now. */
export function isPublicNow({ changes }: EditPlan['rows'][number]): boolean {
  return publicationOf(changes.find(({ field }) => field === 'publication')?.before ?? null)?.status === 'published';
}

function publicationOf(value: EditFieldChange['after']): { status: string; publishOn: string | null } | null {
  return typeof value === 'object' && value !== null && 'publishOn' in value ? value : null;
}

/**
 * Returns a selection whose items are in the order of the open list. Single items were selected in any order; those that the list
 * doesn't have come last and keep their order. Throws if reading the order fails.
 */
export async function inListOrder(selection: EditSelection): Promise<EditSelection> {
  if (!('ids' in selection)) return selection;
  const order = new Map<string, number>();
  for (const { index, row } of mediaList.loaded()) order.set(row.id, index);
  if (!selection.ids.every((id) => order.has(id))) {
    const { query } = mediaList.useList.getState();
    if (query === null) return selection;
    order.clear();
    const { ids } = await call('library.mediaIds', { query });
    for (const [index, id] of ids.entries()) order.set(id, index);
  }
  const placeOf = (id: string) => order.get(id) ?? order.size;
  const ids = selection.ids.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { ...selection, ids };
}
