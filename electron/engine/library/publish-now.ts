import { appError } from '../../../shared/contract/app-error.ts';
import type { SiteClient } from '../api/http-client.ts';
import { getMedia, publishMedia } from '../api/media.ts';
import { serviceInstant } from './media-row.ts';

/** In the past for every clock that is wrong by less than a day; the API treats a past instant as now. */
const DAY_MS = 24 * 60 * 60_000;
/** A library can round an instant to the minute. */
const ROUNDED_MS = 60_000;

/**
 * POST /api2/media/<id>/publish with the current instant. Without an instant the API would keep an existing date, so
 * that a scheduled item would be public with a date in the future. Reads the item again: if this computer's clock is
 * ahead of the library's, the instant is in the future there, and a past one is sent. A date that someone else set meanwhile
 * stays. Throws `api.not-published` when
 * the item is still not public, and the errors of the requests.
 */
export async function publishNow(client: SiteClient, mediaId: string, nowMs: number): Promise<void> {
  for (const instantMs of [nowMs, nowMs - DAY_MS]) {
    await publishMedia(client, mediaId, { publish_on: serviceInstant(new Date(instantMs).toISOString()) });
    const { status, publish_on: publishOn } = await getMedia(client, mediaId);
    if (status === 'published') return;
    const isOurs = publishOn === null || Math.abs(Date.parse(publishOn) - instantMs) <= ROUNDED_MS;
    if (status === 'scheduled' && !isOurs) return;
    if (status !== 'scheduled') throw appError('api.not-published', { details: { mediaId, status } });
  }
  throw appError('api.not-published', { details: { mediaId, status: 'scheduled' } });
}
