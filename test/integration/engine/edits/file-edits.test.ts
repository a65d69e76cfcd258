import { describe, expect } from 'vitest';
import type { MediaFile } from '../../../../shared/api/files.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { effectsOf } from '../../../helpers/service/journal.ts';

const it = deskTest();

// The fast clock shortens the backoff. The files are not real recordings; the service accepts any bytes.
it.override({ speed: 20, settings: { processing: { outcome: 'complete' } } });

const URL_1 = 'https://video.example.org/watch?v=1';
const URL_2 = 'https://video.example.org/watch?v=2';

interface Item {
  siteId: string;
  mediaId: string;
  fileId: string;
}

async function makeItem(desk: Desk): Promise<Item> {
  await desk.add([desk.put('lecture.mp4')], { duplicates: 'upload' });
  await desk.run();
  const { mediaId, fileId } = await desk.row('lecture.mp4');
  return { siteId: desk.siteId, mediaId: mediaId ?? '', fileId: fileId ?? '' };
}

async function filesOf({ engine }: Desk, { siteId, mediaId }: Item): Promise<MediaFile[]> {
  return (await engine.call('library.media', { siteId, mediaId })).files;
}

const namesOf = async (desk: Desk, item: Item) => (await filesOf(desk, item)).map(({ display_name }) => display_name);

describe.each(['reference', 'lean', 'strict'] as const)('edits of files, in the dialect %s,', (dialect) => {
  it('add web content, change its address, delete it, and delete an uploaded file', async ({ desk, service }) => {
    await service.control('PATCH', '/settings', { dialect });
    const { engine } = desk;
    const item = await makeItem(desk);
    const { siteId, mediaId, fileId } = item;
    const sent = { isPending: false, reason: null };
    const web = { siteId, mediaId, name: 'Interview' };
    expect(await engine.call('files.embed', { ...web, url: URL_1, replaces: null })).toEqual(sent);
    const embedOf = async () => (await filesOf(desk, item)).find(({ display_name }) => display_name === 'Interview');
    const first = await embedOf();
    expect(await engine.call('files.webAddress', { siteId, mediaId, fileId: first?.id ?? '' })).toEqual({ url: URL_1 });

    const replaces = { id: first?.id ?? '', name: 'Interview' };
    await engine.call('files.embed', { ...web, url: URL_2, replaces });
    const second = await embedOf();
    expect(second?.id).not.toBe(first?.id);
    expect(await engine.call('files.webAddress', { siteId, mediaId, fileId: second?.id ?? '' })).toEqual({
      url: URL_2,
    });
    expect(await namesOf(desk, item)).toEqual(['lecture.mp4', 'Interview']);

    await engine.call('files.delete', { siteId, mediaId, fileId: second?.id ?? '', name: 'Interview' });
    expect(await engine.call('files.delete', { siteId, mediaId, fileId, name: 'lecture.mp4' })).toEqual(sent);
    expect(await filesOf(desk, item)).toEqual([]);
  });
});

describe('a change of files', () => {
  it('adds web content once when the reply to its creation is lost', async ({ desk, service }) => {
    const item = await makeItem(desk);
    const fault = { method: 'POST', path: '/files$', times: 1, action: { kind: 'lose-reply' } };
    await service.control('POST', '/faults', fault);
    await desk.engine.call('files.embed', { ...item, url: URL_1, name: 'Interview', replaces: null });
    await desk.engine.whenEditsIdle();
    expect(await namesOf(desk, item)).toEqual(['lecture.mp4', 'Interview']);
    expect((await effectsOf(service, 'file-created')).length).toBe(2);
  });

  it('waits while the library is read-only, and is sent after that', async ({ desk, service }) => {
    const item = await makeItem(desk);
    await service.control('PATCH', '/settings', { read_only: true });
    try {
      expect(await desk.engine.call('files.delete', item)).toMatchObject({
        isPending: true,
        reason: { code: 'api.read-only' },
      });
      expect(await namesOf(desk, item)).toEqual(['lecture.mp4']);
    } finally {
      await service.control('PATCH', '/settings', { read_only: false });
    }
    await expect.poll(() => filesOf(desk, item), { timeout: 60_000 }).toEqual([]);
  }, 600_000);

  it('is refused for an item that was deleted meanwhile', async ({ desk }) => {
    const item = await makeItem(desk);
    await desk.engine.call('library.deleteMedia', item);
    const deletion = desk.engine.call('files.delete', item);
    await expect(deletion).rejects.toMatchObject({ code: 'api.not-found' });
  });
});
