import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MediaItem } from '../../../shared/api/media.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { EditSelection } from '../../../shared/contract/edits.ts';
import { MOST_TABLE_ROWS } from '../../../shared/contract/manifest-calls.ts';
import { recordOf } from '../../../shared/item/fields.ts';
import { cellOf } from '../../../shared/model/manifest/cells.ts';
import { checkRows } from '../../../shared/model/manifest/check-rows.ts';
import { EDITED_MAPPING, editedContext, editedRow } from '../../../shared/model/manifest/edited-cells.ts';
import { FACT_COLUMNS, type FactColumn } from '../../../shared/model/manifest/fields.ts';
import type { Handlers } from '../common/handlers.ts';
import type { Plan, SelectedItems, SelectionLimit } from '../edits/commands/plan-selection.ts';
import { type CollectionIndex, namesOnPath } from '../library/collections/collection-index.ts';
import type { Clock } from '../ports/clock.ts';
import { rowContext } from './collections.ts';
import { factOf, type KnownFiles } from './export-rows.ts';

interface TableTools {
  clock: Clock;
  readItems(selection: EditSelection, limit?: SelectionLimit): Promise<SelectedItems>;
  keepPlan(plan: Plan): string;
  /** null: the account may not list collections. */
  collections(siteId: string): Promise<CollectionIndex | null>;
  /** Returns what is known about the files of items without a request. */
  fileFacts(siteId: string, ids: readonly string[]): KnownFiles;
}

/** The maximum number of collections that a table offers; others are entered by path or id. */
const MOST_OFFERED = 5000;

/** The calls about items that are edited as a table. They read and check rows exactly like an import of a file. */
export function tableHandlers(
  tools: TableTools,
): Pick<Handlers, 'manifest.table' | 'manifest.collections' | 'manifest.checkTable'> {
  return {
    'manifest.table': async ({ selection, timeZone }) => {
      const { siteId } = selection;
      const [selected, collections] = await Promise.all([
        tools.readItems(selection, { most: MOST_TABLE_ROWS, tooMany: () => appError('manifest.table-large') }),
        tools.collections(siteId),
      ]);
      const context = rowContext(collections, { timeZone, nowMs: tools.clock.now() });
      const ids = selected.items.map(({ source }) => source.id);
      const files = tools.fileFacts(siteId, ids);
      return {
        rows: selected.items.map(({ effective, source }) => ({
          item: { ...effective, tags: [...effective.tags] },
          collection: cellOf('collection', effective, context),
          facts: factsOf(source, files, timeZone),
        })),
        missing: selected.missing,
        collections: collections === null ? [] : offeredCollections(collections).map(({ path }) => path),
      };
    },
    'manifest.collections': async ({ siteId }) => {
      const index = await tools.collections(siteId);
      const offered = index === null ? [] : offeredCollections(index);
      const paths = Map.groupBy(offered, ({ path }) => path);
      return { collections: offered.filter(({ path }) => paths.get(path)?.length === 1) };
    },
    'manifest.checkTable': async ({ siteId, rows, timeZone }) => {
      const needsCollections = rows.some(({ cells }) => cells.collection !== undefined);
      const collections = needsCollections ? await tools.collections(siteId) : null;
      const selected = await tools.readItems({ siteId, ids: rows.map(({ id }) => id) });
      await nextTurn();
      const checked = checkRows({
        rows: rows.map(({ id, cells }, at) => editedRow(at + 1, { id }, cells)),
        width: EDITED_MAPPING.length,
        mapping: EDITED_MAPPING,
        items: new Map(selected.items.map((item) => [item.effective.id, item])),
        context: editedContext(rowContext(collections, { timeZone, nowMs: tools.clock.now() })),
      });
      const planId = tools.keepPlan({
        selected: { ...selected, missing: 0 },
        change: null,
        rows: checked.planned.map(({ item, ops }) => ({ item, ops, problem: null })),
        unchanged: checked.unchanged,
      });
      return {
        planId,
        changed: checked.planned.length,
        unchanged: checked.unchanged,
        problems: checked.problems.map(({ row, column, code }) => ({
          id: rows[row - 1]?.id ?? '',
          field: EDITED_MAPPING[column ?? -1] ?? null,
          error: appError(code).toData(),
        })),
      };
    },
  };
}

function factsOf(item: MediaItem, files: KnownFiles, timeZone: string): Record<FactColumn, string> {
  return recordOf(FACT_COLUMNS, (column) => factOf(column, item, files.get(item.id), { timeZone, isOnScreen: true }));
}

function offeredCollections(index: CollectionIndex): { id: string; path: string }[] {
  const offered: { id: string; path: string }[] = [];
  for (const id of index.nodes.keys()) {
    if (offered.length >= MOST_OFFERED) break;
    offered.push({ id, path: namesOnPath(index, id).join(' / ') });
  }
  return offered.sort((one, other) => one.path.localeCompare(other.path));
}
