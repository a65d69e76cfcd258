import { z } from 'zod';
import type { Tag } from '../../../shared/api/people.ts';
import { type Condition, whereAll } from '../../database/condition.ts';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { bodyOf } from '../../wire/body.ts';
import { conflict, notFound } from '../../wire/problem.ts';
import { idList, parseId, type Query } from '../../wire/query.ts';
import { listAll } from '../listing.ts';
import { markMediaStale, refreshStaleMedia } from '../media/stale-media.ts';
import { tagName } from '../tag-name.ts';

export interface TagRow {
  id: number;
  display_name: string;
}

/** The body of a tag's creation and update. */
export const named = z.object({ display_name: tagName });

export function renderTag(row: TagRow): Tag {
  return { id: String(row.id), display_name: row.display_name };
}

export function tagPath(id: number): string {
  return `/api2/tags/${id}`;
}

/** Lists the tags that match the query's filters, by name. Names are case-insensitive, as on media items. */
export async function listTags(call: Call, query: Query) {
  const conditions: Condition[] = [];
  if (query.display_name)
    conditions.push({ sql: 'display_name COLLATE NOCASE = ? COLLATE NOCASE', params: [query.display_name] });
  if (query.id) conditions.push({ sql: 'id = ?', params: [parseId(query.id) ?? -1] });
  const { sql, params } = whereAll(conditions);
  const { rows, links } = await listAll<TagRow>(call, '/api2/tags', query, {
    sql: `SELECT id, display_name FROM tags ${sql} ORDER BY display_name COLLATE NOCASE, id`,
    params,
  });
  return { items: rows.map(renderTag), links };
}

/** Returns the tag; otherwise throws 404. */
export async function tagOf(call: Call, idText: string): Promise<TagRow> {
  const row = await call.site.store.get<TagRow>(
    'SELECT id, display_name FROM tags WHERE id = ?',
    parseId(idText) ?? -1,
  );
  if (!row) throw notFound('Tag');
  return row;
}

export async function createTag(call: Call, body: unknown): Promise<TagRow> {
  const name = bodyOf(named, body).display_name.trim();
  const { store } = call.site;
  await refuseTakenName(store, name, -1);
  const id = await store.insert('INSERT INTO tags (display_name) VALUES (?) RETURNING id', name);
  call.effect({ name: 'tag-created', tag_id: id });
  return { id, display_name: name };
}

/** Renames a tag, also on every media item that has it. Resolves when all of them are updated. */
export async function updateTag(call: Call, idText: string, body: unknown): Promise<TagRow> {
  const row = await tagOf(call, idText);
  const name = bodyOf(named, body).display_name.trim();
  const { store } = call.site;
  await refuseTakenName(store, name, row.id);
  await store.transaction(async () => {
    await markMediaStale(store, [row.id]);
    await store.run('UPDATE tags SET display_name = ? WHERE id = ?', name, row.id);
  });
  call.effect({ name: 'tag-updated', tag_id: row.id });
  await refreshStaleMedia(call.site);
  return { id: row.id, display_name: name };
}

/** Deletes the tags with these comma-separated ids, also from all media items; unknown ids are ignored. */
export async function deleteTags(call: Call, idsText: string): Promise<void> {
  const { store } = call.site;
  const ids = idList(idsText);
  await store.transaction(async () => {
    await markMediaStale(store, ids);
    await store.run('DELETE FROM tags WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  });
  for (const id of ids) call.effect({ name: 'tag-deleted', tag_id: id });
  await refreshStaleMedia(call.site);
}

async function refuseTakenName(store: Store, name: string, except: number): Promise<void> {
  const taken =
    (await store.get(
      'SELECT 1 FROM tags WHERE display_name COLLATE NOCASE = ? COLLATE NOCASE AND id <> ?',
      name,
      except,
    )) !== undefined;
  if (taken) throw conflict('There is a tag of this name already.');
}
