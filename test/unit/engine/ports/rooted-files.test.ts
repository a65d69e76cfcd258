// Files below a folder that the user chose, on the real disk.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileMover } from '../../../../electron/engine/ports/system/node-file-mover.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';

let dir: string;
let root: string;
let kept: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'mediadesk-rooted-')));
  root = join(dir, 'chosen');
  mkdirSync(join(root, 'sub/deep'), { recursive: true });
  mkdirSync(join(dir, 'private'));
  writeFileSync(join(root, 'sub/deep/own.txt'), 'own');
  kept = join(dir, 'private/own.txt');
  writeFileSync(kept, 'private');
  symlinkSync(kept, join(root, 'sub/link.txt'));
  symlinkSync(join(dir, 'private'), join(root, 'sub/out'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Returns the paths below the folder of the test that this process has open. */
function openPaths(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(dir) ? [path] : [];
    } catch {
      // The list itself was open while it was read.
      return [];
    }
  });
}

const { signal } = new AbortController();

describe('files below a chosen folder', () => {
  it('are refused behind a link, whatever is done to them, and the file behind it stays', async () => {
    const files = nodeFiles.within(root);
    const mover = createFileMover(null).within(root);
    const target = join(dir, 'target.txt');
    for (const name of ['sub/link.txt', 'sub/out/own.txt']) {
      const path = join(root, name);
      const works = [files.facts, files.open, files.assertReadable, (at: string) => mover.hash(at, signal)];
      for (const work of works) await expect(work(path)).rejects.toMatchObject({ code: 'file.is-link' });
      const isLink = { code: expect.stringMatching(/^(file|source)\.is-link$/) };
      await expect(mover.rename(path, target)).rejects.toMatchObject(isLink);
      await expect(mover.copy(path, target, signal)).rejects.toMatchObject(isLink);
    }
    await expect(mover.remove(join(root, 'sub/out/own.txt'))).rejects.toMatchObject({ code: 'file.is-link' });
    expect(readFileSync(kept, 'utf8')).toBe('private');
  });

  it.skipIf(process.platform !== 'linux')('leave nothing open, whether they are read, refused or missing', async () => {
    const files = nodeFiles.within(root);
    const mover = createFileMover(null).within(root);
    const own = await files.open(join(root, 'sub/deep/own.txt'));
    expect(openPaths()).toEqual([join(root, 'sub/deep/own.txt')]);
    await own.close();
    await mover.hash(join(root, 'sub/deep/own.txt'), signal);
    const names = ['sub/link.txt', 'sub/out/own.txt', 'sub/deep', 'sub/gone/own.txt', 'sub/deep/own.txt/below', 'gone'];
    for (const path of names.map((name) => join(root, name))) {
      await expect(files.open(path)).rejects.toThrow();
      await expect(mover.hash(path, signal)).rejects.toThrow();
      await expect(mover.copy(path, join(dir, 'gone/target'), signal)).rejects.toThrow();
      await expect(mover.rename(path, join(dir, 'gone/target'))).rejects.toThrow();
    }
    expect(await mover.rename(join(root, 'sub/deep/own.txt'), join(dir, 'moved.txt'))).toBe('done');
    expect(openPaths()).toEqual([]);
  });
});

describe('a copy to another disk', () => {
  it('writes to no file behind a link that stands at its path', async () => {
    const path = join(root, 'sub/deep/own.txt');
    const part = join(dir, 'part');
    symlinkSync(kept, part);
    await expect(createFileMover(null).copy(path, part, signal)).rejects.toMatchObject({
      code: 'source.folder-unwritable',
    });
    expect(readFileSync(kept, 'utf8')).toBe('private');
  });
});
