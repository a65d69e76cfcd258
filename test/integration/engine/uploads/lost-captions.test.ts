import { describe, expect } from 'vitest';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';

const it = deskTest();

const SRT = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';

it.override('settings', { processing: { outcome: 'complete' } });

/** Starts the upload of a recording with captions. Returns when the library has a file for the recording. */
async function uploadRecording(desk: Desk): Promise<{ mediaId: string; fileId: string }> {
  desk.put('lecture.mp4');
  desk.put('lecture.srt', SRT);
  await desk.add();
  desk.engine.startUploads();
  const { mediaId, fileId } = await desk.whenRow((row) => row.fileId !== null);
  return { mediaId: String(mediaId), fileId: String(fileId) };
}

const captionsMade = async (service: ServiceProcess, mediaId: string) =>
  (await requestsOf(service, 'POST', new RegExp(`^/api2/media/${mediaId}/files$`))).length - 1;

describe('captions that the library loses after each delivery', () => {
  it.for<[string, object | null]>([
    ['answers 404 for them', { kind: 'status', status: 404 }],
    ['reports them as aborted', null],
  ])('are sent only once when the library %s', async ([, action], { desk, service, clock }) => {
    const { mediaId, fileId } = await uploadRecording(desk);
    const path = `^/api2/media/${mediaId}/files/(?!${fileId}$)[^/]+$`;
    const body = { id: '999', source: 'upload', type: 'captions', container: 'srt', status: 'aborted' };
    await service.control('POST', '/faults', {
      method: 'GET',
      path,
      times: null,
      action: action ?? { kind: 'status', status: 200, body },
    });
    // Covers the minute in which a new file can be missing from lists, and the first waits of the backoff.
    clock.setSpeed(50);
    const isCounted = ({ code } = { code: '' }) => code === 'upload.not-received';
    await desk.whenRow(({ followUps }) => isCounted(followUps[0]?.error ?? undefined));
    expect(await captionsMade(service, mediaId)).toBe(1);
    expect((await desk.rows())[0]?.state).toBe('complete');
  });
});

/** Returns the type and status of the item's files. */
async function filesOf(desk: Desk, mediaId: string): Promise<(string | null)[][]> {
  const { files } = await desk.engine.call('library.media', { siteId: desk.siteId, mediaId });
  return files.map(({ type, status }) => [type, status]);
}

describe('a retry of failed captions', () => {
  it('continues with those that the library has, also when lists show them under another name', async ({
    desk,
    service,
    clock,
  }) => {
    const { mediaId, fileId } = await uploadRecording(desk);
    const others = `^/api2/media/${mediaId}/files/(?!${fileId}$)[^/]+$`;
    const body = { id: '999', source: 'upload', type: 'captions', container: 'srt', status: 'processing' };
    const hanging = await service.control<{ id: number }>('POST', '/faults', {
      method: 'GET',
      path: others,
      times: null,
      action: { kind: 'status', status: 200, body },
    });
    clock.setSpeed(600);
    await desk.whenRow(({ followUps }) => followUps[0]?.error?.code === 'upload.processing-slow');
    await service.control('DELETE', `/faults/${hanging.id}`);
    await service.control('POST', '/faults', {
      method: 'GET',
      path: `^/api2/media/${mediaId}/files$`,
      times: null,
      action: { kind: 'status', status: 200, body: { items: [{ ...body, display_name: 'New item' }], links: {} } },
    });
    await desk.engine.call('uploads.retry', { kind: 'all' });
    await desk.whenRow(({ followUps }) => followUps[0]?.state === 'done');
    expect(await captionsMade(service, mediaId)).toBe(1);
  });

  it('replaces those that the library could not process', async ({ desk, service, clock }) => {
    const { mediaId } = await uploadRecording(desk);
    const path = `^/api2/media/${mediaId}/files$`;
    await service.control('POST', '/faults', {
      method: 'POST',
      path,
      times: 1,
      action: { kind: 'status', status: 503 },
    });
    await desk.whenRow(({ followUps }) => (followUps[0]?.error ?? null) !== null);
    await service.control('PATCH', '/settings', { processing: { outcome: 'error' } });
    clock.setSpeed(50);
    await desk.whenRow(({ followUps }) => followUps[0]?.error?.code === 'upload.processing-failed');
    expect(await filesOf(desk, mediaId)).toContainEqual(['captions', 'error']);
    await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
    await desk.engine.call('uploads.retry', { kind: 'all' });
    await desk.whenRow(({ followUps }) => followUps[0]?.state === 'done');
    expect((await filesOf(desk, mediaId)).filter(([type]) => type === 'captions')).toEqual([['captions', 'complete']]);
  });
});
