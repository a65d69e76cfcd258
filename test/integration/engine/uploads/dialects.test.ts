import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';

const it = deskTest();

// Services differ where the API does not specify a behavior. The engine must not depend on any of these differences.
describe.each(['lean', 'strict'] as const)('a service of the dialect %s', (dialect) => {
  it('stores every file once, published with its tags, and its refusal is reported', async ({ desk, service }) => {
    await service.control('PATCH', '/settings', { dialect });
    const { engine, siteId, collectionId, dir } = desk;
    for (let count = 1; count <= 12; count += 1) desk.put(`take ${count}.bin`, `take ${count}`);
    const { batchId } = await desk.add([dir], { tags: ['one', 'two'], publish: { kind: 'now' } });
    await desk.run();

    const rows = await desk.rows();
    expect(rows.map(({ state, error }) => error ?? state)).toEqual(rows.map(() => 'complete'));
    for (const row of rows) {
      expect(await desk.storedSha256(row.fileId)).toBe(row.sha256);
      const { item, files } = await engine.call('library.media', { siteId, mediaId: row.mediaId ?? '' });
      expect(item).toMatchObject({ title: row.title, tags: ['one', 'two'], status: 'published' });
      expect(files).toHaveLength(1);
    }
    // More items than fit on one page of this service, so lists must follow their links.
    const query = {
      siteId,
      collectionId,
      search: '',
      type: null,
      status: null,
      sort: 'title',
      order: 'asc',
    } as const;
    const { total, rows: listed } = await engine.call('library.mediaWindow', { query, offset: 0, limit: 100 });
    expect([total, listed.length]).toEqual([12, 12]);
    const { totals } = await engine.call('uploads.receipt', { batchId });
    expect(totals).toMatchObject({ added: 12, complete: 12, pending: 0 });

    // A refusal of the destination is not a lost connection.
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/upload/',
      times: 1,
      action: { kind: 'status', status: 413, body: { message: 'Too large for this library.' } },
    });
    // The file is a duplicate in every dialect; this batch uploads it anyway.
    const refused = await desk.add([join(dir, 'take 1.bin')], { duplicates: 'upload' });
    await engine.whenUploadsIdle();
    const receipt = await engine.call('uploads.receipt', { batchId: refused.batchId });
    expect(receipt.lines[0]).toMatchObject({ outcome: 'failed', errorCode: 'upload.refused' });
  }, 600_000);
});
