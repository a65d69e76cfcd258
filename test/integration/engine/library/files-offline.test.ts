// An item and its files while the library gives no answer: the files that were read last, or not known. Never none.
import { expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { makeItem } from '../../../helpers/engine/edit-steps.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';

const it = deskTest();

const answerAlways = (status: number) => async (service: ServiceProcess) => {
  await service.control('POST', '/faults', { path: '^/api2/', times: null, action: { kind: 'status', status } });
};

it.for([
  { what: 'can’t be reached', silence: (service: ServiceProcess) => service.kill9() },
  { what: 'is stopped behind a proxy (502)', silence: answerAlways(502) },
  { what: 'is slow behind a proxy (504)', silence: answerAlways(504) },
  { what: 'asks to wait (429)', silence: answerAlways(429) },
])(
  'an item can be edited, and its files are those that were read last, when the library $what',
  async ({ silence }, { desk, client, service }) => {
    const { siteId } = desk;
    const [seen, unseen] = [await makeItem(client, desk, 'Seen'), await makeItem(client, desk, 'Unseen')];
    const embedded = {
      upload_name: 'Talk',
      upload_size: 0,
      upload_type: 'video',
      embed_url: 'https://video.example/1',
    };
    for (const id of [seen, unseen]) await client.post(`/api2/media/${id}/files`, embedded);
    await desk.engine.call('library.syncNow', { siteId });
    const online = await desk.engine.call('library.media', { siteId, mediaId: seen });
    expect(online.files).toHaveLength(1);
    await silence(service);

    const expectKnown = async () => {
      const offline = await desk.engine.call('library.media', { siteId, mediaId: seen });
      expect(offline).toMatchObject({ isStored: true, files: online.files });
      expect(offline.areFilesUnknown).toBeUndefined();
      const unknown = await desk.engine.call('library.media', { siteId, mediaId: unseen });
      expect(unknown).toMatchObject({ isStored: true, files: [], areFilesUnknown: true });
    };
    await expectKnown();
    await desk.reopen();
    await expectKnown();

    // An edit that can't be sent returns the item as it will be.
    const edit = { siteId, patch: { title: 'Renamed' } };
    const edited = await desk.engine.call('library.updateMedia', { ...edit, mediaId: seen });
    expect(edited).toMatchObject({ isPending: true, files: online.files });
    const blind = await desk.engine.call('library.updateMedia', { ...edit, mediaId: unseen });
    expect(blind).toMatchObject({ isPending: true, files: [], areFilesUnknown: true });
    await service.restart();
  },
);
