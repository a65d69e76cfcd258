import { mediaPages } from '../../api/media.ts';
import { secondsOf } from '../mirror-rows.ts';
import { isRepeated } from './created-walk.ts';
import { incompleteList, listPages, type SyncTools, storePage } from './sync-tools.ts';

/** How far before the newest known change a pass reads: instants have whole seconds, and changes may commit late. */
const OVERLAP_SECONDS = 120;
/** While the first page keeps changing, the pass is repeated, at most so often. */
const MAX_ROUNDS = 5;
/** The first page decides whether anything changed. */
const NEWEST_FIRST = { sort: 'modified_on', order: 'desc' } as const;

/** Returns the instant of the library's last change in epoch seconds; null for an empty library. */
export async function newestChange({ client, signal }: SyncTools): Promise<number | null> {
  const { value } = await mediaPages(client, { ...NEWEST_FIRST, per_page: 1 }, signal).next();
  return secondsOf(value?.items[0]?.modified_on ?? null);
}

/**
 * Reads what changed since the last pass, the newest first, until a whole page is older than the stored instant less
 * the overlap. The instant is stored only after a complete pass, and the pass is repeated while the first page holds
 * anything new, because items move to the front while pages are read. Returns the number of items that changed.
 */
export async function incrementalSync(tools: SyncTools): Promise<number> {
  let changed = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = await readChanges(tools);
    changed += found;
    if (found === 0) break;
  }
  return changed;
}

async function readChanges(tools: SyncTools): Promise<number> {
  const { store } = tools;
  const watermark = Number(store.state('watermark') ?? 0);
  const oldest = watermark - OVERLAP_SECONDS;
  const seen = new Set<string>();
  let newest = watermark;
  let changed = 0;
  for await (const page of listPages(tools, NEWEST_FIRST, false)) {
    if (isRepeated(page, seen)) throw incompleteList('a page contains only items of earlier pages');
    changed += await storePage(tools, page);
    const { items } = page;
    let isOld = true;
    for (const item of items) {
      const seconds = secondsOf(item.modified_on);
      if (seconds === null) continue;
      newest = Math.max(newest, seconds);
      if (seconds >= oldest) isOld = false;
    }
    if (isOld && items.length > 0) break;
  }
  if (newest > watermark) store.setState('watermark', String(newest));
  return changed;
}
