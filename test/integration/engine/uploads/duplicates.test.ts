import { createHash } from 'node:crypto';
import { copyFileSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import type { DuplicateChoice } from '../../../../shared/contract/upload-choices.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import {
  allRows,
  createTestProfile,
  makeCollection,
  openTestDesk,
  signInEngine,
  type TestProfile,
} from '../../../helpers/engine-host.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let siteId: string;
let collectionId: string;
let dir: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

beforeEach(async () => {
  ({ profile, engine, siteId, collectionId, dir } = await openTestDesk(service, 'duplicates'));
  engine.startUploads();
});
afterEach(async () => {
  await engine.stop();
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

/** A file whose contents are told by a word, larger than its edges. */
function put(name: string, word: string, sizeBytes = 400_000): string {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.alloc(sizeBytes, word));
  return path;
}

async function add(paths: string[], duplicates: DuplicateChoice = 'ask', target = collectionId) {
  const defaults = batchDefaultsSchema.parse({ duplicates });
  const added = await engine.call('uploads.add', { siteId, collectionId: target, paths, defaults });
  await engine.whenUploadsIdle();
  return added;
}

async function itemsIn(target = collectionId): Promise<string[]> {
  const filters = { search: '', type: null, status: null, sort: 'created_on', order: 'asc' } as const;
  await engine.call('library.refresh', { siteId });
  const query = { siteId, collectionId: target, ...filters };
  return (await engine.call('library.mediaWindow', { query, offset: 0, limit: 200 })).rows.map(({ title }) => title);
}

const states = async () => (await allRows(engine)).map(({ state, error }) => error?.code ?? state);

describe('a file that its collection has already', () => {
  it('asks when it comes again under another name from another folder, and names the item that has it', async () => {
    const first = put('Day 1/lecture.bin', 'optics');
    await add([first]);
    const copy = put('Day 2/copy of it.bin', 'optics');
    await add([copy]);
    const [one, two] = await allRows(engine);
    expect(two).toMatchObject({ state: 'failed', mediaId: null, error: { code: 'upload.duplicate' } });
    expect(two?.error?.details).toMatchObject({
      mediaId: one?.mediaId,
      title: 'lecture',
      where: 'history',
      match: 'contents',
      uploadedAt: one?.endedAt,
    });
    expect(String(two?.error?.details?.url)).toMatch(/^https?:\/\//);
    expect(await itemsIn()).toEqual(['lecture']);
  });

  it('is left out at a word, uploaded at another, and either choice is kept over a restart', async () => {
    await add([put('a.bin', 'same')]);
    await add([put('b.bin', 'same'), put('c.bin', 'same')]);
    expect(await states()).toEqual(['complete', 'upload.duplicate', 'upload.duplicate']);
    await engine.stop();
    engine = await profile.open();
    siteId = await signInEngine(engine, service);
    const asking = async () => (await engine.call('uploads.totals', null)).duplicates;
    expect(await asking()).toBe(2);
    const [, b, c] = await allRows(engine);
    const resolve = (id: string | undefined, choice: 'skip' | 'upload') =>
      engine.call('uploads.resolveDuplicates', { selection: { kind: 'ids', ids: [id ?? ''] }, choice });
    expect(await resolve(b?.id, 'skip')).toEqual({ changed: 1 });
    expect(await asking()).toBe(1);
    expect(await resolve(c?.id, 'upload')).toEqual({ changed: 1 });
    expect(await asking()).toBe(0);
    engine.startUploads();
    await engine.whenUploadsIdle();
    expect(await states()).toEqual(['complete', 'upload.duplicate-skipped', 'complete']);
    expect((await allRows(engine))[1]?.state).toBe('skipped');
    expect(await itemsIn()).toEqual(['a', 'c']);
    // What was left out can still be had.
    expect(await resolve(b?.id, 'upload')).toEqual({ changed: 1 });
    await engine.whenUploadsIdle();
    expect(await states()).toEqual(['complete', 'complete', 'complete']);
    expect(await resolve(b?.id, 'upload')).toEqual({ changed: 0 });
  });

  it('is left out without asking where a batch says so, and the receipt says why', async () => {
    await add([put('a.bin', 'same')]);
    const { batchId } = await add([put('b.bin', 'same'), put('new.bin', 'new')], 'skip');
    const { totals, lines } = await engine.call('uploads.receipt', { batchId });
    expect(totals).toMatchObject({ added: 2, complete: 1, skipped: 1 });
    expect(lines[0]).toMatchObject({ outcome: 'skipped', errorCode: 'upload.duplicate-skipped' });
  });

  it('is passed over when what failed is tried again, in one batch as in all, and what was cancelled stays so', async () => {
    await add([put('a.bin', 'same')]);
    const lost = put('lost.bin', 'lost');
    await engine.call('uploads.pause', { kind: 'all' });
    const { batchId } = await add([put('b.bin', 'same'), lost, put('given-up.bin', 'other')]);
    const other = await add([put('lost too.bin', 'lost too')]);
    rmSync(lost);
    rmSync(join(dir, 'lost too.bin'));
    const givenUp = (await allRows(engine)).find(({ fileName }) => fileName === 'given-up.bin');
    await engine.call('uploads.cancel', { kind: 'ids', ids: [givenUp?.id ?? ''] });
    await engine.call('uploads.resume', { kind: 'all' });
    await engine.whenUploadsIdle();
    const before = ['complete', 'upload.duplicate', 'file.missing', 'cancelled', 'file.missing'];
    expect(await states()).toEqual(before);
    const batches = await engine.call('uploads.batches', { limit: 10 });
    const asking = (id: string) => batches.find((batch) => batch.id === id)?.duplicates;
    expect([asking(batchId), asking(other.batchId)]).toEqual([1, 0]);
    expect(await engine.call('uploads.batch', { batchId })).toEqual(batches.find(({ id }) => id === batchId));
    expect(await engine.call('uploads.batch', { batchId: 'none' })).toBeNull();

    const ids = (await allRows(engine)).flatMap(({ id, error }) => (error?.code === 'upload.duplicate' ? [id] : []));
    expect(await engine.call('uploads.retry', { kind: 'ids', ids })).toEqual({ changed: 0 });
    put('lost.bin', 'lost');
    expect(await engine.call('uploads.retry', { kind: 'failed', batchId })).toEqual({ changed: 1 });
    await engine.whenUploadsIdle();
    expect(await states()).toEqual(['complete', 'upload.duplicate', 'complete', 'cancelled', 'file.missing']);
    put('lost too.bin', 'lost too');
    expect(await engine.call('uploads.retry', { kind: 'failed' })).toEqual({ changed: 1 });
    await engine.whenUploadsIdle();
    expect(await states()).toEqual(['complete', 'upload.duplicate', 'complete', 'cancelled', 'complete']);
  });

  it('goes up again where a batch says so', async () => {
    await add([put('a.bin', 'same')]);
    await add([put('b.bin', 'same')], 'upload');
    expect(await itemsIn()).toEqual(['a', 'b']);
  });

  it('is none in another collection, nor with the same size and other contents', async () => {
    const path = put('a.bin', 'same');
    await add([path]);
    const other = await makeCollection(engine, siteId, 'Another one');
    await add([path], 'ask', other);
    // Equal at both ends, different in the middle: only the whole contents tell.
    const middle = Buffer.alloc(400_000, 'same');
    middle[200_000] = 1;
    writeFileSync(join(dir, 'b.bin'), middle);
    await add([join(dir, 'b.bin')]);
    expect(await states()).toEqual(['complete', 'complete', 'complete']);
    expect((await allRows(engine))[2]?.sha256).toBe(createHash('sha256').update(middle).digest('hex'));
  });

  it('is none any more when the item was deleted in the library', async () => {
    await add([put('a.bin', 'same')]);
    const [row] = await allRows(engine);
    await engine.call('library.deleteMedia', { siteId, mediaId: row?.mediaId ?? '' });
    await add([put('b.bin', 'same')]);
    expect(await states()).toEqual(['complete', 'complete']);
  });

  it('is found among uploads that run at the same time: one goes, the others wait for it and are judged by its end', async () => {
    const names = ['a.bin', 'b.bin', 'c.bin', 'd.bin', 'e.bin', 'f.bin'];
    await add(names.map((name) => put(name, 'same', 3_000_000)));
    expect((await states()).sort()).toEqual(['complete', ...Array.from({ length: 5 }, () => 'upload.duplicate')]);
    expect(await itemsIn()).toHaveLength(1);
  });

  it('is asked about by name and size when somebody else uploaded it, and said to be probable', async () => {
    await add([put('Elsewhere/lecture.bin', 'optics')]);
    // Another computer: the same library, another profile.
    await engine.stop();
    profile.remove();
    profile = createTestProfile(service);
    engine = await profile.open();
    siteId = await signInEngine(engine, service);
    engine.startUploads();
    await add([put('Here/lecture.bin', 'optics')], 'skip');
    const [row] = await allRows(engine);
    expect(row).toMatchObject({ state: 'failed', error: { code: 'upload.duplicate' } });
    expect(row?.error?.message).toContain('probably');
    expect(row?.error?.details).toMatchObject({ where: 'library', match: 'name-and-size', title: 'lecture' });
  });

  it('is counted in the preview without being read', async () => {
    const path = put('a.bin', 'same');
    put('new.bin', 'new', 1234);
    await add([path]);
    const preview = await engine.call('uploads.preview', { paths: [dir], siteId, collectionId, sidecars: true });
    expect(preview).toMatchObject({ files: 2, likelyDuplicates: 1 });
    expect(
      (await engine.call('uploads.preview', { paths: [dir], siteId: null, collectionId: null, sidecars: true }))
        .likelyDuplicates,
    ).toBe(0);
  });
});

describe('one file by several paths', () => {
  it('goes up once: a hard link and a symbolic link are left out and name the first path', async () => {
    const path = put('a.bin', 'same');
    linkSync(path, join(dir, 'b hard.bin'));
    symlinkSync(path, join(dir, 'c soft.bin'));
    const { added, skipped } = await add([dir]);
    expect(added).toBe(1);
    expect(skipped.map(({ error }) => [error.code, error.details?.path])).toEqual([
      ['upload.same-file', path],
      ['upload.same-file', path],
    ]);
    expect(await itemsIn()).toEqual(['a']);
  });

  it('goes up as two when names differ only in how their letters are composed and contents differ', async () => {
    put('\u00fcbung.bin', 'composed');
    put('u\u0308bung.bin', 'decomposed');
    await add([dir]);
    expect(await states()).toEqual(['complete', 'complete']);
  });

  it('goes up once when such names hold the same contents', async () => {
    const path = put('\u00fcbung.bin', 'same');
    copyFileSync(path, join(dir, 'u\u0308bung.bin'));
    await add([dir], 'skip');
    expect((await states()).sort()).toEqual(['complete', 'upload.duplicate-skipped']);
  });
});
