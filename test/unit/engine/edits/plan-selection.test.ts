import { expect, it } from 'vitest';
import type { SiteClient } from '../../../../electron/engine/api/http-client.ts';
import {
  planSelection,
  type ReadTools,
  readSelectedItems,
  shownPlan,
} from '../../../../electron/engine/edits/commands/plan-selection.ts';
import type { Mirrors } from '../../../../electron/engine/mirror/mirrors.ts';
import type { MediaItem } from '../../../../shared/api/media.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { mediaQuerySchema } from '../../../../shared/contract/library.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const item = (id: string) =>
  ({
    id,
    title: id,
    byline: '',
    description: '',
    tags: [],
    collection_id: '1',
    status: 'draft',
    publish_on: null,
  }) as unknown as MediaItem;
const LIMIT = { most: 3, tooMany: () => appError('manifest.table-large') };
const QUERY = { siteId: 's1', query: mediaQuerySchema.parse({ siteId: 's1' }), except: ['2'] };

/** Creates a library of 100 items. `copied`: the local copy contains them. `reads` counts the items that were read. */
function library(copied: boolean) {
  const ids = Array.from({ length: 100 }, (_, at) => String(at + 1));
  const counted = { reads: 0 };
  const read = (id: string) => {
    counted.reads += 1;
    return item(id);
  };
  const mirrors = {
    ids: () => (copied ? ids : null),
    storedItems: (_siteId: string, some: readonly string[]) => new Map(some.map((id) => [id, () => read(id)])),
  } as unknown as Mirrors;
  const tools: ReadTools = {
    clock: new ManualClock(),
    mirrors,
    clientFor: () => ({}) as SiteClient,
    async *itemsOf() {
      for (const id of ids) yield read(id);
    },
    pendingOps: () => [],
    onDidEdit: () => () => {},
    onProgress: () => {},
  };
  return { tools, counted };
}

it.for([
  ['a query of the local copy', QUERY, true, 0],
  ['a query of the library', QUERY, false, 5],
  ['a list of ids', { siteId: 's1', ids: ['1', '2', '3', '4', '4'] }, true, 0],
] as const)('a selection above the limit is not read completely: %s', async ([, selection, copied, reads]) => {
  const { tools, counted } = library(copied);
  await expect(readSelectedItems({ ...selection } as never, tools, LIMIT)).rejects.toMatchObject({
    code: 'manifest.table-large',
  });
  expect(counted.reads).toBe(reads);
});

it('a selection of exactly as many items as the limit is read', async () => {
  const { tools } = library(true);
  const { items } = await readSelectedItems({ siteId: 's1', ids: ['1', '2', '3', '3'] }, tools, LIMIT);
  expect(items.map(({ effective }) => effective.id)).toEqual(['1', '2', '3']);
});

it('a planned deletion parses only the items of the shown rows', async () => {
  const { tools, counted } = library(true);
  const selected = await readSelectedItems({ ...QUERY } as never, tools);
  const plan = await planSelection(selected, { delete: true }, 0);
  expect(shownPlan('p1', plan, 0, 5)).toMatchObject({ items: 99, changed: 99, total: 99, byField: { item: 99 } });
  expect(counted.reads).toBe(5);
  // The op contains the hash of the item, so the item is parsed, but only once.
  expect(plan.rows[5]?.ops).toMatchObject([{ kind: 'delete' }]);
  expect(plan.rows[5]?.ops).toHaveLength(1);
  expect(counted.reads).toBe(6);
});
