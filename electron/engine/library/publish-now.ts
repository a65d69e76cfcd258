import { appError } from '../../../shared/contract/app-error.ts';
import type { SiteClient } from '../api/http-client.ts';
import { getMedia, publishMedia } from '../api/media.ts';
import { serviceInstant } from './media-row.ts';

/** Past for every clock that is not off by more than a day; the API takes a past instant for the present. */
const DAY_MS = 24 * 60 * 60_000;

/**
 * POST /api2/media/<id>/publish with the present instant. Without an instant the API keeps a publishing date that is set
 * already, so that a scheduled item would be public and keep a date in the future. Reads the item again: where this
 * computer's clock is ahead of the library's, the instant lies in the future there, and one that has passed is sent.
 * Throws `api.not-published` when the item is not public after that, and what the requests throw.
 */
export async function publishNow(client: SiteClient, mediaId: string, nowMs: number): Promise<void> {
  for (const instantMs of [nowMs, nowMs - DAY_MS]) {
    await publishMedia(client, mediaId, { publish_on: serviceInstant(new Date(instantMs).toISOString()) });
    const { status } = await getMedia(client, mediaId);
    if (status === 'published') return;
    if (status !== 'scheduled') throw appError('api.not-published', { details: { mediaId, status } });
  }
  throw appError('api.not-published', { details: { mediaId, status: 'scheduled' } });
}
