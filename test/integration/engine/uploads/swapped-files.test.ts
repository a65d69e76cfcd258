import { createHash } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { wav } from '../../../helpers/service/service-samples.ts';

const it = deskTest();

it.override('speed', 20);

const PRIVATE = 'a private text that was never added';

const AT = new Date(2026, 10, 22, 14);
const SRT = '1\n00:00:00,000 --> 00:00:01,000\nhello\n';
const SECRET = '1\n00:00:00,000 --> 00:00:01,000\nnever added by anyone\n';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The state of the first captions of the first upload, or why they failed. */
async function captionsOf(desk: Desk): Promise<string> {
  const captions = (await desk.rows())[0]?.followUps.find(({ kind }) => kind === 'captions');
  return captions?.error?.code ?? captions?.state ?? 'none';
}

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

describe('a file that replaced the one that was added', () => {
  /** Replaces a file by another one, as a program does that saves under another name first. */
  function replace(desk: Desk, path: string, contents: string): void {
    renameSync(desk.put('saved.tmp', contents), path);
  }
  const accept = (desk: Desk) => desk.engine.call('uploads.acceptReplaced', { kind: 'failed' });

  it('is sent from its first byte when the user accepts it, and not by a retry', async ({ desk }) => {
    const path = desk.put('drop/rec.txt', 'a recording');
    await desk.add([path]);
    replace(desk, path, 'another recording');
    expect(await outcomes(desk)).toEqual(['file.replaced']);
    await desk.engine.call('uploads.retry', { kind: 'failed' });
    expect(await outcomes(desk)).toEqual(['file.replaced']);
    expect(await accept(desk)).toEqual({ changed: 1 });
    // The decision survives a restart, and is about the file that was there: not about any later one.
    await desk.reopen();
    expect(await outcomes(desk)).toEqual(['complete']);
    const [row] = await desk.rows();
    expect(row).toMatchObject({ sizeBytes: 17, attempts: 0, title: 'rec' });
    expect(await desk.storedSha256(row?.fileId ?? '')).toBe(sha256('another recording'));
  });

  it('is not sent when yet another file has its name since the user accepted it', async ({ desk }) => {
    const path = desk.put('drop/rec.txt', 'a recording');
    await desk.add([path]);
    replace(desk, path, 'another recording');
    await outcomes(desk);
    await accept(desk);
    replace(desk, path, 'a third recording!');
    expect(await outcomes(desk)).toEqual(['file.replaced']);
  });

  it('is refused as before when it is a link, and reported when it was deleted', async ({ desk }) => {
    const paths = [desk.put('drop/1.txt', 'recording 1'), desk.put('drop/2.txt', 'recording 2')];
    await desk.add([join(desk.dir, 'drop')]);
    for (const path of paths) replace(desk, path, 'another recording');
    expect(await outcomes(desk)).toEqual(['file.replaced', 'file.replaced']);
    const [linked, deleted] = paths as [string, string];
    rmSync(linked);
    symlinkSync(hidden(desk, 'rec.txt'), linked);
    rmSync(deleted);
    await accept(desk);
    expect(await outcomes(desk)).toEqual(['file.is-link', 'file.missing']);
  });

  it('is sent as captions or thumbnail when the user accepts it, also after the upload was complete', async ({
    desk,
  }) => {
    desk.put('drop/rec.wav', wav());
    const captions = desk.put('drop/rec.en.srt', SRT);
    await desk.add([join(desk.dir, 'drop')]);
    replace(desk, captions, SRT.replace('hello', 'good morning'));
    await outcomes(desk);
    await desk.engine.whenUploadsIdle();
    expect(await captionsOf(desk)).toBe('file.replaced');
    const { id } = (await desk.rows())[0] as { id: string };
    expect(await desk.engine.call('uploads.acceptReplaced', { kind: 'ids', ids: [id] })).toEqual({ changed: 1 });
    await desk.engine.whenUploadsIdle();
    expect(await captionsOf(desk)).toBe('done');
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

  /** Adds a recording with captions; `swap` changes something before anything is sent. Returns what became of the captions. */
  async function captionsAfter(desk: Desk, swap: (captions: string) => void, added = 'drop'): Promise<string> {
    desk.put('drop/sub/rec.wav', wav());
    const captions = desk.put('drop/sub/rec.en.srt', SRT);
    await desk.add([join(desk.dir, added)]);
    swap(captions);
    expect(await outcomes(desk)).toEqual(['complete']);
    await desk.engine.whenUploadsIdle();
    return captionsOf(desk);
  }

  it.for<[string, string, (desk: Desk, captions: string) => void]>([
    [
      'a hard link to another file',
      'file.replaced',
      (desk, captions) => {
        const secret = hidden(desk, 'secret.srt', SECRET);
        rmSync(captions);
        linkSync(secret, captions);
      },
    ],
    [
      'a hard link to another file of its size and time',
      'file.replaced',
      (desk, captions) => {
        const secret = hidden(desk, 'secret.srt', SECRET.slice(0, SRT.length));
        for (const path of [secret, captions]) utimesSync(path, AT, AT);
        rmSync(captions);
        linkSync(secret, captions);
      },
    ],
    [
      'another file, by rename',
      'file.replaced',
      (desk, captions) => renameSync(hidden(desk, 's.srt', SECRET), captions),
    ],
    [
      'a file behind a link in place of its folder',
      'file.replaced',
      (desk, captions) => {
        const folder = dirname(hidden(desk, 'rec.en.srt', SECRET));
        renameSync(join(dirname(captions), 'rec.wav'), join(folder, 'rec.wav'));
        rmSync(dirname(captions), { recursive: true });
        symlinkSync(folder, dirname(captions));
      },
    ],
  ])('is not sent when it was swapped for %s, and the upload reports it', async ([, code, swap], { desk }) => {
    // The recording is added by its own path: links in the way to it are followed.
    const captions = await captionsAfter(desk, (path) => swap(desk, path), 'drop/sub/rec.wav');
    expect(captions).toBe(code);
  });

  it('is sent with its present contents when it was edited in place', async ({ desk }) => {
    expect(await captionsAfter(desk, (path) => writeFileSync(path, SRT.replace('hello', 'corrected')))).toBe('done');
  });

  it('is sent when its folder was renamed and is found at its old path again', async ({ desk }) => {
    const found = await captionsAfter(desk, (path) => {
      renameSync(dirname(path), join(desk.dir, 'away'));
      renameSync(join(desk.dir, 'away'), dirname(path));
    });
    expect(found).toBe('done');
  });

  it('stays in place when another file of its size and time got its name before the move', async ({ desk }) => {
    const sent = join(desk.dir, 'sent');
    desk.put('drop/rec.wav', wav());
    const captions = desk.put('drop/rec.en.srt', SRT);
    utimesSync(captions, AT, AT);
    await desk.add([join(desk.dir, 'drop')], { source: { kind: 'move', folder: sent } });
    const waits = desk.whenRow(({ followUps }) =>
      followUps.some(({ error }) => error?.code === 'source.folder-missing'),
    );
    desk.engine.startUploads();
    await waits;
    renameSync(captions, join(desk.dir, 'original.srt'));
    const other = desk.put('other.srt', SECRET.slice(0, SRT.length));
    utimesSync(other, AT, AT);
    renameSync(other, captions);
    mkdirSync(sent);
    await desk.engine.call('uploads.retry', { kind: 'all' });
    await desk.engine.whenUploadsIdle();
    expect(readdirSync(sent)).toEqual(['rec.wav']);
    expect(readFileSync(captions, 'utf8')).toBe(SECRET.slice(0, SRT.length));
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
