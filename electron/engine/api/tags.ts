import { type Tag, tagSchema } from '../../../shared/api/people.ts';
import { createdId } from './created.ts';
import type { SiteClient } from './http-client.ts';
import { segment } from './links.ts';
import { itemsOf, pagesOf } from './pages.ts';

const TAGS = '/api2/tags';
const one = (id: string) => `${TAGS}/${segment(id)}`;

/** GET /api2/tags: for administrators only. */
export function listTags(
  client: SiteClient,
  query: { display_name?: string; id?: string },
  signal?: AbortSignal,
): AsyncIterable<Tag> {
  return itemsOf(pagesOf(client, tagSchema, TAGS, { ...query }, signal));
}

/** GET /api2/tags/<id>. */
export function getTag(client: SiteClient, id: string): Promise<Tag> {
  return client.read(tagSchema, one(id));
}

/** POST /api2/tags. */
export async function createTag(client: SiteClient, name: string): Promise<{ id: string }> {
  const answer = await client.request({ method: 'POST', target: TAGS, json: { display_name: name } });
  return { id: createdId(client, answer, TAGS) };
}

/** POST /api2/tags/<id>. */
export async function renameTag(client: SiteClient, id: string, name: string): Promise<void> {
  await client.request({ method: 'POST', target: one(id), json: { display_name: name }, isRepeatable: true });
}

/** DELETE /api2/tags/<id>,<id>,…: several tags in one request. Idempotent. */
export async function deleteTags(client: SiteClient, ids: readonly string[]): Promise<void> {
  const target = `${TAGS}/${ids.map(segment).join(',')}`;
  await client.request({ method: 'DELETE', target, isRepeatable: true });
}
