import { createHash } from 'node:crypto';
import { copyFileSync, linkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { DuplicateChoice } from '../../../../shared/contract/upload-choices.ts';
import { Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { makeCollection } from '../../../helpers/engine/engine-host.ts';

const it = deskTest();

it.override('speed', 10);
it.beforeEach(({ desk }) => desk.engine.startUploads());

/** Writes a file that repeats `word`; larger than the parts that are compared first. */
const put = (desk: Desk, name: string, word: string, sizeBytes = 400_000) =>
  desk.put(name, Buffer.alloc(sizeBytes, word));

/** Adds files and waits until every upload has ended. */
async function add(desk: Desk, paths: string[], duplicates: DuplicateChoice = 'ask') {
  const added = await desk.add(paths, { duplicates });
  await desk.engine.whenUploadsIdle();
  return added;
}

async function itemsIn({ engine, siteId, collectionId }: Desk): Promise<string[]> {
  const filters = { search: '', type: null, status: null, sort: 'created_on', order: 'asc' } as const;
  await engine.call('library.refresh', { siteId });
  const query = { siteId, collectionId, ...filters };
  return (await engine.call('library.mediaWindow', { query, offset: 0, limit: 200 })).rows.map(({ title }) => title);
}

const states = async (desk: Desk) => (await desk.rows()).map(({ state, error }) => error?.code ?? state);

describe('a file that its collection already has', () => {
  it('needs a decision, and names the existing item, when it is added under another name from another folder', async ({
    desk,
  }) => {
    const first = put(desk, 'Day 1/lecture.bin', 'optics');
    await add(desk, [first]);
    const copy = put(desk, 'Day 2/copy of it.bin', 'optics');
    await add(desk, [copy]);
    const [one, two] = await desk.rows();
    expect(two).toMatchObject({ state: 'failed', mediaId: null, error: { code: 'upload.duplicate' } });
    expect(two?.error?.details).toMatchObject({
      mediaId: one?.mediaId,
      title: 'lecture',
      where: 'history',
      match: 'contents',
      uploadedAt: one?.endedAt,
    });
    expect(String(two?.error?.details?.url)).toMatch(/^https?:\/\//);
    expect(await itemsIn(desk)).toEqual(['lecture']);
  });

  it('is skipped or uploaded as the user chooses, and the decision stays pending across a restart', async ({
    desk,
  }) => {
    await add(desk, [put(desk, 'a.bin', 'same')]);
    await add(desk, [put(desk, 'b.bin', 'same'), put(desk, 'c.bin', 'same')]);
    expect(await states(desk)).toEqual(['complete', 'upload.duplicate', 'upload.duplicate']);
    await desk.reopen();
    const asking = async () => (await desk.engine.call('uploads.totals', null)).duplicates;
    expect(await asking()).toBe(2);
    const [, b, c] = await desk.rows();
    const resolve = (id: string | undefined, choice: 'skip' | 'upload') =>
      desk.engine.call('uploads.resolveDuplicates', { selection: { kind: 'ids', ids: [id ?? ''] }, choice });
    expect(await resolve(b?.id, 'skip')).toEqual({ changed: 1 });
    expect(await asking()).toBe(1);
    expect(await resolve(c?.id, 'upload')).toEqual({ changed: 1 });
    expect(await asking()).toBe(0);
    await desk.run();
    expect(await states(desk)).toEqual(['complete', 'upload.duplicate-skipped', 'complete']);
    expect((await desk.rows())[1]?.state).toBe('skipped');
    expect(await itemsIn(desk)).toEqual(['a', 'c']);
    // A skipped file can still be uploaded.
    expect(await resolve(b?.id, 'upload')).toEqual({ changed: 1 });
    await desk.engine.whenUploadsIdle();
    expect(await states(desk)).toEqual(['complete', 'complete', 'complete']);
    expect(await resolve(b?.id, 'upload')).toEqual({ changed: 0 });
  });

  it('is skipped without a decision when the batch skips duplicates, and the receipt gives the reason', async ({
    desk,
  }) => {
    await add(desk, [put(desk, 'a.bin', 'same')]);
    const { batchId } = await add(desk, [put(desk, 'b.bin', 'same'), put(desk, 'new.bin', 'new')], 'skip');
    const { totals, lines } = await desk.engine.call('uploads.receipt', { batchId });
    expect(totals).toMatchObject({ added: 2, complete: 1, skipped: 1 });
    expect(lines[0]).toMatchObject({ outcome: 'skipped', errorCode: 'upload.duplicate-skipped' });
  });

  it('is not part of a retry of failed uploads, in one batch or in all; cancelled uploads stay cancelled', async ({
    desk,
  }) => {
    await add(desk, [put(desk, 'a.bin', 'same')]);
    const lost = put(desk, 'lost.bin', 'lost');
    await desk.engine.call('uploads.pause', { kind: 'all' });
    const { batchId } = await add(desk, [put(desk, 'b.bin', 'same'), lost, put(desk, 'given-up.bin', 'other')]);
    const other = await add(desk, [put(desk, 'lost too.bin', 'lost too')]);
    // Files with such names are not searched when a file is missing.
    const aside = (path: string) => join(desk.dir, `.${basename(path)}`);
    const lostToo = join(desk.dir, 'lost too.bin');
    for (const path of [lost, lostToo]) renameSync(path, aside(path));
    const givenUp = (await desk.rows()).find(({ fileName }) => fileName === 'given-up.bin');
    await desk.engine.call('uploads.cancel', { kind: 'ids', ids: [givenUp?.id ?? ''] });
    await desk.engine.call('uploads.resume', { kind: 'all' });
    await desk.engine.whenUploadsIdle();
    const before = ['complete', 'upload.duplicate', 'file.missing', 'cancelled', 'file.missing'];
    expect(await states(desk)).toEqual(before);
    const batches = await desk.engine.call('uploads.batches', { limit: 10 });
    const asking = (id: string) => batches.find((batch) => batch.id === id)?.duplicates;
    expect([asking(batchId), asking(other.batchId)]).toEqual([1, 0]);
    expect(await desk.engine.call('uploads.batch', { batchId })).toEqual(batches.find(({ id }) => id === batchId));
    expect(await desk.engine.call('uploads.batch', { batchId: 'none' })).toBeNull();

    const ids = (await desk.rows()).flatMap(({ id, error }) => (error?.code === 'upload.duplicate' ? [id] : []));
    expect(await desk.engine.call('uploads.retry', { kind: 'ids', ids })).toEqual({ changed: 0 });
    renameSync(aside(lost), lost);
    expect(await desk.engine.call('uploads.retry', { kind: 'failed', batchId })).toEqual({ changed: 1 });
    await desk.engine.whenUploadsIdle();
    expect(await states(desk)).toEqual(['complete', 'upload.duplicate', 'complete', 'cancelled', 'file.missing']);
    renameSync(aside(lostToo), lostToo);
    expect(await desk.engine.call('uploads.retry', { kind: 'failed' })).toEqual({ changed: 1 });
    await desk.engine.whenUploadsIdle();
    expect(await states(desk)).toEqual(['complete', 'upload.duplicate', 'complete', 'cancelled', 'complete']);
  });

  it('is uploaded again when the batch allows duplicates', async ({ desk }) => {
    await add(desk, [put(desk, 'a.bin', 'same')]);
    await add(desk, [put(desk, 'b.bin', 'same')], 'upload');
    expect(await itemsIn(desk)).toEqual(['a', 'b']);
  });

  it('is no duplicate in another collection, nor with the same size and other contents', async ({ desk }) => {
    const path = put(desk, 'a.bin', 'same');
    await add(desk, [path]);
    const first = desk.collectionId;
    desk.collectionId = await makeCollection(desk.engine, desk.siteId, 'Another one');
    await add(desk, [path]);
    desk.collectionId = first;
    // Equal at both ends, different in the middle: only the hash of the complete contents differs.
    const middle = Buffer.alloc(400_000, 'same');
    middle[200_000] = 1;
    writeFileSync(join(desk.dir, 'b.bin'), middle);
    await add(desk, [join(desk.dir, 'b.bin')]);
    expect(await states(desk)).toEqual(['complete', 'complete', 'complete']);
    expect((await desk.rows())[2]?.sha256).toBe(createHash('sha256').update(middle).digest('hex'));
  });

  it('is no duplicate when the item was deleted in the library', async ({ desk }) => {
    await add(desk, [put(desk, 'a.bin', 'same')]);
    const [row] = await desk.rows();
    await desk.engine.call('library.deleteMedia', { siteId: desk.siteId, mediaId: row?.mediaId ?? '' });
    await add(desk, [put(desk, 'b.bin', 'same')]);
    expect(await states(desk)).toEqual(['complete', 'complete']);
  });

  it('is uploaded once when several copies run at the same time', async ({ desk }) => {
    const names = ['a.bin', 'b.bin', 'c.bin', 'd.bin', 'e.bin', 'f.bin'];
    await add(
      desk,
      names.map((name) => put(desk, name, 'same', 3_000_000)),
    );
    expect((await states(desk)).sort()).toEqual(['complete', ...Array.from({ length: 5 }, () => 'upload.duplicate')]);
    expect(await itemsIn(desk)).toHaveLength(1);
  });

  it('is a probable duplicate by name and size when another computer uploaded it', async ({ desk, service, clock }) => {
    await add(desk, [put(desk, 'Elsewhere/lecture.bin', 'optics')]);
    // Another computer: the same library with another profile.
    await using other = await Desk.open(service, { clock });
    other.collectionId = desk.collectionId;
    other.engine.startUploads();
    await add(other, [put(other, 'Here/lecture.bin', 'optics')], 'skip');
    const [row] = await other.rows();
    expect(row).toMatchObject({ state: 'failed', error: { code: 'upload.duplicate' } });
    expect(row?.error?.message).toContain('probably');
    expect(row?.error?.details).toMatchObject({ where: 'library', match: 'name-and-size', title: 'lecture' });
  });

  it('is counted in the preview of a collection as a likely duplicate', async ({ desk }) => {
    const path = put(desk, 'a.bin', 'same');
    put(desk, 'new.bin', 'new', 1234);
    await add(desk, [path]);
    const { siteId, collectionId } = desk;
    const preview = await desk.engine.call('uploads.preview', {
      paths: [desk.dir],
      siteId,
      collectionId,
      sidecars: true,
    });
    expect(preview).toMatchObject({ files: 2, likelyDuplicates: 1 });
    expect(
      (
        await desk.engine.call('uploads.preview', {
          paths: [desk.dir],
          siteId: null,
          collectionId: null,
          sidecars: true,
        })
      ).likelyDuplicates,
    ).toBe(0);
  });
});

describe('files with several or nearly equal paths', () => {
  it('are uploaded once: hard links, and links that were added by their paths, are skipped with the first path', async ({
    desk,
  }) => {
    const path = put(desk, 'a.bin', 'same');
    linkSync(path, join(desk.dir, 'b hard.bin'));
    symlinkSync(path, join(desk.dir, 'c soft.bin'));
    const { added, skipped } = await add(desk, [desk.dir, join(desk.dir, 'c soft.bin')]);
    expect(added).toBe(1);
    expect(skipped.map(({ error }) => [error.code, error.details?.path])).toEqual([
      ['upload.same-file', path],
      ['upload.same-file', path],
    ]);
    expect(await itemsIn(desk)).toEqual(['a']);
  });

  it('are all uploaded when their names differ only in Unicode normalization and their contents differ', async ({
    desk,
  }) => {
    put(desk, '\u00fcbung.bin', 'composed');
    put(desk, 'u\u0308bung.bin', 'decomposed');
    await add(desk, [desk.dir]);
    expect(await states(desk)).toEqual(['complete', 'complete']);
  });

  it('are uploaded once when their names differ only in Unicode normalization and their contents are equal', async ({
    desk,
  }) => {
    const path = put(desk, '\u00fcbung.bin', 'same');
    copyFileSync(path, join(desk.dir, 'u\u0308bung.bin'));
    await add(desk, [desk.dir], 'skip');
    expect((await states(desk)).sort()).toEqual(['complete', 'upload.duplicate-skipped']);
  });
});
