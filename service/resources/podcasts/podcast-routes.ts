import type { ApiRoutes } from '../api-router.ts';
import { getPodcastDetails, updatePodcastDetails } from './podcast-details.ts';

/** The details of a collection that is a podcast. */
export function podcastRoutes(routes: ApiRoutes): void {
  const path = '/api2/collections/:id/podcast-details';
  routes.get(path, ({ call, params }) => getPodcastDetails(call, params.id ?? ''));
  routes.post(path, async ({ call, params, body }) => ({
    status: 200,
    body: await updatePodcastDetails(call, params.id ?? '', body),
  }));
}
