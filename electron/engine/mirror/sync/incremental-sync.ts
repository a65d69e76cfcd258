import type { MediaItem } from '../../../../shared/api/media.ts';
import { mediaPages } from '../../api/media.ts';
import { secondsOf } from '../mirror-rows.ts';
import { isRepeated } from './created-walk.ts';
import { incompleteList, listPages, type SyncTools, storePage } from './sync-tools.ts';

/** How far before the newest known change a pass reads: instants have whole seconds, and changes may commit late. */
const OVERLAP_SECONDS = 120;
/** The maximum number of repeated reads while the read pages keep changing. */
const MAX_ROUNDS = 5;
/** The largest plausible delay: a library whose clock is further behind has a wrong `Date` header. */
const LARGEST_DELAY_SECONDS = 24 * 60 * 60;
/** The order in which the first page shows whether anything changed. */
const NEWEST_FIRST = { sort: 'modified_on', order: 'desc' } as const;

/**
 * Returns the instant of the library's last change in epoch seconds, at most the library's current time; null for an empty
 * library.
 */
export async function newestChange(tools: SyncTools): Promise<number | null> {
  const { client, signal } = tools;
  const { value } = await mediaPages(client, { ...NEWEST_FIRST, per_page: 1 }, signal).next();
  const seconds = secondsOf(value?.items[0]?.modified_on ?? null);
  return seconds === null ? null : notInFuture(tools, seconds);
}

/**
 * Reads the changes since the last pass, the newest first, until the list reaches further back than the stored instant less the
 * overlap. All of it is read again until nothing in it is new: while pages are read, changed items move to the front, and a
 * deletion moves the first item of a page that follows to a page that was read before. The instant is stored only after that.
 * Returns the number of items that changed.
 */
export async function incrementalSync(tools: SyncTools): Promise<number> {
  const { store } = tools;
  const watermark = Number(store.state('watermark') ?? 0);
  let newest = watermark;
  let changed = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = await readChanges(tools, watermark);
    newest = Math.max(newest, found.newest);
    changed += found.changed;
    if (found.changed === 0) break;
  }
  const next = notInFuture(tools, newest);
  if (next !== watermark) store.setState('watermark', String(next));
  return changed;
}

async function readChanges(tools: SyncTools, watermark: number): Promise<{ changed: number; newest: number }> {
  const seen = new Set<string>();
  let newest = watermark;
  let changed = 0;
  for await (const page of listPages(tools, NEWEST_FIRST, false)) {
    if (isRepeated(page, seen)) throw incompleteList('a page contains only items of earlier pages');
    changed += await storePage(tools, page);
    const instants = instantsOf(page.items);
    newest = Math.max(newest, ...instants.filter((seconds) => seconds !== null));
    if (reachesBehind(instants, notInFuture(tools, watermark) - OVERLAP_SECONDS)) break;
  }
  return { changed, newest };
}

/**
 * Limits an instant of change to the library's current time. Libraries contain items from the future, and clocks are set back:
 * new changes then follow after items that are known.
 */
function notInFuture({ client, clock }: SyncTools, seconds: number): number {
  const serverNow = client.serverClock.now();
  if (serverNow === null) return seconds;
  return Math.min(
    seconds,
    Math.max(Math.floor(serverNow / 1000), Math.floor(clock.now() / 1000) - LARGEST_DELAY_SECONDS),
  );
}

function instantsOf(items: readonly MediaItem[]): (number | null)[] {
  return items.map(({ modified_on }) => secondsOf(modified_on));
}

/** Returns whether no later page has an item from second `oldest` on. A page that is not in order must be older as a whole. */
function reachesBehind(instants: readonly (number | null)[], oldest: number): boolean {
  const last = instants.at(-1);
  if (last === undefined) return false;
  const isInOrder = instants.every((seconds, index) => {
    const before = instants[index - 1];
    return seconds !== null && (before === undefined || (before !== null && seconds <= before));
  });
  return isInOrder ? last !== null && last < oldest : instants.every((seconds) => seconds === null || seconds < oldest);
}
