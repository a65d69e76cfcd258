import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { type Failpoints, NO_FAILPOINTS } from '../../../../electron/engine/ports/failpoints.ts';
import type { MediaFile } from '../../../../shared/api/files.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { type BatchDefaults, batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { hasAnotherDisk, makeFolderOnAnotherDisk } from '../../../helpers/another-disk.ts';
import { allRows, openTestDesk, type TestProfile, whenRow } from '../../../helpers/engine-host.ts';
import { clearJournal, requestsOf } from '../../../helpers/journal.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

const SRT = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';
const VTT = 'WEBVTT\n\n00:01.000 --> 00:02.000\nHallo\n';
/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let siteId: string;
let collectionId: string;
let dir: string;

beforeAll(async () => {
  service = await startService();
  // What is uploaded here are no real recordings: the service is told to take them all the same.
  await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
});
afterAll(() => service.stop());

beforeEach(async () => {
  ({ profile, engine, siteId, collectionId, dir } = await openTestDesk(service, 'follow-ups'));
});
afterEach(async () => {
  await engine.stop();
  await service.control('DELETE', '/faults');
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

function put(name: string, contents: string | Buffer = name): string {
  const path = join(dir, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, contents);
  return path;
}

const add = (paths: string[], defaults: Partial<BatchDefaults> = {}) =>
  engine.call('uploads.add', {
    siteId,
    collectionId,
    paths,
    defaults: { ...batchDefaultsSchema.parse({}), ...defaults },
  });

async function run(): Promise<void> {
  engine.startUploads();
  await engine.whenUploadsIdle();
}

async function filesOf(mediaId: string | null | undefined): Promise<MediaFile[]> {
  return (await engine.call('library.media', { siteId, mediaId: mediaId ?? '' })).files;
}

const fault = (path: string, action: object, times = 1) =>
  service.control('POST', '/faults', { method: 'POST', path, times, action });

const shown = (followUps: { kind: string; state: string; fileName: string; error: { code: string } | null }[]) =>
  followUps.map(({ kind, state, fileName, error }) => [kind, error?.code ?? state, fileName]);

describe('captions and a thumbnail beside a recording', () => {
  it('go along with it, once each, and are no items of their own', async () => {
    put('lecture.mp4');
    put('lecture.srt', SRT);
    put('lecture.de.vtt', VTT);
    put('lecture.png', PNG);
    const added = await add([dir]);
    expect(added).toMatchObject({ added: 1, skippedCount: 0, sidecars: 3 });
    await run();
    const [row, ...others] = await allRows(engine);
    expect(others).toEqual([]);
    expect(row?.state).toBe('complete');
    expect(shown(row?.followUps ?? [])).toEqual([
      ['captions', 'done', 'lecture.de.vtt'],
      ['captions', 'done', 'lecture.srt'],
      ['thumbnail', 'done', 'lecture.png'],
    ]);
    const captions = (await filesOf(row?.mediaId)).filter(({ type }) => type === 'captions');
    expect(captions.map(({ display_name, status }) => [display_name, status])).toEqual([
      ['lecture.de.vtt', 'complete'],
      ['lecture.srt', 'complete'],
    ]);
    const receipt = await engine.call('uploads.receipt', { batchId: added.batchId });
    expect(receipt.lines[0]?.followUps).toEqual(row?.followUps);
  });

  it('are sent once although the reply to their creation was lost', async () => {
    put('lecture.mp4');
    put('lecture.srt', SRT);
    await add([dir]);
    engine.startUploads();
    await whenRow(engine, ({ fileId }) => fileId !== null);
    await fault('^/api2/media/[^/]+/files$', { kind: 'lose-reply' });
    await engine.whenUploadsIdle();
    const [row] = await allRows(engine);
    expect(row?.followUps.map(({ state }) => state)).toEqual(['done']);
    const captions = (await filesOf(row?.mediaId)).filter(({ type }) => type === 'captions');
    expect(captions.map(({ status }) => status)).toEqual(['complete']);
  }, 60_000);

  it('that fail leave the upload complete, say why, and are tried again by a retry', async () => {
    put('lecture.mp4');
    const captions = put('lecture.srt', SRT);
    const { batchId } = await add([dir]);
    rmSync(captions);
    await run();
    let [row] = await allRows(engine);
    expect(row?.state).toBe('complete');
    expect(shown(row?.followUps ?? [])).toEqual([['captions', 'file.missing', 'lecture.srt']]);
    expect((await engine.call('uploads.totals', null)).followUps).toEqual({ pending: 0, failed: 1 });
    expect((await engine.call('uploads.receipt', { batchId })).totals).toMatchObject({ complete: 1, failed: 0 });
    put('lecture.srt', SRT);
    expect(await engine.call('uploads.retry', { kind: 'failed' })).toEqual({ changed: 1 });
    await engine.whenUploadsIdle();
    [row] = await allRows(engine);
    expect(row?.followUps.map(({ state }) => state)).toEqual(['done']);
    expect((await engine.call('uploads.totals', null)).followUps).toEqual({ pending: 0, failed: 0 });
  });

  it('are there before the item is published', async () => {
    put('lecture.mp4');
    put('lecture.vtt', VTT);
    await add([dir], { publish: { kind: 'now' } });
    await clearJournal(service);
    await run();
    const [row] = await allRows(engine);
    expect(row).toMatchObject({ state: 'complete', followUps: [{ kind: 'captions', state: 'done' }] });
    const posts = (await requestsOf(service, 'POST', /./)).map(({ path }) => path ?? '');
    expect(posts.findLastIndex((path) => path.endsWith('/files'))).toBeLessThan(
      posts.findIndex((path) => path.endsWith('/publish')),
    );
  });

  it('stay where they are when that was asked for, or are items of their own', async () => {
    put('lecture.mp4');
    put('lecture.srt', SRT);
    expect(await add([dir], { sidecars: false })).toMatchObject({ added: 2, sidecars: 0 });
  });
});

describe('the local file', () => {
  it('is moved with its sidecars once everything is there, and nothing in the folder is replaced', async () => {
    const folder = join(dir, 'done');
    mkdirSync(folder);
    writeFileSync(join(folder, 'lecture.mp4'), 'somebody else’s');
    const recording = put('in/lecture.mp4', 'my recording');
    put('in/lecture.en.srt', SRT);
    await add([join(dir, 'in')], { source: { kind: 'move', folder } });
    await run();
    const [row] = await allRows(engine);
    expect(shown(row?.followUps ?? [])).toEqual([
      ['captions', 'done', 'lecture.en.srt'],
      ['source', 'done', join(folder, 'lecture (2).mp4')],
    ]);
    expect(existsSync(recording)).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(['lecture (2).en.srt', 'lecture (2).mp4', 'lecture.mp4']);
    expect(readFileSync(join(folder, 'lecture (2).mp4'), 'utf8')).toBe('my recording');
    expect(readFileSync(join(folder, 'lecture.mp4'), 'utf8')).toBe('somebody else’s');
    expect(readdirSync(join(dir, 'in'))).toEqual([]);
  });

  it('takes its captions along also when the program died over the name that they were to have', async () => {
    const folder = join(dir, 'done');
    mkdirSync(folder);
    const recording = put('in/lecture.mp4', 'my recording');
    put('in/lecture.en.srt', SRT);
    await add([recording], { source: { kind: 'move', folder } });
    await engine.stop();
    // As the program found its profile after its death, just before the first file got its name.
    const copy = join(dir, 'profile');
    const { promise: died, resolve: die } = Promise.withResolvers<void>();
    const failpoints: Failpoints = {
      ...NO_FAILPOINTS,
      async runAsync(name, effect) {
        if (name !== 'file.rename') return effect();
        if (!existsSync(copy)) cpSync(profile.dir, copy, { recursive: true });
        die();
        throw appError('source.folder-unwritable');
      },
    };
    engine = await profile.open({ failpoints });
    engine.startUploads();
    await died;
    await engine.stop();
    cpSync(copy, profile.dir, { recursive: true, force: true });
    // The name was taken by an empty file, and nothing came to lie there.
    writeFileSync(join(folder, 'lecture.en.srt'), '');
    engine = await profile.open();
    await run();
    expect((await allRows(engine))[0]?.followUps.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(readdirSync(folder).sort()).toEqual(['lecture.en.srt', 'lecture.mp4']);
    expect(readFileSync(join(folder, 'lecture.en.srt'), 'utf8')).toBe(SRT);
    expect(readdirSync(join(dir, 'in'))).toEqual([]);
  });

  it('that was renamed while it was queued goes by its new name, its sidecars keep theirs', async () => {
    const folder = join(dir, 'done');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.en.vtt'), 'somebody else’s');
    const recording = put('in/a.mp4', 'my recording');
    put('in/a.en.vtt', VTT);
    await add([join(dir, 'in')], { source: { kind: 'move', folder } });
    renameSync(recording, join(dir, 'in', 'lecture.mp4'));
    await run();
    const [row] = await allRows(engine);
    expect(row?.followUps.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(readdirSync(folder).sort()).toEqual(['a (2).en.vtt', 'a.en.vtt', 'lecture (2).mp4']);
    expect(readFileSync(join(folder, 'a (2).en.vtt'), 'utf8')).toBe(VTT);
  });

  it('stays when it was changed after it was sent', async () => {
    const folder = join(dir, 'done');
    mkdirSync(folder);
    const recording = put('in/lecture.mp4', 'as it was sent');
    await service.control('PATCH', '/settings', { processing: { delay_ms: 1500 } });
    await add([recording], { source: { kind: 'move', folder } });
    engine.startUploads();
    await whenRow(engine, ({ state }) => state === 'processing');
    writeFileSync(recording, 'as it is now, and longer');
    await engine.whenUploadsIdle();
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
    const [row] = await allRows(engine);
    expect(row?.state).toBe('complete');
    expect(shown(row?.followUps ?? [])).toEqual([['source', 'source.changed', '']]);
    expect(readFileSync(recording, 'utf8')).toBe('as it is now, and longer');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(!hasAnotherDisk)(
    'is not shown as moved when it was renamed while it was copied to another disk',
    async () => {
      const folder = makeFolderOnAnotherDisk('done');
      const recording = put('in/lecture.mp4', 'my recording');
      await add([recording], { source: { kind: 'move', folder } });
      await engine.stop();
      const failpoints: Failpoints = {
        ...NO_FAILPOINTS,
        async runAsync(name, effect) {
          // The last moment: the copy has its name, and the original is about to be removed.
          if (name === 'file.remove') renameSync(recording, join(dir, 'in', 'keep this.mp4'));
          return effect();
        },
      };
      engine = await profile.open({ failpoints });
      try {
        await run();
        const source = async () => (await allRows(engine))[0]?.followUps ?? [];
        expect(shown(await source())).toEqual([['source', 'source.not-removed', '']]);
        expect(readdirSync(join(dir, 'in'))).toEqual(['keep this.mp4']);
        expect(readFileSync(join(folder, 'lecture.mp4'), 'utf8')).toBe('my recording');
        // A person who has seen that accepts the copy by a retry.
        await engine.call('uploads.retry', { kind: 'all' });
        await engine.whenUploadsIdle();
        expect((await source()).map(({ state }) => state)).toEqual(['done']);
        expect(readdirSync(join(dir, 'in'))).toEqual(['keep this.mp4']);
        expect(readdirSync(folder)).toEqual(['lecture.mp4']);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  it('stays while its captions have not got through, and goes when they have', async () => {
    const folder = join(dir, 'done');
    mkdirSync(folder);
    const recording = put('in/lecture.mp4');
    const captions = put('in/lecture.srt', SRT);
    await add([recording], { source: { kind: 'move', folder } });
    rmSync(captions);
    await run();
    expect(shown((await allRows(engine))[0]?.followUps ?? [])).toEqual([
      ['captions', 'file.missing', 'lecture.srt'],
      ['source', 'source.held', ''],
    ]);
    expect(existsSync(recording)).toBe(true);
    put('in/lecture.srt', SRT);
    await engine.call('uploads.retry', { kind: 'all' });
    await engine.whenUploadsIdle();
    expect(readdirSync(folder).sort()).toEqual(['lecture.mp4', 'lecture.srt']);
  });

  it('waits for a folder that is not there, and goes when it is', async () => {
    const folder = join(dir, 'done');
    const recording = put('in/lecture.mp4');
    await add([recording], { source: { kind: 'move', folder } });
    const waiting = whenRow(engine, ({ followUps }) => followUps[0]?.error?.code === 'source.folder-missing');
    engine.startUploads();
    expect(await waiting).toMatchObject({ state: 'complete', followUps: [{ state: 'pending' }] });
    mkdirSync(folder);
    await engine.whenUploadsIdle();
    expect(readdirSync(folder)).toEqual(['lecture.mp4']);
  }, 60_000);

  it('is put into the trash where there is one, and stays where there is none', async () => {
    await engine.stop();
    const trashed: string[] = [];
    engine = await profile.open({
      trash: async (path) => {
        trashed.push(path);
        rmSync(path);
      },
    });
    const recording = put('lecture.mp4');
    await add([recording], { source: { kind: 'trash' } });
    await run();
    expect(trashed).toEqual([recording]);
    await engine.stop();
    engine = await profile.open();
    const other = put('other.mp4');
    await add([other], { source: { kind: 'trash' } });
    await run();
    const row = (await allRows(engine)).find(({ fileName }) => fileName === 'other.mp4');
    expect(shown(row?.followUps ?? [])).toEqual([['source', 'trash.unavailable', '']]);
    expect(existsSync(other)).toBe(true);
  });

  it('that the trash did not take is never told as done while its folder is away', async () => {
    const recording = put('in/lecture.mp4');
    await add([recording], { source: { kind: 'trash' } });
    await run();
    expect(shown((await allRows(engine))[0]?.followUps ?? [])).toEqual([['source', 'trash.unavailable', '']]);
    renameSync(join(dir, 'in'), join(dir, 'away'));
    await engine.call('uploads.retry', { kind: 'all' });
    await engine.whenUploadsIdle();
    expect(shown((await allRows(engine))[0]?.followUps ?? [])).toEqual([['source', 'file.missing', '']]);
    expect(existsSync(join(dir, 'away', 'lecture.mp4'))).toBe(true);
  });

  it('is not told as gone to the trash when the program died before and its folder is away', async () => {
    const recording = put('in/lecture.mp4');
    await add([recording], { source: { kind: 'trash' } });
    await engine.stop();
    // The trash never answers: as far as the next start can see, it may have taken the file.
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let release = () => {};
    engine = await profile.open({
      trash: () =>
        new Promise((_, reject) => {
          release = () => reject(new Error('too late'));
          asked();
        }),
    });
    engine.startUploads();
    await isAsked;
    const copy = join(dir, 'profile');
    cpSync(profile.dir, copy, { recursive: true });
    release();
    await engine.whenUploadsIdle();
    await engine.stop();
    cpSync(copy, profile.dir, { recursive: true, force: true });
    renameSync(join(dir, 'in'), join(dir, 'away'));
    engine = await profile.open({ trash: async (path) => rmSync(path) });
    const waiting = whenRow(engine, ({ followUps }) => followUps[0]?.error?.code === 'file.folder-gone');
    engine.startUploads();
    expect(await waiting).toMatchObject({ state: 'complete', followUps: [{ state: 'pending' }] });
    renameSync(join(dir, 'away'), join(dir, 'in'));
    await engine.whenUploadsIdle();
    expect(shown((await allRows(engine))[0]?.followUps ?? [])).toEqual([['source', 'done', '']]);
    expect(existsSync(recording)).toBe(false);
  });
});
