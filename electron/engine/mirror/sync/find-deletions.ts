import type { MediaFilter, MediaItem } from '../../../../shared/api/media.ts';
import { AppError } from '../../../../shared/contract/app-error.ts';
import { countMedia, getMedia } from '../../api/media.ts';
import { apiInstantOf } from '../mirror-rows.ts';
import { walkByCreation } from './created-walk.ts';
import type { CreatedRange } from './sync-rows.ts';
import { incompleteList, listPages, PER_PAGE, type SyncTools, storePage } from './sync-tools.ts';

/** The maximum number of counts: with more, a list of the whole library takes fewer requests. */
const MAX_COUNTS = 400;
/** More vanished items than both of these in one pass need a confirmation by the user. */
const MANY = 50;
const MANY_SHARE = 0.01;
/** How many vanished items are requested by id before any is hidden. */
const SAMPLES = 5;

const EVERYTHING: CreatedRange = { from: null, before: null };

/** A range and the number of items that the library has before its limits. */
interface Counted {
  range: CreatedRange;
  /** Items of the library before `range.from`. */
  below: number;
  /** Items of the library before `range.before`. */
  upTo: number;
}

/**
 * Removes items that the library does not list any more, and adds items that the mirror lacks. Compares counts, divides each
 * range that differs at the middle item of the mirror, and lists ranges of about one page; the whole library when that would take
 * too many counts. `counted`: the number of items that the library had at the beginning of the pass. Returns the number of items that
 * were removed, hidden or added.
 */
export async function syncDeletions(tools: SyncTools, counted: number): Promise<number> {
  const { suspects, added } = await findDifferences(tools, counted);
  const orphans = tools.rows.orphanIds();
  return added + (await settleSuspects(tools, [...suspects, ...orphans]));
}

/** Finds the same differences as `syncDeletions` by listing the whole library. */
export async function syncAll(tools: SyncTools): Promise<number> {
  const { missing, added } = await compareRange(tools, EVERYTHING);
  return added + (await settleSuspects(tools, [...missing, ...tools.rows.orphanIds()]));
}

async function findDifferences(tools: SyncTools, counted: number): Promise<{ suspects: string[]; added: number }> {
  const { rows, client, signal } = tools;
  let counts = 0;
  const countBefore = (filter: MediaFilter) => {
    counts += 1;
    return countMedia(client, filter, signal);
  };
  // The pass may have stored items that were created after the count: then a new count is requested.
  const total = counted === rows.count(EVERYTHING) ? counted : await countBefore({});
  const suspects: string[] = [];
  let added = 0;
  const open: Counted[] = [{ range: EVERYTHING, below: 0, upTo: total }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { range, below, upTo } = next;
    const theirs = upTo - below;
    const mine = rows.count(range);
    if (theirs === mine) continue;
    const boundary = Math.max(theirs, mine) <= PER_PAGE ? null : rows.boundaryIn(range, mine);
    if (boundary === null) {
      const compared = await compareRange(tools, range);
      suspects.push(...compared.missing);
      added += compared.added;
      continue;
    }
    if (counts >= MAX_COUNTS) {
      const compared = await compareRange(tools, EVERYTHING);
      return { suspects: compared.missing, added: added + compared.added };
    }
    const between = await countBefore({ created_before: apiInstantOf(boundary) });
    open.push({ range: { from: boundary, before: range.before }, below: between, upTo });
    open.push({ range: { from: range.from, before: boundary }, below, upTo: between });
  }
  return { suspects, added };
}

/** Lists a range, stores its new items, and returns the ids that the mirror has and the list lacks. */
async function compareRange(tools: SyncTools, range: CreatedRange): Promise<{ missing: string[]; added: number }> {
  const listed = new Set<string>();
  let added = 0;
  const pages =
    range.from === null && range.before === null
      ? walkByCreation(tools, null)
      : listPages(tools, { ...aroundRange(range), sort: 'created_on', order: 'asc' }, true);
  for await (const page of pages) {
    for (const { id } of page.items) listed.add(id);
    added += await storePage(tools, page);
  }
  return { missing: tools.rows.ids(range).filter((id) => !listed.has(id)), added };
}

/** Returns the filter for a range with one more second at both ends, because libraries may include or exclude the limits. */
function aroundRange({ from, before }: CreatedRange): MediaFilter {
  return {
    ...(from === null ? {} : { created_after: apiInstantOf(from - 1) }),
    ...(before === null ? {} : { created_before: apiInstantOf(before + 1) }),
  };
}

/**
 * Decides about items that were not listed: an item is removed only when the library answers 404 or 403 for its id. Many together
 * are hidden after a sample, and stay stored until `removeHidden`. An item with pending edits is never removed. Returns the
 * number of items that lists here show differently. Throws `library.incomplete-list`.
 */
export async function settleSuspects(tools: SyncTools, suspects: readonly string[]): Promise<number> {
  const { rows, store } = tools;
  if (suspects.length === 0) return 0;
  const all = rows.count({ from: null, before: null });
  if (suspects.length > MANY && suspects.length > all * MANY_SHARE) {
    for (const id of sampleOf(suspects)) {
      const moment = store.moment();
      const found = await readIfPresent(tools, id);
      if (found === null) continue;
      store.putAll([found], moment);
      throw incompleteList('an item that was not listed exists');
    }
    store.vanishAll(suspects, (id) => hasEdits(tools, id));
    return suspects.length;
  }
  return removeGone(tools, suspects);
}

/** Removes the hidden items that the library confirms as deleted, one by one. Returns the number of changed items. */
export function removeHidden(tools: SyncTools): Promise<number> {
  return removeGone(tools, tools.rows.hiddenIds());
}

async function removeGone(tools: SyncTools, ids: readonly string[]): Promise<number> {
  const { store } = tools;
  let changed = 0;
  for (const id of ids) {
    const moment = store.moment();
    const found = await readIfPresent(tools, id);
    if (found !== null) changed += store.putAll([found], moment);
    else if (hasEdits(tools, id)) store.vanishAll([id], () => true);
    else if (store.remove(id)) changed += 1;
  }
  return changed;
}

/** Returns whether an item has edits, also one that is being stored: its mark in the lists follows when it is on the disk. */
function hasEdits({ store, hasOpenEdits }: SyncTools, id: string): boolean {
  return store.hasEdits(id) || hasOpenEdits(id);
}

/** Returns the item; null when the library does not have it or hides it. */
async function readIfPresent({ client, signal }: SyncTools, id: string): Promise<MediaItem | null> {
  signal.throwIfAborted();
  try {
    return await getMedia(client, id, signal);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'api.not-found' || error.code === 'api.forbidden')) return null;
    throw error;
  }
}

/** Returns some of the ids, evenly spread. */
function sampleOf(ids: readonly string[]): string[] {
  return Array.from({ length: SAMPLES }, (_, index) => ids[Math.floor((index * ids.length) / SAMPLES)] ?? '').filter(
    (id) => id !== '',
  );
}
