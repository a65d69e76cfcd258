import { THUMB_RESOURCES } from '../resources/thumb-list.ts';
import { createThumbUpload, listThumbs } from '../resources/thumbs.ts';
import type { ApiRoutes } from './api-plugin.ts';

export function thumbRoutes(routes: ApiRoutes): void {
  for (const resource of THUMB_RESOURCES) {
    const path = `/api2/${resource}/:id/thumbs`;
    routes.get(path, ({ call, params }) => listThumbs(call, resource, params.id ?? ''));
    routes.post(path, ({ call, params, body }) => createThumbUpload(call, resource, params.id ?? '', body));
  }
}
