import { z } from 'zod';
import { type PodcastDetails, podcastDetailsSchema } from '../../../shared/api/podcasts.ts';
import { numberSchema } from '../../../shared/api/wire.ts';
import type { PodcastPatch } from '../../../shared/contract/collections.ts';
import type { SiteClient } from './http-client.ts';
import { segment } from './links.ts';

const details = (id: string) => `/api2/collections/${segment(id)}/podcast-details`;

/** GET /api2/collections/<id>/podcast-details. Throws `api.bad-request` for a collection that is no podcast. */
export function getPodcastDetails(client: SiteClient, id: string, signal?: AbortSignal): Promise<PodcastDetails> {
  return client.read(podcastDetailsSchema, details(id), undefined, signal);
}

/** POST /api2/collections/<id>/podcast-details: saves only the fields given. Read the details again for the result. */
export async function updatePodcastDetails(
  client: SiteClient,
  id: string,
  patch: PodcastPatch,
  signal?: AbortSignal,
): Promise<void> {
  await client.request({ method: 'POST', target: details(id), json: patch, signal });
}

/** The size of a thumbnail, if its record has one. The API does not show the fields of these records. */
export interface ThumbSize {
  width: number | null;
  height: number | null;
}

const sizeSchema = numberSchema.nullish().catch(null);
const thumbSchema = z.object({ width: sizeSchema, height: sizeSchema });
const thumbsSchema = z.union([z.array(thumbSchema), z.object({ items: z.array(thumbSchema) })]);

/**
 * GET /api2/collections/<id>/thumbs: returns the first thumbnail; null when there is none, `unknown` when the answer contains no
 * list.
 */
export async function firstCollectionThumb(
  client: SiteClient,
  id: string,
  signal?: AbortSignal,
): Promise<ThumbSize | 'unknown' | null> {
  const answer = await client.read(z.unknown(), `/api2/collections/${segment(id)}/thumbs`, undefined, signal);
  const parsed = thumbsSchema.safeParse(answer);
  if (!parsed.success) return 'unknown';
  const [first] = Array.isArray(parsed.data) ? parsed.data : parsed.data.items;
  return first === undefined ? null : { width: first.width ?? null, height: first.height ?? null };
}
