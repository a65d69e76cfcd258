import type { UploadFilter, UploadRow } from '../../../shared/contract/uploads.ts';
import type { Engine } from '../../engine/engine.ts';

const PAGE = 500;

/** Yields all uploads that match the query, page by page. */
export async function* eachUpload(
  engine: Engine,
  query: { filter: UploadFilter; batchId: string | null },
): AsyncGenerator<UploadRow> {
  for (let offset = 0; ; offset += PAGE) {
    const { rows, total } = await engine.call('uploads.list', { ...query, offset, limit: PAGE });
    yield* rows;
    if (rows.length === 0 || offset + rows.length >= total) return;
  }
}
