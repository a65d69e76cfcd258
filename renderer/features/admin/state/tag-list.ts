import { create } from 'zustand';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { similarNames } from '../../../../shared/model/access/similar-names.ts';
import { folded, hasWords } from '../../../../shared/model/library-query/searched-text.ts';
import { sortKey } from '../../../../shared/model/sort-key.ts';
import { CallError, call } from '../../../kit/bridge/bridge.ts';
import { NO_SELECTION } from '../../../kit/lists/selection.ts';
import { createWindowedList } from '../../../kit/lists/windowed-list.ts';
import { notify } from '../../common/state/messages-store.ts';
import { useAdmin } from './admin-store.ts';
import { changeLibrary } from './change-library.ts';
import { texts } from './texts.ts';

/** The most frequent tags of the local copy of the library, whose numbers of items are shown. */
const MOST_COUNTED = 1000;

type TagRow = CallOutput<'admin.tags'>[number];

export interface ListedTag extends TagRow {
  /** The number of items in the local copy of the library; null: not known. */
  items: number | null;
}

/** The text in the search field of the tags, and whether only tags with similar names are listed. */
export const useTagSearch = create<{ text: string; isSimilar: boolean }>(() => ({ text: '', isSimilar: false }));

/** All tags, read once for each change: the list asks for its windows one by one. */
let read: { key: string; tags: Promise<ListedTag[]> } | null = null;

function allTags(siteId: string): Promise<ListedTag[]> {
  const key = `${useAdmin.getState().changes} ${siteId}`;
  if (read?.key === key) return read.tags;
  const tags = readTags(siteId);
  const entry = { key, tags };
  read = entry;
  tags.catch(() => {
    // The caller gets the error; the next load reads again.
    if (read === entry) read = null;
  });
  return tags;
}

async function readTags(siteId: string): Promise<ListedTag[]> {
  const [tags, values] = await Promise.all([
    call('admin.tags', { siteId }),
    call('library.values', { siteId, field: 'tag', text: '', limit: MOST_COUNTED }),
  ]);
  const counts = new Map(values.map(({ value, items }) => [value.toLowerCase(), items]));
  return tags
    .map((tag) => ({ tag: { ...tag, items: counts.get(tag.name.toLowerCase()) ?? null }, key: sortKey(tag.name) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ tag }) => tag);
}

/** The tags whose names contain a text, by name; tags with similar names beside each other. */
export const tagList = createWindowedList<{ siteId: string; text: string; isSimilar: boolean }, ListedTag>({
  async load({ siteId, text, isSimilar }, { offset, limit }) {
    const matches = hasWords(text);
    const all = await allTags(siteId);
    const listed = isSimilar ? similarNames(all).flat() : all;
    const rows = listed.filter(({ name }) => matches(folded(name)));
    return { total: rows.length, rows: rows.slice(offset, offset + limit) };
  },
  idOf: (tag) => tag.id,
});

/** Returns the selected tags. */
export async function selectedTags(): Promise<ListedTag[]> {
  const { siteId } = useAdmin.getState();
  const { ids } = tagList.useList.getState().selection;
  return siteId === null ? [] : (await allTags(siteId)).filter(({ id }) => ids.has(id));
}

export function deselectTags(): void {
  tagList.select(NO_SELECTION);
}

/** Creates a tag. Resolves with false when the library has such a tag, or refused it. */
export function createTag(name: string): Promise<boolean> {
  return changeLibrary(async (siteId) => {
    await call('admin.createTag', { siteId, name });
    notify(texts.tags.created(name));
  });
}

/** Renames a tag on all its items. Resolves with false when the library has another tag of this name, or refused it. */
export function renameTag(tagId: string, name: string): Promise<boolean> {
  return changeLibrary((siteId) => call('admin.renameTag', { siteId, tagId, name }));
}

type TagDeletion = NonNullable<CallOutput<'admin.deletionOfTags'>[number]>;

/** The number of tags in one call: the library counts them one by one. */
const TAGS_PER_CALL = 10;

/** Reads what a deletion of tags removes. Tags that are gone already are left out. */
export async function deletionOfTags(siteId: string, tags: readonly TagRow[]): Promise<TagDeletion[]> {
  const found: TagDeletion[] = [];
  for (let at = 0; at < tags.length; at += TAGS_PER_CALL) {
    const tagIds = tags.slice(at, at + TAGS_PER_CALL).map(({ id }) => id);
    const rows = await call('admin.deletionOfTags', { siteId, tagIds });
    found.push(...rows.filter((row) => row !== null));
  }
  return found;
}

/** Deletes tags, also from their items. Throws the first error, also `admin.deletion-changed`. */
export async function deleteTags(siteId: string, tags: readonly TagDeletion[]): Promise<void> {
  const seen = tags.map((tag) => ({ id: tag.id, seen: tag.seen }));
  const { done, failed } = await call('admin.deleteTags', { siteId, tags: seen });
  if (done.length > 0) notify(texts.tags.deleted(done.length));
  const [first] = failed;
  if (first !== undefined) throw new CallError(first.error);
  deselectTags();
}
