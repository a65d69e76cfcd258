import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { wav } from '../../../helpers/service/service-samples.ts';

const it = deskTest();

it.override('speed', 20);

const PRIVATE = 'a private text that was never added';

/** Creates a folder that nobody added, beside the added one, with a file of the same name. */
function hidden(desk: Desk, name: string, contents = PRIVATE): string {
  return desk.put(join('private', name), contents);
}

async function outcomes(desk: Desk): Promise<string[]> {
  await desk.run();
  return (await desk.rows()).map(({ state, error }) => error?.code ?? state);
}

describe('a file of an added folder that is swapped before it is sent', () => {
  it.for<[string, (desk: Desk) => void]>([
    [
      'its folder is replaced by a link',
      (desk) => {
        hidden(desk, 'rec.txt');
        rmSync(join(desk.dir, 'drop/sub'), { recursive: true });
        symlinkSync(join(desk.dir, 'private'), join(desk.dir, 'drop/sub'));
      },
    ],
    [
      'it is replaced by a link',
      (desk) => {
        rmSync(join(desk.dir, 'drop/sub/rec.txt'));
        symlinkSync(hidden(desk, 'rec.txt'), join(desk.dir, 'drop/sub/rec.txt'));
      },
    ],
    [
      'it is replaced by a link to a file of the same size and time',
      (desk) => {
        const path = join(desk.dir, 'drop/sub/rec.txt');
        const { size, mtime } = statSync(path);
        const other = hidden(desk, 'rec.txt', 'x'.repeat(size));
        utimesSync(other, mtime, mtime);
        utimesSync(path, mtime, mtime);
        rmSync(path);
        symlinkSync(other, path);
      },
    ],
  ])('stays unsent and is reported when %s', async ([, swap], { desk }) => {
    desk.put('drop/sub/rec.txt', 'a recording');
    await desk.add([join(desk.dir, 'drop')]);
    swap(desk);
    expect(await outcomes(desk)).toEqual(['file.is-link']);
    expect((await desk.rows())[0]).toMatchObject({ mediaId: null, fileId: null });
    // A retry checks again, and a restart does not forget what was added.
    await desk.reopen();
    await desk.engine.call('uploads.retry', { kind: 'failed' });
    expect(await outcomes(desk)).toEqual(['file.is-link']);
  });

  it('stays unsent when another file of the same size and time got its name, until the original is back', async ({
    desk,
  }) => {
    const path = desk.put('drop/rec.txt', 'a recording');
    const { mtime } = statSync(path);
    utimesSync(path, mtime, mtime);
    await desk.add([join(desk.dir, 'drop')]);
    // Files with such names are not searched when a file is missing.
    renameSync(path, join(desk.dir, '.aside'));
    writeFileSync(path, 'b recording');
    utimesSync(path, mtime, mtime);
    expect(await outcomes(desk)).toEqual(['file.replaced']);
    renameSync(join(desk.dir, '.aside'), path);
    await desk.engine.call('uploads.retry', { kind: 'failed' });
    expect(await outcomes(desk)).toEqual(['complete']);
  });

  it('is sent with its present contents when it was rewritten in place', async ({ desk }) => {
    const path = desk.put('drop/rec.txt', 'a recording');
    await desk.add([join(desk.dir, 'drop')]);
    writeFileSync(path, 'a longer recording');
    expect(await outcomes(desk)).toEqual(['complete']);
    expect((await desk.rows())[0]?.sizeBytes).toBe(18);
  });

  it('is found and sent when its folder was renamed and a link has the old name', async ({ desk }) => {
    desk.put('drop/sub/rec.txt', 'a recording');
    hidden(desk, 'rec.txt');
    await desk.add([join(desk.dir, 'drop')]);
    renameSync(join(desk.dir, 'drop/sub'), join(desk.dir, 'drop/renamed'));
    symlinkSync(join(desk.dir, 'private'), join(desk.dir, 'drop/sub'));
    expect(await outcomes(desk)).toEqual(['complete']);
    expect((await desk.rows())[0]).toMatchObject({ path: join(desk.dir, 'drop/renamed/rec.txt'), sizeBytes: 11 });
  });
});

describe('links that the user adds', () => {
  it('are followed when they were added by their path, and lead nowhere else later', async ({ desk }) => {
    const first = desk.put('elsewhere/first.txt', 'a recording');
    const second = desk.put('elsewhere/second.txt', 'another one');
    const [sent, retargeted] = [join(desk.dir, 'sent.txt'), join(desk.dir, 'retargeted.txt')];
    symlinkSync(first, sent);
    symlinkSync(second, retargeted);
    await desk.add([sent, retargeted]);
    rmSync(retargeted);
    rmSync(second);
    symlinkSync(hidden(desk, 'rec.txt'), retargeted);
    expect(await outcomes(desk)).toEqual(['complete', 'file.replaced']);
  });

  it('are followed when they are the added folder, or lie above it', async ({ desk }) => {
    desk.put('real/day/sub/rec.txt', 'a recording');
    symlinkSync(join(desk.dir, 'real'), join(desk.dir, 'above'));
    symlinkSync(join(desk.dir, 'real/day'), join(desk.dir, 'day'));
    await desk.add([join(desk.dir, 'day'), join(desk.dir, 'above/day')], { duplicates: 'upload' });
    expect(await outcomes(desk)).toEqual(['complete', 'upload.same-file']);
  });

  it('are skipped with a reason when they are inside an added folder', async ({ desk }) => {
    desk.put('drop/rec.txt', 'a recording');
    symlinkSync(dirname(hidden(desk, 'rec.txt')), join(desk.dir, 'drop/folder'));
    symlinkSync(join(desk.dir, 'private/rec.txt'), join(desk.dir, 'drop/file.txt'));
    symlinkSync(join(desk.dir, 'nowhere'), join(desk.dir, 'drop/dangling.txt'));
    await desk.add([join(desk.dir, 'drop')]);
    expect(await outcomes(desk)).toEqual(['file.is-link', 'file.is-link', 'file.is-link', 'complete']);
  });
});

describe('what belongs to a recording', () => {
  it('is not sent when it was swapped for a link: captions and thumbnail', async ({ desk }) => {
    desk.put('drop/rec.wav', wav());
    desk.put('drop/rec.en.srt', '1\n00:00:00,000 --> 00:00:01,000\nhello\n');
    await desk.add([join(desk.dir, 'drop')]);
    rmSync(join(desk.dir, 'drop/rec.en.srt'));
    symlinkSync(hidden(desk, 'secret.srt'), join(desk.dir, 'drop/rec.en.srt'));
    expect(await outcomes(desk)).toEqual(['complete']);
    await desk.engine.whenUploadsIdle();
    const [row] = await desk.rows();
    expect(row?.followUps).toMatchObject([{ kind: 'captions', state: 'failed', error: { code: 'file.is-link' } }]);
  });

  it('is not added when it is a link beside the recording', async ({ desk }) => {
    const path = desk.put('drop/rec.wav', wav());
    symlinkSync(hidden(desk, 'secret.srt'), join(desk.dir, 'drop/rec.en.srt'));
    const { sidecars } = await desk.add([path]);
    expect(sidecars).toBe(0);
  });
});

describe('a file that is moved or put into the trash after its upload', () => {
  it('is left alone when its folder was replaced by a link meanwhile', async ({ desk }) => {
    mkdirSync(join(desk.dir, 'sent'));
    const path = desk.put('drop/sub/rec.txt', 'a recording');
    const { mtime } = statSync(path);
    utimesSync(path, mtime, mtime);
    // The folder for uploaded files appears only after the upload, so that its move is tried again.
    rmSync(join(desk.dir, 'sent'), { recursive: true });
    await desk.add([join(desk.dir, 'drop')], { source: { kind: 'move', folder: join(desk.dir, 'sent') } });
    const waits = desk.whenRow(({ followUps }) =>
      followUps.some(({ error }) => error?.code === 'source.folder-missing'),
    );
    desk.engine.startUploads();
    await waits;
    renameSync(join(desk.dir, 'drop/sub'), join(desk.dir, 'aside'));
    const other = hidden(desk, 'rec.txt', 'a recording');
    utimesSync(other, mtime, mtime);
    symlinkSync(join(desk.dir, 'private'), join(desk.dir, 'drop/sub'));
    mkdirSync(join(desk.dir, 'sent'));
    const { id } = (await desk.rows())[0] as { id: string };
    const ended = desk.whenRow(({ followUps }) =>
      followUps.some(({ state }) => state === 'failed' || state === 'done'),
    );
    await desk.engine.call('uploads.retry', { kind: 'ids', ids: [id] });
    await ended;
    expect(readFileSync(other, 'utf8')).toBe('a recording');
    const [row] = await desk.rows();
    expect(row?.followUps.at(-1)).toMatchObject({ kind: 'source', error: { code: 'file.is-link' } });
  });
});
