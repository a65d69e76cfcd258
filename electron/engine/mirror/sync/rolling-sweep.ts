import { walkByCreation } from './created-walk.ts';
import { settleSuspects } from './find-deletions.ts';
import { PER_PAGE, type SyncTools, storePage } from './sync-tools.ts';

/** The time within which the sweep compares every item. */
const SWEEP_MS = 24 * 60 * 60_000;
/** The maximum number of pages in one pass, because more would delay newer changes. */
const MAX_PAGES_IN_A_PASS = 20;

/**
 * Continues the sweep over the whole library: a few pages in each pass, all of it once a day. It finds changes that `modified_on`
 * does not show, and missing items that counts can't show because other items were added. `passMs`: the time between two passes.
 * Returns the number of items that changed.
 */
export async function continueSweep(tools: SyncTools, passMs: number): Promise<number> {
  const { store, clock, rows } = tools;
  const cursor = numberOf(store.state('sweepCursor'));
  const sweptAt = numberOf(store.state('sweptAt'));
  const isUnderWay = cursor !== null;
  const now = clock.now();
  // A last sweep in the future (the clock was set back) does not delay the sweep.
  if (!isUnderWay && sweptAt !== null && now >= sweptAt && now - sweptAt < SWEEP_MS) return 0;
  const passes = Math.max(1, Math.floor(SWEEP_MS / passMs));
  // The quota counts items, because a library may return smaller pages than requested.
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
    // A page within one second would make no progress, so the next page is read.
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
