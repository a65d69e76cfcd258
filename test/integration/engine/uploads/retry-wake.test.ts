import { expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';

const it = deskTest();

// At this speed the clock advances between two statements of the queue.
it.override({ speed: 300, host: { parallelTransfers: 1 } });

it('a retry that becomes due while the queue searches for due uploads is not lost', async ({ desk, service }) => {
  desk.engine.startUploads();
  for (let index = 0; index < 15; index += 1) {
    await service.control('POST', '/faults', { path: '^/upload/', action: { kind: 'status', status: 500 } });
    await desk.add([desk.put(`${index}.bin`, `contents ${index}`)]);
    // One upload at a time, because another running upload would wake the queue.
    await desk.engine.whenUploadsIdle();
  }
  expect((await desk.rows()).map(({ state }) => state)).toEqual(Array.from({ length: 15 }, () => 'complete'));
});
