import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { allRows, openTestDesk, type TestProfile, whenRow } from '../../../helpers/engine-host.ts';
import { type FastClock, fastClock } from '../../../helpers/fast-clock.ts';
import { clearJournal, requestsOf } from '../../../helpers/journal.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

const SRT = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';

let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let clock: FastClock;
let siteId: string;
let collectionId: string;
let dir: string;

beforeAll(async () => {
  service = await startService();
  await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  clock = fastClock(1);
  ({ profile, engine, siteId, collectionId, dir } = await openTestDesk(service, 'lost-captions', { clock }));
  await clearJournal(service);
});
afterEach(async () => {
  await engine.stop();
  await service.control('DELETE', '/faults');
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

/** A recording that is complete, with captions that are to be sent next. */
async function uploadRecording(): Promise<{ mediaId: string; fileId: string }> {
  writeFileSync(join(dir, 'lecture.mp4'), 'lecture');
  writeFileSync(join(dir, 'lecture.srt'), SRT);
  await engine.call('uploads.add', { siteId, collectionId, paths: [dir], defaults: batchDefaultsSchema.parse({}) });
  engine.startUploads();
  const { mediaId, fileId } = await whenRow(engine, (row) => row.fileId !== null);
  return { mediaId: String(mediaId), fileId: String(fileId) };
}

const captionsMade = async (mediaId: string) =>
  (await requestsOf(service, 'POST', new RegExp(`^/api2/media/${mediaId}/files$`))).length - 1;

describe('captions that the library loses after every delivery', () => {
  it.each([
    ['that it does not know any more', { kind: 'status', status: 404 }],
    ['that it has given up', null],
  ])('are not sent again for ever: those %s', async (_, action) => {
    const { mediaId, fileId } = await uploadRecording();
    const path = `^/api2/media/${mediaId}/files/(?!${fileId}$)[^/]+$`;
    const body = { id: '999', source: 'upload', type: 'captions', container: 'srt', status: 'aborted' };
    await service.control('POST', '/faults', {
      ...{ method: 'GET', path, times: null, action: action ?? { kind: 'status', status: 200, body } },
    });
    // The minute in which something new may be missing, and the first waits of the back-off.
    clock.setSpeed(50);
    const isCounted = ({ code } = { code: '' }) => code === 'upload.not-received';
    await whenRow(engine, ({ followUps }) => isCounted(followUps[0]?.error ?? undefined));
    expect(await captionsMade(mediaId)).toBe(1);
    expect((await allRows(engine))[0]?.state).toBe('complete');
  });
});
