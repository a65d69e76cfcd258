import { walkByCreation } from './created-walk.ts';
import { settleSuspects } from './find-deletions.ts';
import { PER_PAGE, type SyncTools, storePage } from './sync-tools.ts';

/** Within this time the sweep has compared every item. */
const SWEEP_MS = 24 * 60 * 60_000;
/** More pages in one pass would delay what the user sees. */
const MAX_PAGES_IN_A_PASS = 20;

/**
 * Continues the sweep over the whole library: a few pages in each pass, all of it once a day. It finds changes that
 * `modified_on` does not show, and items that counts can't show because others came instead. `passMs`: the time between
 * two passes. Returns the number of items that changed.
 */
export async function continueSweep(tools: SyncTools, passMs: number): Promise<number> {
  const { store, clock, rows } = tools;
  const cursor = numberOf(store.state('sweepCursor'));
  const sweptAt = numberOf(store.state('sweptAt'));
  const isUnderWay = cursor !== null;
  const now = clock.now();
  // A clock that was set back does not stop the sweep.
  if (!isUnderWay && sweptAt !== null && now >= sweptAt && now - sweptAt < SWEEP_MS) return 0;
  const passes = Math.max(1, Math.floor(SWEEP_MS / passMs));
  // In items, because a service may return smaller pages than those that are asked for.
  const quota = Math.max(PER_PAGE, Math.ceil(rows.count({ from: null, before: null }) / passes));
  return sweepPages(tools, cursor, quota);
}

async function sweepPages(tools: SyncTools, from: number | null, quota: number): Promise<number> {
  const { store, rows, clock } = tools;
  const listed = new Set<string>();
  let changed = 0;
  let pages = 0;
  let items = 0;
  let next: number | null = from;
  let isAll = false;
  for await (const page of walkByCreation(tools, from)) {
    for (const { id } of page.items) listed.add(id);
    changed += await storePage(tools, page);
    pages += 1;
    items += page.items.length;
    isAll = !page.hasNext;
    if (page.listedBefore !== null) next = page.listedBefore;
    // A page within one second would make no progress.
    if ((items >= quota || pages >= MAX_PAGES_IN_A_PASS) && next !== from) break;
  }
  const range = { from, before: isAll ? null : next };
  const missing = isAll || next !== null ? rows.ids(range).filter((id) => !listed.has(id)) : [];
  changed += await settleSuspects(tools, missing);
  store.setState('sweepCursor', isAll ? null : String(next));
  if (isAll) store.setState('sweptAt', String(clock.now()));
  return changed;
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}
