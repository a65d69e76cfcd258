import type { MediaItem } from '../../../shared/api/media.ts';
import type { TagMergeOutcome } from '../../../shared/contract/admin/admin-calls.ts';
import type { TagRow } from '../../../shared/contract/admin/people.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { endsAll } from '../../../shared/contract/errors/error-catalog.ts';
import type { SiteClient } from '../api/http-client.ts';
import { addTags, countMedia, getMedia, mediaPages, removeTags, updateMedia } from '../api/media.ts';
import { deleteTags, getTag } from '../api/tags.ts';
import { inParallel } from '../common/in-parallel.ts';
import { asAdministrator } from './directories.ts';
import { orNull } from './outcome.ts';

/** The number of items that are changed at once. */
const ITEMS_AT_ONCE = 4;
/** Other people may give a tag to further items meanwhile: that often its items are changed before it is kept. */
const MOST_ROUNDS = 3;

type FailedItem = TagMergeOutcome['failed'][number];

/** One merge: its tags, and what happened to the items so far. */
export interface TagMerge {
  client: SiteClient;
  keptId: string;
  /** The name that replaces the others, as it was read last. */
  kept: string;
  /** The names that the kept tag had earlier during the merge. */
  formerly: Set<string>;
  /** The names that are replaced, exactly as the library writes them. */
  others: Set<string>;
  /** Ends the merge between two items. */
  stop: AbortSignal;
  changed: Set<string>;
  failed: Map<string, FailedItem>;
  /** Called before an item is read; the returned function stores what was read. */
  beginRead(): (item: MediaItem) => void;
  /** Called when the items of a tag are listed. */
  onListed(tag: TagRow, items: number): void;
  /** Called after each of them. */
  onItem(): void;
}

/**
 * Gives the kept tag to all items with another tag, removes that one from them, and deletes it when no item has it any more. Throws
 * `admin.tag-in-use` when some have it still, or when some of the items that the library counts can't be read; `admin.stopped`; and errors that concern all later items as well. After each of them, the
 * same merge completes what is missing.
 */
export async function mergeTag(merge: TagMerge, tag: TagRow): Promise<void> {
  if ((await nameOf(merge.client, tag)) === null) return;
  let { items, listed, damaged } = await itemsWith(merge, tag.name);
  merge.onListed(tag, items.length);
  for (let round = 0; round < MOST_ROUNDS && items.some(({ id }) => !merge.failed.has(id)); round++) {
    await replaceOn(merge, items);
    ({ items, listed, damaged } = await itemsWith(merge, tag.name));
  }
  const unlisted = Math.max(damaged, (await countMedia(merge.client, { tag: tag.name })) - listed);
  const left = items.length + unlisted;
  if (left > 0) throw appError('admin.tag-in-use', { details: { items: left, unreadable: damaged } });
  // Its items were found by its name: under another one, other items could have it.
  if ((await nameOf(merge.client, tag)) !== null) await asAdministrator(deleteTags(merge.client, [tag.id]));
}

/** Returns the name of a tag that is merged; null when it does not exist any more. Throws `admin.tag-renamed` for another name. */
async function nameOf(client: SiteClient, { id, name }: TagRow): Promise<string | null> {
  const now = await orNull(asAdministrator(getTag(client, id)));
  if (now !== null && now.display_name !== name) throw appError('admin.tag-renamed', { details: { tagId: id } });
  return now === null ? null : name;
}

/**
 * Reads the present name of the kept tag, right before an item gets it: under its earlier name, the item would get a new tag. Throws
 * `admin.tag-gone`.
 */
async function readKept(merge: TagMerge): Promise<string> {
  const now = await orNull(asAdministrator(getTag(merge.client, merge.keptId)));
  if (now === null) throw appError('admin.tag-gone', { details: { tagId: merge.keptId } });
  if (now.display_name !== merge.kept) {
    merge.formerly.add(merge.kept);
    merge.kept = now.display_name;
  }
  return merge.kept;
}

interface TaggedItems {
  items: MediaItem[];
  /** The number of readable items in the library's list, also of those with the name in another letter case. */
  listed: number;
  /** The number of items that could not be read. */
  damaged: number;
}

/** Lists the items with exactly this tag: a library may find it in any letter case. */
async function itemsWith({ client }: TagMerge, name: string): Promise<TaggedItems> {
  const found: TaggedItems = { items: [], listed: 0, damaged: 0 };
  for await (const { items, damaged } of mediaPages(client, { tag: name })) {
    found.damaged += damaged;
    found.listed += items.length;
    for (const item of items) if (item.tags.includes(name)) found.items.push(item);
  }
  return found;
}

/** Changes items, as long as no error concerns all of them. An item that fails is kept in `failed` with the reason. */
async function replaceOn(merge: TagMerge, items: readonly MediaItem[]): Promise<void> {
  let end: AppError | null = null;
  await inParallel(items, ITEMS_AT_ONCE, async ({ id, title }) => {
    if (end !== null || merge.stop.aborted || merge.failed.has(id)) return;
    try {
      if (await replaceIn(merge, id)) merge.changed.add(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (endsAll(error.code) || error.code === 'admin.tag-gone') end = error;
      else merge.failed.set(id, { id, name: title, error: error.toData() });
    }
    merge.onItem();
  });
  if (end !== null) throw end;
  if (merge.stop.aborted) throw appError('admin.stopped');
}

/**
 * Replaces the tags that the item has now, and no others. The kept tag comes first: an interruption leaves the item with both. Names
 * that differ only in letter case are replaced by the whole list in one request, because a library may take them for the same tag and
 * remove both. Returns whether something was changed.
 */
async function replaceIn(merge: TagMerge, id: string): Promise<boolean> {
  const { client, others, beginRead } = merge;
  const before = await orNull(getMedia(client, id));
  const present = before?.tags.filter((name) => others.has(name)) ?? [];
  if (before === null || present.length === 0) return false;
  const kept = await readKept(merge);
  const rest = before.tags.filter((name) => !others.has(name));
  const tags = rest.includes(kept) ? rest : [...rest, kept];
  if (present.some((name) => name.toLowerCase() === kept.toLowerCase())) await updateMedia(client, id, { tags });
  else {
    if (!before.tags.includes(kept)) await addTags(client, id, [kept]);
    await removeTags(client, id, present);
  }
  const store = beginRead();
  const after = await orNull(getMedia(client, id));
  if (after !== null) store(after);
  return true;
}
