import { z } from 'zod';
import type { Store } from '../../database/store.ts';
import type { Call } from '../../site/site.ts';
import { bodyOf } from '../../wire/body.ts';
import { forbidden } from '../../wire/problem.ts';
import { parseInstant } from '../../wire/query.ts';
import { findMedia, type MediaRow, type MediaStatus, visibleMedia } from './media-row.ts';
import { saveFields } from './media-write.ts';

export interface PublishState {
  status: MediaStatus;
  /** Epoch seconds. */
  publish_on: number | null;
}

/**
 * Returns the state after a publish. A future date schedules the item. Any other date publishes it now, without backdating: the
 * current time replaces the date. Without a date, the item keeps its existing one.
 */
export function published(before: PublishState, publishOn: number | undefined, nowOn: number): PublishState {
  if (publishOn !== undefined && publishOn > nowOn) return { status: 'scheduled', publish_on: publishOn };
  return { status: 'published', publish_on: publishOn === undefined ? (before.publish_on ?? nowOn) : nowOn };
}

/** Returns the state after an unpublish: a draft that keeps its date. */
function unpublished(before: PublishState): PublishState {
  return { status: 'draft', publish_on: before.publish_on };
}

const instant = z.string().transform((text, context) => {
  const seconds = parseInstant(text);
  if (seconds !== undefined) return seconds;
  context.addIssue({ code: 'custom', message: 'must be an ISO-8601 date and time' });
  return z.NEVER;
});
/** The body of a publish. */
export const publishBody = z.object({ publish_on: instant.nullish() });

export async function publishMedia(call: Call, idText: string, body: unknown): Promise<MediaRow> {
  const row = await visibleMedia(call, idText);
  if (!(await call.site.access.of(call.caller)).may('media-publish', row.collection_id)) throw forbidden();
  const { publish_on } = bodyOf(publishBody, body);
  return await save(call, row, published(row, publish_on ?? undefined, call.nowOn));
}

export async function unpublishMedia(call: Call, idText: string): Promise<MediaRow> {
  const row = await visibleMedia(call, idText);
  if (!(await call.site.access.of(call.caller)).may('media-publish', row.collection_id)) throw forbidden();
  return await save(call, row, unpublished(row));
}

async function save(call: Call, row: MediaRow, state: PublishState): Promise<MediaRow> {
  const was_published = [row.status, state.status].includes('published') ? 1 : row.was_published;
  await saveFields(call, row.id, { status: state.status, publish_on: state.publish_on, was_published });
  call.effect({ name: `media-${state.status}`, media_id: row.id });
  return (await findMedia(call.site.store, row.id)) ?? row;
}

/** Publishes the scheduled items that are due; returns their ids. */
export async function publishDue(store: Store, nowOn: number): Promise<number[]> {
  const rows = await store.transaction(() =>
    store.all<{ id: number }>(
      `UPDATE media SET status = 'published', was_published = 1,
         modified_on = CASE WHEN modified_on < ? THEN ? ELSE modified_on END
       WHERE status = 'scheduled' AND publish_on <= ? RETURNING id`,
      nowOn,
      nowOn,
      nowOn,
    ),
  );
  return rows.map((row) => row.id);
}
