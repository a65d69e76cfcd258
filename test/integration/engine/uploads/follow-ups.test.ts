import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Failpoints, NO_FAILPOINTS } from '../../../../electron/engine/ports/failpoints.ts';
import type { MediaFile } from '../../../../shared/api/files.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';
import { hasAnotherDisk, makeFolderOnAnotherDisk } from '../../../helpers/system/another-disk.ts';

const it = deskTest();

const SRT = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';
const VTT = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHallo\n';
/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

// The fast clock shortens the backoff. The files are not real recordings; the service accepts any bytes.
it.override({ speed: 20, settings: { processing: { outcome: 'complete' } } });

async function filesOf(desk: Desk, mediaId: string | null | undefined): Promise<MediaFile[]> {
  return (await desk.engine.call('library.media', { siteId: desk.siteId, mediaId: mediaId ?? '' })).files;
}

const shown = (followUps: { kind: string; state: string; fileName: string; error: { code: string } | null }[]) =>
  followUps.map(({ kind, state, fileName, error }) => [kind, error?.code ?? state, fileName]);

describe('captions and a thumbnail beside a recording', () => {
  it('are uploaded once each with the recording, not as items of their own', async ({ desk }) => {
    desk.put('lecture.mp4');
    desk.put('lecture.srt', SRT);
    desk.put('lecture.de.vtt', VTT);
    desk.put('lecture.png', PNG);
    const added = await desk.add();
    expect(added).toMatchObject({ added: 1, skippedCount: 0, sidecars: 3 });
    await desk.run();
    const [row, ...others] = await desk.rows();
    expect(others).toEqual([]);
    expect(row?.state).toBe('complete');
    expect(shown(row?.followUps ?? [])).toEqual([
      ['captions', 'done', 'lecture.de.vtt'],
      ['captions', 'done', 'lecture.srt'],
      ['thumbnail', 'done', 'lecture.png'],
    ]);
    const captions = (await filesOf(desk, row?.mediaId)).filter(({ type }) => type === 'captions');
    expect(captions.map(({ display_name, status }) => [display_name, status])).toEqual([
      ['lecture.de.vtt', 'complete'],
      ['lecture.srt', 'complete'],
    ]);
    const receipt = await desk.engine.call('uploads.receipt', { batchId: added.batchId });
    expect(receipt.lines[0]?.followUps).toEqual(row?.followUps);
  });

  it('are sent once when the reply to their creation is lost', async ({ desk, service }) => {
    desk.put('lecture.mp4');
    desk.put('lecture.srt', SRT);
    await desk.add();
    desk.engine.startUploads();
    await desk.whenRow(({ fileId }) => fileId !== null);
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media/[^/]+/files$',
      times: 1,
      action: { kind: 'lose-reply' },
    });
    await desk.engine.whenUploadsIdle();
    const [row] = await desk.rows();
    expect(row?.followUps.map(({ state }) => state)).toEqual(['done']);
    const captions = (await filesOf(desk, row?.mediaId)).filter(({ type }) => type === 'captions');
    expect(captions.map(({ status }) => status)).toEqual(['complete']);
  });

  it('leave the upload complete with a reason when they fail, and are sent by a retry', async ({ desk }) => {
    desk.put('lecture.mp4');
    const captions = desk.put('lecture.srt', SRT);
    const { batchId } = await desk.add();
    rmSync(captions);
    await desk.run();
    let [row] = await desk.rows();
    expect(row?.state).toBe('complete');
    expect(shown(row?.followUps ?? [])).toEqual([['captions', 'file.missing', 'lecture.srt']]);
    expect((await desk.engine.call('uploads.totals', null)).followUps).toEqual({ pending: 0, failed: 1 });
    expect((await desk.engine.call('uploads.receipt', { batchId })).totals).toMatchObject({ complete: 1, failed: 0 });
    desk.put('lecture.srt', SRT);
    expect(await desk.engine.call('uploads.retry', { kind: 'failed' })).toEqual({ changed: 1 });
    await desk.engine.whenUploadsIdle();
    [row] = await desk.rows();
    expect(row?.followUps.map(({ state }) => state)).toEqual(['done']);
    expect((await desk.engine.call('uploads.totals', null)).followUps).toEqual({ pending: 0, failed: 0 });
  });

  it('are sent before the item is published', async ({ desk, service }) => {
    desk.put('lecture.mp4');
    desk.put('lecture.vtt', VTT);
    await desk.add([desk.dir], { publish: { kind: 'now' } });
    await desk.run();
    const [row] = await desk.rows();
    expect(row).toMatchObject({ state: 'complete', followUps: [{ kind: 'captions', state: 'done' }] });
    const posts = (await requestsOf(service, 'POST', /./)).map(({ path }) => path ?? '');
    expect(posts.findLastIndex((path) => path.endsWith('/files'))).toBeLessThan(
      posts.findIndex((path) => path.endsWith('/publish')),
    );
  });

  it('become items of their own when the batch does not pair sidecars', async ({ desk }) => {
    desk.put('lecture.mp4');
    desk.put('lecture.srt', SRT);
    expect(await desk.add([desk.dir], { sidecars: false })).toMatchObject({ added: 2, sidecars: 0 });
  });
});

describe('the local file', () => {
  it('is moved with its sidecars when all of them are delivered, and replaces no file in the folder', async ({
    desk,
  }) => {
    const folder = join(desk.dir, 'done');
    mkdirSync(folder);
    writeFileSync(join(folder, 'lecture.mp4'), 'somebody else’s');
    const recording = desk.put('in/lecture.mp4', 'my recording');
    desk.put('in/lecture.en.srt', SRT);
    await desk.add([join(desk.dir, 'in')], { source: { kind: 'move', folder } });
    await desk.run();
    const [row] = await desk.rows();
    expect(shown(row?.followUps ?? [])).toEqual([
      ['captions', 'done', 'lecture.en.srt'],
      ['source', 'done', join(folder, 'lecture (2).mp4')],
    ]);
    expect(existsSync(recording)).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(['lecture (2).en.srt', 'lecture (2).mp4', 'lecture.mp4']);
    expect(readFileSync(join(folder, 'lecture (2).mp4'), 'utf8')).toBe('my recording');
    expect(readFileSync(join(folder, 'lecture.mp4'), 'utf8')).toBe('somebody else’s');
    expect(readdirSync(join(desk.dir, 'in'))).toEqual([]);
  });

  it('is moved with its captions when the program was killed before it could rename them', async ({ desk }) => {
    const folder = join(desk.dir, 'done');
    mkdirSync(folder);
    const recording = desk.put('in/lecture.mp4', 'my recording');
    desk.put('in/lecture.en.srt', SRT);
    await desk.add([recording], { source: { kind: 'move', folder } });
    await desk.engine.stop();
    // The state of the profile after a crash just before the first file was renamed.
    const copy = join(desk.dir, 'profile');
    const { promise: died, resolve: die } = Promise.withResolvers<void>();
    const failpoints: Failpoints = {
      ...NO_FAILPOINTS,
      async runAsync(name, effect) {
        if (name !== 'file.rename') return effect();
        if (!existsSync(copy)) cpSync(desk.profile.dir, copy, { recursive: true });
        die();
        throw appError('source.folder-unwritable');
      },
    };
    await desk.reopen({ failpoints });
    desk.engine.startUploads();
    await died;
    await desk.engine.stop();
    cpSync(copy, desk.profile.dir, { recursive: true, force: true });
    // An empty file reserved the name, and the complete copy never replaced it.
    writeFileSync(join(folder, 'lecture.en.srt'), '');
    await desk.reopen();
    await desk.run();
    expect((await desk.rows())[0]?.followUps.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(readdirSync(folder).sort()).toEqual(['lecture.en.srt', 'lecture.mp4']);
    expect(readFileSync(join(folder, 'lecture.en.srt'), 'utf8')).toBe(SRT);
    expect(readdirSync(join(desk.dir, 'in'))).toEqual([]);
  });

  it('is moved under its new name, and its sidecars under theirs, when it was renamed while it was queued', async ({
    desk,
  }) => {
    const folder = join(desk.dir, 'done');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.en.vtt'), 'somebody else’s');
    const recording = desk.put('in/a.mp4', 'my recording');
    desk.put('in/a.en.vtt', VTT);
    await desk.add([join(desk.dir, 'in')], { source: { kind: 'move', folder } });
    renameSync(recording, join(desk.dir, 'in', 'lecture.mp4'));
    await desk.run();
    const [row] = await desk.rows();
    expect(row?.followUps.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(readdirSync(folder).sort()).toEqual(['a (2).en.vtt', 'a.en.vtt', 'lecture (2).mp4']);
    expect(readFileSync(join(folder, 'a (2).en.vtt'), 'utf8')).toBe(VTT);
  });

  it('is not moved when it changed after it was sent', async ({ desk, service }) => {
    const folder = join(desk.dir, 'done');
    mkdirSync(folder);
    const recording = desk.put('in/lecture.mp4', 'as it was sent');
    await service.control('PATCH', '/settings', { processing: { delay_ms: 1500 } });
    await desk.add([recording], { source: { kind: 'move', folder } });
    desk.engine.startUploads();
    await desk.whenRow(({ state }) => state === 'processing');
    writeFileSync(recording, 'as it is now, and longer');
    await desk.engine.whenUploadsIdle();
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
    const [row] = await desk.rows();
    expect(row?.state).toBe('complete');
    expect(shown(row?.followUps ?? [])).toEqual([['source', 'source.changed', '']]);
    expect(readFileSync(recording, 'utf8')).toBe('as it is now, and longer');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(!hasAnotherDisk)(
    'is not shown as moved when it was renamed while it was copied to another disk',
    async ({ desk }) => {
      const folder = makeFolderOnAnotherDisk('done');
      const recording = desk.put('in/lecture.mp4', 'my recording');
      await desk.add([recording], { source: { kind: 'move', folder } });
      const failpoints: Failpoints = {
        ...NO_FAILPOINTS,
        async runAsync(name, effect) {
          // The last moment at which a change is possible: the copy has its name, and the original is about to be deleted.
          if (name === 'file.remove') renameSync(recording, join(desk.dir, 'in', 'keep this.mp4'));
          return effect();
        },
      };
      await desk.reopen({ failpoints });
      try {
        await desk.run();
        const source = async () => (await desk.rows())[0]?.followUps ?? [];
        expect(shown(await source())).toEqual([['source', 'source.not-removed', '']]);
        expect(readdirSync(join(desk.dir, 'in'))).toEqual(['keep this.mp4']);
        expect(readFileSync(join(folder, 'lecture.mp4'), 'utf8')).toBe('my recording');
        // The user has seen the notice and accepts the copy with a retry.
        await desk.engine.call('uploads.retry', { kind: 'all' });
        await desk.engine.whenUploadsIdle();
        expect((await source()).map(({ state }) => state)).toEqual(['done']);
        expect(readdirSync(join(desk.dir, 'in'))).toEqual(['keep this.mp4']);
        expect(readdirSync(folder)).toEqual(['lecture.mp4']);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  it('is not moved before its captions are delivered', async ({ desk }) => {
    const folder = join(desk.dir, 'done');
    mkdirSync(folder);
    const recording = desk.put('in/lecture.mp4');
    const captions = desk.put('in/lecture.srt', SRT);
    await desk.add([recording], { source: { kind: 'move', folder } });
    rmSync(captions);
    await desk.run();
    expect(shown((await desk.rows())[0]?.followUps ?? [])).toEqual([
      ['captions', 'file.missing', 'lecture.srt'],
      ['source', 'source.held', ''],
    ]);
    expect(existsSync(recording)).toBe(true);
    desk.put('in/lecture.srt', SRT);
    await desk.engine.call('uploads.retry', { kind: 'all' });
    await desk.engine.whenUploadsIdle();
    expect(readdirSync(folder).sort()).toEqual(['lecture.mp4', 'lecture.srt']);
  });

  it('is moved when a missing target folder appears', async ({ desk }) => {
    const folder = join(desk.dir, 'done');
    const recording = desk.put('in/lecture.mp4');
    await desk.add([recording], { source: { kind: 'move', folder } });
    const waiting = desk.whenRow(({ followUps }) => followUps[0]?.error?.code === 'source.folder-missing');
    desk.engine.startUploads();
    expect(await waiting).toMatchObject({ state: 'complete', followUps: [{ state: 'pending' }] });
    mkdirSync(folder);
    await desk.engine.whenUploadsIdle();
    expect(readdirSync(folder)).toEqual(['lecture.mp4']);
  });

  it('is moved to the trash, and is kept when there is no trash', async ({ desk }) => {
    await desk.engine.stop();
    const trashed: string[] = [];
    await desk.reopen({
      trash: async (path) => {
        trashed.push(path);
        rmSync(path);
      },
    });
    const recording = desk.put('lecture.mp4');
    await desk.add([recording], { source: { kind: 'trash' } });
    await desk.run();
    expect(trashed).toEqual([recording]);
    await desk.reopen();
    const other = desk.put('other.mp4');
    await desk.add([other], { source: { kind: 'trash' } });
    await desk.run();
    const row = (await desk.rows()).find(({ fileName }) => fileName === 'other.mp4');
    expect(shown(row?.followUps ?? [])).toEqual([['source', 'trash.unavailable', '']]);
    expect(existsSync(other)).toBe(true);
  });

  it('is not reported as trashed when the trash refused it and its folder is missing', async ({ desk }) => {
    const recording = desk.put('in/lecture.mp4');
    await desk.add([recording], { source: { kind: 'trash' } });
    await desk.run();
    expect(shown((await desk.rows())[0]?.followUps ?? [])).toEqual([['source', 'trash.unavailable', '']]);
    renameSync(join(desk.dir, 'in'), join(desk.dir, 'away'));
    await desk.engine.call('uploads.retry', { kind: 'all' });
    await desk.engine.whenUploadsIdle();
    expect(shown((await desk.rows())[0]?.followUps ?? [])).toEqual([['source', 'file.missing', '']]);
    expect(existsSync(join(desk.dir, 'away', 'lecture.mp4'))).toBe(true);
  });

  it('is not reported as trashed when the program was killed during the request to the trash and its folder is missing', async ({
    desk,
  }) => {
    const recording = desk.put('in/lecture.mp4');
    await desk.add([recording], { source: { kind: 'trash' } });
    await desk.engine.stop();
    // The trash never answers, so the next start cannot know whether it has the file.
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let release = () => {};
    await desk.reopen({
      trash: () =>
        new Promise((_, reject) => {
          release = () => reject(new Error('too late'));
          asked();
        }),
    });
    desk.engine.startUploads();
    await isAsked;
    const copy = join(desk.dir, 'profile');
    cpSync(desk.profile.dir, copy, { recursive: true });
    release();
    await desk.engine.whenUploadsIdle();
    await desk.engine.stop();
    cpSync(copy, desk.profile.dir, { recursive: true, force: true });
    renameSync(join(desk.dir, 'in'), join(desk.dir, 'away'));
    await desk.reopen({ trash: async (path) => rmSync(path) });
    const waiting = desk.whenRow(({ followUps }) => followUps[0]?.error?.code === 'file.folder-gone');
    desk.engine.startUploads();
    expect(await waiting).toMatchObject({ state: 'complete', followUps: [{ state: 'pending' }] });
    renameSync(join(desk.dir, 'away'), join(desk.dir, 'in'));
    await desk.engine.whenUploadsIdle();
    expect(shown((await desk.rows())[0]?.followUps ?? [])).toEqual([['source', 'done', '']]);
    expect(existsSync(recording)).toBe(false);
  });
});
