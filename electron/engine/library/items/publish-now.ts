import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { getMedia, publishMedia } from '../../api/media.ts';
import { serviceInstant } from './media-row.ts';

/** A day ago is in the past for every clock that is wrong by less than a day; the API treats a past instant as now. */
const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/**
 * POST /api2/media/<id>/publish with the current instant. Without an instant the API would keep an existing date, so that a
 * scheduled item would be public with a date in the future. Reads the item again: if this computer's clock is ahead of the
 * library's, the instant is in the future there, and a past instant is sent. A date that someone else set meanwhile is kept.
 * Throws `api.not-published` when the item is still not public, and the errors of the requests.
 */
export async function publishNow(client: SiteClient, mediaId: string, nowMs: number): Promise<void> {
  await publishAt(client, mediaId, nowMs);
  try {
    if (await isPublic(client, mediaId, nowMs)) return;
    await publishAt(client, mediaId, nowMs - DAY_MS);
    if (await isPublic(client, mediaId, nowMs - DAY_MS)) return;
  } catch (error) {
    // The answer to a later request does not show whether the first request changed something.
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.message, { ...error.details, outcome: 'unknown' }, error);
  }
  throw appError('api.not-published', { details: { mediaId, status: 'scheduled' } });
}

function publishAt(client: SiteClient, mediaId: string, instantMs: number): Promise<void> {
  return publishMedia(client, mediaId, { publish_on: serviceInstant(new Date(instantMs).toISOString()) });
}

/** Returns whether the item is public, or someone else set its date. False: it is scheduled for the sent instant. */
async function isPublic(client: SiteClient, mediaId: string, sentMs: number): Promise<boolean> {
  const { status, publish_on: publishOn } = await getMedia(client, mediaId);
  if (status === 'published') return true;
  if (status !== 'scheduled') throw appError('api.not-published', { details: { mediaId, status } });
  return publishOn !== null && !isStoredAs(sentMs, Date.parse(publishOn));
}

/** Returns whether a library can have stored the given instant as another one: in whole seconds, or rounded to a minute. */
export function isStoredAs(givenMs: number, storedMs: number): boolean {
  const laterMs = storedMs - givenMs;
  if (Math.abs(laterMs) <= 1000) return true;
  return storedMs % MINUTE_MS === 0 && laterMs > -MINUTE_MS && laterMs <= MINUTE_MS / 2;
}
