import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChosenPairs } from '../../../../electron/engine/companions/companion-pairs.ts';
import type { Files } from '../../../../electron/engine/ports/files.ts';
import { filesByRoot } from '../../../../electron/engine/ports/rooted-files.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { findRecordings } from '../../../../electron/engine/uploads/adding/find-recordings.ts';
import { rootsWhileAdding } from '../../../../electron/engine/uploads/places/chosen-places.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-find-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const put = (name: string, text = 'x') => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};

async function find(...paths: string[]): Promise<string[]> {
  const found: string[] = [];
  const files = filesByRoot(nodeFiles, rootsWhileAdding(paths));
  for await (const finding of findRecordings(files, paths, { sidecars: true })) {
    found.push('error' in finding ? `${basename(finding.path)}: ${finding.error.code}` : basename(finding.path));
  }
  return found;
}

describe('finding recordings', () => {
  it('walks folders in natural order', async () => {
    for (const name of ['take 10.wav', 'take 2.wav', 'Take 1.wav']) put(name);
    mkdirSync(join(dir, 'b'));
    put('b/inside.mp4');
    expect(await find(dir)).toEqual(['inside.mp4', 'Take 1.wav', 'take 2.wav', 'take 10.wav']);
  });

  it('returns every file once, however often it was dropped', async () => {
    const file = put('a.wav');
    expect(await find(file, dir, file)).toEqual(['a.wav']);
  });

  it('skips files that cannot be sent, each with its reason', async () => {
    put('empty.wav', '');
    put('.DS_Store');
    put('recording.mp4.part');
    symlinkSync(join(dir, 'nowhere'), join(dir, 'dangling.wav'));
    execFileSync('mkfifo', [join(dir, 'pipe.mp4')]);
    expect(await find(dir, join(dir, 'gone.wav'))).toEqual([
      '.DS_Store: file.hidden',
      'dangling.wav: file.is-link',
      'empty.wav: file.empty',
      'pipe.mp4: file.not-regular',
      'recording.mp4.part: file.hidden',
      'gone.wav: file.missing',
    ]);
  });

  it('reports the size of a skipped file, and none of a skipped folder', async () => {
    put('.DS_Store', 'twelve bytes');
    put('recording.mp4.part', 'part');
    mkdirSync(join(dir, '@eaDir'));
    const sizes: Record<string, number | undefined> = {};
    for await (const found of findRecordings(nodeFiles, [dir], { sidecars: true })) {
      if ('error' in found) sizes[basename(found.path)] = found.facts?.sizeBytes;
    }
    expect(sizes).toEqual({ '.DS_Store': 12, 'recording.mp4.part': 4, '@eaDir': undefined });
  });

  it('counts a package of macOS as one skipped thing, in a folder and when it is chosen itself', async () => {
    mkdirSync(join(dir, 'Wedding.fcpbundle', 'Original Media'), { recursive: true });
    put('Wedding.fcpbundle/Original Media/clip.mov');
    put('Wedding.fcpbundle/Settings.plist');
    put('slides.key');
    put('talk.mp4');
    expect(await find(dir)).toEqual(['slides.key', 'talk.mp4', 'Wedding.fcpbundle: file.package']);
    expect(await find(join(dir, 'Wedding.fcpbundle'))).toEqual(['Wedding.fcpbundle: file.package']);
    expect(await find(join(dir, 'Wedding.fcpbundle', 'Original Media'))).toEqual(['clip.mov']);
  });

  it('skips partial downloads, and the trash, snapshots and system files of every system, each with its reason', async () => {
    const FOLDERS = ['$RECYCLE.BIN', '#recycle', '@eaDir', '~snapshot', 'lost+found', 'System Volume Information'];
    for (const folder of [...FOLDERS, '__MACOSX', '.Trash-1000', '_UNPACK_talk']) {
      mkdirSync(join(dir, folder));
      put(`${folder}/private.mp4`);
    }
    const FILES = ['a.mp4.filepart', 'a.mp4.aria2', 'a.mp4.!qB', '.a.mp4.icloud', 'Thumbs.db', 'autorun.inf', 'a.lck'];
    for (const name of FILES) put(name);
    put('talk.mp4');
    const found = await find(dir);
    expect(found.filter((each) => !each.endsWith(': file.hidden'))).toEqual(['talk.mp4']);
    expect(found).toHaveLength(1 + FOLDERS.length + 3 + FILES.length);
    // Such a folder or file that is added itself is the user's choice.
    expect(await find(join(dir, '@eaDir'), join(dir, 'a.mp4.aria2'))).toEqual(['private.mp4', 'a.mp4.aria2']);
  });

  it('reads each file a few times, however many captions one recording has', async () => {
    put('talk.mp4');
    const letters = [...'abcdefghijklmnop'];
    const captions = letters.flatMap((one) => letters.map((other) => put(`talk.en-${one}${other}.vtt`)));
    let reads = 0;
    const counted =
      <Result>(read: (path: string) => Promise<Result>) =>
      (path: string) => {
        reads += 1;
        return read(path);
      };
    const files = { ...nodeFiles, facts: counted(nodeFiles.facts), assertReadable: counted(nodeFiles.assertReadable) };
    const found = [];
    for await (const finding of findRecordings(files, [dir], { sidecars: true })) found.push(finding);
    expect(found.map(({ path }) => path)).toEqual([join(dir, 'talk.mp4')]);
    expect(found.flatMap((each) => ('companions' in each ? each.companions : []))).toHaveLength(captions.length);
    expect(reads).toBeLessThan(5 * captions.length);
  });

  describe('a recording and its files on a disk that stops responding', () => {
    /** Files of which `name` can't be read from the second call of `facts` on: the disk stops after the folder was read. */
    const stopsAfterFirst = (name: string, code: ErrorCode = 'file.disk-hangs') => {
      let calls = 0;
      return {
        ...nodeFiles,
        facts: async (path: string) => {
          if (basename(path) === name && ++calls > 1) throw appError(code, { details: { path } });
          return nodeFiles.facts(path);
        },
      };
    };
    const findIn = async (files: Files, paths: string[], chosen?: ChosenPairs) => {
      const found: string[] = [];
      for await (const finding of findRecordings(files, paths, { sidecars: true, chosen })) {
        const name = basename(finding.path);
        if ('error' in finding) found.push(`${name}: ${finding.error.code}`);
        else found.push([name, ...finding.companions.map(({ fileName }) => fileName)].join(' + '));
      }
      return found.sort();
    };

    it.each([
      ['captions', 'talk.vtt', 'WEBVTT'],
      ['a file with details', 'talk.json', '{"title":"Talk"}'],
    ])('returns %s with the error, not as an upload', async (_, name, text) => {
      put('talk.mp4');
      put(name, text);
      expect(await findIn(stopsAfterFirst(name), [dir])).toEqual([`${name}: file.disk-hangs`, 'talk.mp4'].sort());
    });

    it('returns captions with the error when their recording can’t be read', async () => {
      put('talk.mp4');
      // Their name is before that of the recording, so that it is decided earlier to which recording they belong.
      put('talk.en.vtt');
      const expected = ['talk.en.vtt: file.disk-hangs', 'talk.mp4'];
      expect(await findIn(stopsAfterFirst('talk.mp4'), [dir])).toEqual(expected);
    });

    it('returns captions as an upload when their recording was deleted', async () => {
      put('talk.mp4');
      put('talk.en.vtt');
      expect(await findIn(stopsAfterFirst('talk.mp4', 'file.missing'), [dir])).toEqual(['talk.en.vtt', 'talk.mp4']);
    });

    it('returns captions that were not added themselves with the error', async () => {
      const recording = put('talk.mp4');
      put('talk.vtt');
      const files = {
        ...nodeFiles,
        assertReadable: async (path: string) => {
          if (path.endsWith('.vtt')) throw appError('file.unreadable', { details: { path } });
        },
      };
      expect(await findIn(files, [recording])).toEqual(['talk.mp4', 'talk.vtt: file.unreadable']);
    });

    it('returns captions that the user chose in another folder with the error', async () => {
      const recording = put('talk.mp4');
      mkdirSync(join(dir, 'texts'));
      const captions = put('texts/english.vtt');
      const files = {
        ...nodeFiles,
        assertReadable: async (path: string) => {
          if (path === captions) throw appError('file.unreadable', { details: { path } });
        },
      };
      expect(await findIn(files, [recording], new Map([[captions, recording]]))).toEqual([
        'english.vtt: file.unreadable',
        'talk.mp4',
      ]);
    });

    it('pairs files that were added themselves when their folder can’t be listed', async () => {
      const paths = [put('talk.mp4'), put('talk.vtt')];
      const files = {
        ...nodeFiles,
        list: async (path: string) => Promise.reject(appError('file.disk-hangs', { details: { path } })),
      };
      expect(await findIn(files, paths)).toEqual(['talk.mp4 + talk.vtt']);
    });
  });

  it('returns a hidden or unusual file that was dropped directly', async () => {
    expect(await find(put('.secret-take.wav'))).toEqual(['.secret-take.wav']);
  });

  it('skips devices and sockets that were dropped directly', async () => {
    const path = join(dir, 'socket.mp4');
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await find('/dev/null', path)).toEqual(['null: file.not-regular', 'socket.mp4: file.not-regular']);
    server.close();
  });

  it('skips links inside folders, also those to the folder itself', async () => {
    mkdirSync(join(dir, 'loop'));
    put('loop/a.wav');
    symlinkSync(join(dir, 'loop'), join(dir, 'loop', 'again'));
    expect(await find(dir)).toEqual(['a.wav', 'again: file.is-link']);
  });
});

describe('opening a file', () => {
  it('does not wait for a pipe without a writer', async () => {
    const path = join(dir, 'pipe.mp4');
    execFileSync('mkfifo', [path]);
    await expect(nodeFiles.open(path)).rejects.toMatchObject({ code: 'file.not-regular' });
  });
});
