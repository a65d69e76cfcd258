import { THUMB_RESOURCES } from '../../signed-urls/thumb-list.ts';
import type { ApiRoutes } from '../api-router.ts';
import { createThumbUpload, listThumbs } from './thumbs.ts';

export function thumbRoutes(routes: ApiRoutes): void {
  for (const resource of THUMB_RESOURCES) {
    const path = `/api2/${resource}/:id/thumbs`;
    routes.get(path, ({ call, params }) => listThumbs(call, resource, params.id ?? ''));
    routes.post(path, async ({ call, params, body }) => ({
      status: 200,
      body: await createThumbUpload(call, resource, params.id ?? '', body),
    }));
  }
}
