// The thumbnail of an item whose file is replaced: the library makes one of the new file, but the item keeps its own.
import { expect } from 'vitest';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';
import { png } from '../../../helpers/service/service-samples.ts';

const it = deskTest();
it.override({ speed: 20 });

const COVER = png(96, 54);

/** Uploads a picture, of which the library makes a thumbnail. */
async function itemOf(desk: Desk) {
  await desk.add([desk.put('first.png', png(320, 180))], { duplicates: 'upload' });
  await desk.run();
  const { mediaId, fileId } = await desk.row('first.png');
  return { siteId: desk.siteId, mediaId: mediaId ?? '', fileId: fileId ?? '' };
}

async function versionOf({ engine, siteId }: Desk, mediaId: string): Promise<string> {
  return (await engine.call('library.media', { siteId, mediaId })).item.modified_on ?? '';
}

/** Reads the thumbnail of the library, not the one that was stored before. */
async function thumbnailOf({ engine, siteId }: Desk, mediaId: string, version = ''): Promise<Buffer> {
  const ref = { siteId, subject: 'media', id: mediaId, version, isStoredOnly: false } as const;
  const found = await engine.thumbnail(ref, new AbortController().signal);
  if (found === null) throw new Error('The item has no thumbnail.');
  return found.bytes;
}

async function setCover({ engine }: Desk, { siteId, mediaId }: { siteId: string; mediaId: string }): Promise<void> {
  await engine.call('files.setThumbnail', {
    siteId,
    mediaId,
    picture: { bytes: new Uint8Array(COVER), name: 'cover.png' },
  });
  await engine.whenUploadsIdle();
}

const filesOf = async ({ engine, siteId }: Desk, mediaId: string) =>
  (await engine.call('library.media', { siteId, mediaId })).files.map(({ display_name }) => display_name);

const refuseThumbs = (service: ServiceProcess) =>
  service.control('POST', '/faults', {
    method: 'GET',
    path: '^/api2/media/[^/]+/thumbs$',
    times: 100,
    action: { kind: 'status', status: 503 },
  });

it('stays when the file is replaced, also when Mediadesk restarts meanwhile', async ({ desk }) => {
  const item = await itemOf(desk);
  await setCover(desk, item);
  expect((await thumbnailOf(desk, item.mediaId)).equals(COVER)).toBe(true);
  await desk.reopen();
  await desk.engine.call('files.replace', { ...item, path: desk.put('second.png', png(200, 200)) });
  await desk.reopen();
  await desk.run();
  expect(await filesOf(desk, item.mediaId)).toEqual(['second.png']);
  expect((await thumbnailOf(desk, item.mediaId)).equals(COVER)).toBe(true);
});

it('stays when the library made it of the old file', async ({ desk }) => {
  const item = await itemOf(desk);
  const before = await thumbnailOf(desk, item.mediaId);
  await desk.engine.call('files.replace', { ...item, path: desk.put('second.png', png(200, 200)) });
  await desk.engine.whenUploadsIdle();
  expect(await filesOf(desk, item.mediaId)).toEqual(['second.png']);
  expect((await thumbnailOf(desk, item.mediaId)).equals(before)).toBe(true);
});

it('is the one on this computer when the library doesn’t list it', async ({ desk, service }) => {
  const item = await itemOf(desk);
  await setCover(desk, item);
  await thumbnailOf(desk, item.mediaId, await versionOf(desk, item.mediaId));
  await refuseThumbs(service);
  await desk.engine.call('files.replace', { ...item, path: desk.put('second.png', png(200, 200)) });
  await service.control('DELETE', '/faults');
  await desk.engine.whenUploadsIdle();
  expect((await thumbnailOf(desk, item.mediaId)).equals(COVER)).toBe(true);
});

it('does not keep a file from being replaced when it can’t be read', async ({ desk, service }) => {
  const item = await itemOf(desk);
  await refuseThumbs(service);
  await desk.engine.call('files.replace', { ...item, path: desk.put('second.png', png(200, 200)) });
  await service.control('DELETE', '/faults');
  await desk.engine.whenUploadsIdle();
  expect(await filesOf(desk, item.mediaId)).toEqual(['second.png']);
});
