import { created, DELETED } from '../../wire/answer.ts';
import { withParams } from '../../wire/paging.ts';
import type { ApiRoutes } from '../api-router.ts';
import { createFile } from './file-create.ts';
import { contentLocation, deleteFile, filePath, getFile, listFiles } from './files.ts';

const FILES = '/api2/media/:media_id/files';

export function fileRoutes(routes: ApiRoutes): void {
  routes.get(FILES, async ({ call, params, query }) => ({
    items: await listFiles(call, params.media_id ?? '', query),
    links: { self: withParams(`/api2/media/${params.media_id}/files`, query) },
  }));
  routes.get(`${FILES}/:file_id`, ({ call, params }) => getFile(call, params.media_id ?? '', params.file_id ?? ''));
  routes.get(`${FILES}/:file_id/content`, async ({ call, params, query, reply }) => {
    const location = await contentLocation(call, params.media_id ?? '', params.file_id ?? '', query);
    reply.header('cache-control', 'no-store');
    return query.json !== undefined ? { location } : reply.redirect(location, 302);
  });
  routes.post(FILES, async ({ call, params, body }) => {
    const { row, body: file } = await createFile(call, params.media_id ?? '', body);
    return created(call.site, filePath(row), file);
  });
  routes.delete(`${FILES}/:file_id`, async ({ call, params }) => {
    await deleteFile(call, params.media_id ?? '', params.file_id ?? '');
    return DELETED;
  });
}
