import { describe, expect } from 'vitest';
import type { MediaFile } from '../../../../shared/api/files.ts';
import type { AddUploadsOutput } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { effectsOf, requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';

const it = deskTest();

const VTT = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHallo\n';
/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

// The fast clock shortens the backoff. The files are not real recordings; the service accepts any bytes.
it.override({ speed: 20, settings: { processing: { outcome: 'complete' } } });

/** An item of the library with one file, both created by an earlier upload. */
interface Item {
  siteId: string;
  mediaId: string;
  /** Its first file. */
  fileId: string;
}

async function makeItem(desk: Desk, name = 'lecture.mp4'): Promise<Item> {
  const path = desk.put(name);
  await desk.add([path], { duplicates: 'upload' });
  await desk.run();
  const { mediaId, fileId } = await desk.row(name);
  return { siteId: desk.siteId, mediaId: mediaId ?? '', fileId: fileId ?? '' };
}

async function filesOf({ engine }: Desk, { siteId, mediaId }: Item): Promise<MediaFile[]> {
  return (await engine.call('library.media', { siteId, mediaId })).files;
}

const names = (files: readonly MediaFile[]) =>
  files.map(({ display_name, type, status }) => [display_name, type, status]);

async function outcomeOf(desk: Desk, { batchId }: AddUploadsOutput) {
  const { lines, totals } = await desk.engine.call('uploads.receipt', { batchId });
  return { lines: lines.map(({ outcome, errorCode }) => errorCode ?? outcome), totals };
}

function loseReply(service: ServiceProcess, path: string): Promise<unknown> {
  const fault = { method: 'POST', path, times: 1, action: { kind: 'lose-reply' } };
  return service.control('POST', '/faults', fault);
}

describe.each(['reference', 'lean', 'strict'] as const)('files of an existing item, in the dialect %s', (dialect) => {
  it('are added, replaced and captioned without a second item', async ({ desk, service }) => {
    await service.control('PATCH', '/settings', { dialect });
    const { engine } = desk;
    const item = await makeItem(desk);
    const { siteId, mediaId, fileId } = item;

    const added = await engine.call('files.add', {
      siteId,
      mediaId,
      paths: [desk.put('slides.pdf'), desk.put('empty.pdf', '')],
    });
    expect(added).toMatchObject({ added: 1, skippedCount: 1, skipped: [{ error: { code: 'file.empty' } }] });
    await engine.whenUploadsIdle();
    expect(await outcomeOf(desk, added)).toMatchObject({
      lines: ['complete', 'file.empty'],
      totals: { added: 2, complete: 1, skipped: 1, pending: 0 },
    });
    expect(names(await filesOf(desk, item))).toEqual([
      ['lecture.mp4', 'video', 'complete'],
      ['slides.pdf', 'doc', 'complete'],
    ]);

    await engine.call('files.addCaptions', {
      siteId,
      mediaId,
      recordingId: fileId,
      path: desk.put('any name.txt', VTT),
      replaces: null,
      encoding: null,
      label: 'German (simple)',
      language: 'de',
    });
    await engine.call('files.setThumbnail', { siteId, mediaId, picture: { path: desk.put('cover.png', PNG) } });
    await engine.whenUploadsIdle();
    expect(names(await filesOf(desk, item))).toContainEqual(['German (simple).de.vtt', 'captions', 'complete']);

    expect(await effectsOf(service, 'thumb-stored')).toMatchObject([
      { resource: 'media', resource_id: Number(mediaId) },
    ]);

    await engine.call('files.replace', { siteId, mediaId, fileId, path: desk.put('better.mp4') });
    await engine.whenUploadsIdle();
    const left = await filesOf(desk, item);
    expect(left.map(({ display_name }) => display_name).sort()).toEqual([
      'German (simple).de.vtt',
      'better.mp4',
      'slides.pdf',
    ]);
    expect(await engine.call('files.additions', { siteId, mediaId })).toMatchObject([{ state: 'skipped' }]);
    // All uploads used the item that the first one created.
    const { ids } = await engine.call('library.mediaIds', {
      query: {
        siteId,
        collectionId: desk.collectionId,
        search: '',
        type: null,
        status: null,
        sort: 'title',
        order: 'asc',
      },
    });
    expect(ids).toEqual([mediaId]);
    expect(new Set((await desk.rows()).map((row) => row.mediaId))).toEqual(new Set([mediaId]));
  }, 600_000);
});

describe('a file that is added to an existing item', () => {
  it('is created once when the reply to its creation is lost', async ({ desk, service }) => {
    const item = await makeItem(desk);
    await loseReply(service, '^/api2/media/[^/]+/files$');
    await desk.engine.call('files.add', { ...item, paths: [desk.put('slides.pdf')] });
    await desk.engine.whenUploadsIdle();
    expect(names(await filesOf(desk, item))).toEqual([
      ['lecture.mp4', 'video', 'complete'],
      ['slides.pdf', 'doc', 'complete'],
    ]);
  });

  it('leaves placeholders of other users in the item unchanged when its own is removed', async ({ desk, service }) => {
    const item = await makeItem(desk);
    const colleague = await clientFor(service);
    const placeholder = { upload_name: 'camera 2.mp4', upload_size: 7 };
    expect(await colleague.post(`/api2/media/${item.mediaId}/files`, placeholder)).toMatchObject({ status: 201 });
    await loseReply(service, `^/api2/media/${item.mediaId}/files$`);
    await desk.engine.call('files.add', { ...item, paths: [desk.put('slides.pdf')] });
    await desk.engine.whenUploadsIdle();
    expect(names(await filesOf(desk, item))).toEqual([
      ['lecture.mp4', 'video', 'complete'],
      ['camera 2.mp4', 'video', 'uploading'],
      ['slides.pdf', 'doc', 'complete'],
    ]);
  });

  it('is removed from the item, which keeps its other files, when it is cancelled', async ({ desk, service }) => {
    await service.control('PATCH', '/settings', { processing: { delay_ms: 600_000 } });
    const { engine } = desk;
    try {
      const path = desk.put('lecture.mp4');
      await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
      await desk.add([path]);
      await desk.run();
      const row = await desk.row('lecture.mp4');
      const item = { siteId: desk.siteId, mediaId: row.mediaId ?? '', fileId: row.fileId ?? '' };
      await service.control('PATCH', '/settings', { processing: { delay_ms: 600_000 } });
      await engine.call('files.add', { ...item, paths: [desk.put('slides.pdf')] });
      const { id } = await desk.whenRow(({ fileName, state }) => fileName === 'slides.pdf' && state === 'processing');
      await engine.call('uploads.cancel', { kind: 'ids', ids: [id] });
      await engine.whenUploadsIdle();
      expect(names(await filesOf(desk, item))).toEqual([['lecture.mp4', 'video', 'complete']]);
      expect(await engine.call('uploads.leftovers', null)).toEqual({ left: 0, pending: 0 });
      // A retry adds it to the same item.
      await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
      await engine.call('uploads.retry', { kind: 'ids', ids: [id] });
      await engine.whenUploadsIdle();
      expect(names(await filesOf(desk, item))).toEqual([
        ['lecture.mp4', 'video', 'complete'],
        ['slides.pdf', 'doc', 'complete'],
      ]);
    } finally {
      await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
    }
  }, 600_000);

  it('fails and creates no other item when the item was deleted meanwhile', async ({ desk }) => {
    const item = await makeItem(desk);
    const engine = await desk.reopen();
    const output = await engine.call('files.add', { ...item, paths: [desk.put('slides.pdf')] });
    await engine.call('library.deleteMedia', item);
    await desk.run();
    expect(await outcomeOf(desk, output)).toMatchObject({ lines: ['upload.item-deleted'] });
    const { items } = await engine.call('library.planDeletion', {
      siteId: desk.siteId,
      collectionIds: [desk.collectionId],
    });
    expect(items).toBe(0);
  });

  it('is kept and sent when the engine restarts before', async ({ desk }) => {
    const item = await makeItem(desk);
    await desk.reopen();
    await desk.engine.call('files.replace', { ...item, path: desk.put('better.mp4') });
    await desk.reopen();
    expect(await desk.engine.call('files.additions', item)).toMatchObject([
      {
        fileName: 'better.mp4',
        addition: { kind: 'file' },
        followUps: [{ kind: 'old-file', fileName: 'lecture.mp4' }],
      },
    ]);
    await desk.run();
    expect(names(await filesOf(desk, item))).toEqual([['better.mp4', 'video', 'complete']]);
  });
});

describe('a file that is replaced', () => {
  it('stays until the new file is complete', async ({ desk, service }) => {
    const item = await makeItem(desk);
    await service.control('PATCH', '/settings', { processing: { outcome: 'error' } });
    try {
      const output = await desk.engine.call('files.replace', { ...item, path: desk.put('broken.mp4') });
      await desk.engine.whenUploadsIdle();
      expect(await outcomeOf(desk, output)).toMatchObject({ lines: ['upload.processing-failed'] });
      expect(names(await filesOf(desk, item))).toContainEqual(['lecture.mp4', 'video', 'complete']);
      expect(await requestsOf(service, 'DELETE', /\/files\//)).toEqual([]);
    } finally {
      await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
    }
  });
});
