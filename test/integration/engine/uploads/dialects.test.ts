import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { allRows, createTestProfile, makeCollection, signInEngine } from '../../../helpers/engine-host.ts';
import { startService } from '../../../helpers/service-process.ts';

// The behaviour that the API does not specify differs between services. The engine must not depend on any of it.
describe.each(['lean', 'strict'] as const)('a service of the dialect %s', (dialect) => {
  it('stores every file once, published with its tags, and its refusal is reported', async () => {
    const service = await startService({ dialect });
    const profile = createTestProfile(service);
    const dir = mkdtempSync(join(tmpdir(), 'mediadesk-dialect-'));
    const engine = await profile.open();
    try {
      const siteId = await signInEngine(engine, service);
      const collectionId = await makeCollection(engine, siteId, 'Dialect');
      for (let count = 1; count <= 12; count += 1) writeFileSync(join(dir, `take ${count}.bin`), `take ${count}`);
      const defaults = batchDefaultsSchema.parse({ tags: ['one', 'two'], publish: { kind: 'now' } });
      const { batchId } = await engine.call('uploads.add', { siteId, collectionId, paths: [dir], defaults });
      engine.startUploads();
      await engine.whenUploadsIdle();

      const rows = await allRows(engine);
      expect(rows.map(({ state, error }) => error ?? state)).toEqual(rows.map(() => 'complete'));
      for (const row of rows) {
        const { sha256 } = await service.control<{ sha256: string }>('GET', `/files/${row.fileId}/sha256`);
        expect(sha256).toBe(row.sha256);
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
      const refused = await engine.call('uploads.add', {
        siteId,
        collectionId,
        paths: [join(dir, 'take 1.bin')],
        // The file is a duplicate in every dialect; this batch uploads it anyway.
        defaults: { ...defaults, duplicates: 'upload' },
      });
      await engine.whenUploadsIdle();
      const receipt = await engine.call('uploads.receipt', { batchId: refused.batchId });
      expect(receipt.lines[0]).toMatchObject({ outcome: 'failed', errorCode: 'upload.refused' });
    } finally {
      await engine.stop();
      await service.stop();
      profile.remove();
      rmSync(dir, { recursive: true, force: true });
    }
  }, 90_000);
});
