import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeSaveFile } from '../../../../electron/engine/ports/system/node-save-file.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { mayMount, mountSmallDisk } from '../../../helpers/system/small-disk.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-save-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const pieces = (letter: string) => Array.from({ length: 20 }, () => Buffer.alloc(50_000, letter));

describe('saving a file', () => {
  it('leaves one complete file when several are saved to one path at the same time', async () => {
    const path = join(dir, 'report.csv');
    await Promise.all(['a', 'b', 'c', 'd'].map((letter) => nodeSaveFile(path, pieces(letter))));
    const text = readFileSync(path, 'latin1');
    expect(text).toHaveLength(1_000_000);
    expect(new Set(text).size).toBe(1);
    expect(readdirSync(dir)).toEqual(['report.csv']);
  });

  it('saves a name of the maximum length', async () => {
    const name = `${'n'.repeat(251)}.csv`;
    await nodeSaveFile(join(dir, name), [Buffer.from('x')]);
    expect(readdirSync(dir)).toEqual([name]);
  });

  it('leaves the existing file, and no other, when it fails', async () => {
    const path = join(dir, 'report.csv');
    await nodeSaveFile(path, [Buffer.from('before')]);
    const failing = (function* () {
      yield Buffer.from('after');
      throw new Error('The rows can’t be read.');
    })();
    await expect(nodeSaveFile(path, failing)).rejects.toMatchObject({ code: 'manifest.not-saved' });
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(dir)).toEqual(['report.csv']);
  });

  it.runIf(mayMount())('reports another program when the existing file is in use', async () => {
    const path = join(dir, 'report.csv');
    writeFileSync(path, 'before');
    writeFileSync(join(dir, 'held'), 'held');
    // A mounted file can't be replaced, like a file that a program on Windows has open.
    execFileSync('mount', ['--bind', join(dir, 'held'), path], { stdio: 'pipe' });
    try {
      await expect(nodeSaveFile(path, [Buffer.from('after')])).rejects.toMatchObject({
        code: 'manifest.file-in-use',
        details: { path, reason: 'EBUSY' },
      });
    } finally {
      execFileSync('umount', [path], { stdio: 'pipe' });
    }
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(dir).sort()).toEqual(['held', 'report.csv']);
  });

  it('reports the folder, and no other program, when it is missing', async () => {
    await expect(nodeSaveFile(join(dir, 'gone', 'report.csv'), [Buffer.from('x')])).rejects.toMatchObject({
      code: 'manifest.not-saved',
      details: { reason: 'ENOENT' },
    });
  });

  it('as a new one leaves another file that has its name, also when several are saved at the same time', async () => {
    const path = join(dir, 'report.csv');
    const saved = await Promise.allSettled(
      ['a', 'b', 'c'].map((letter) => nodeSaveFile(path, pieces(letter), { isNew: true })),
    );
    expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const text = readFileSync(path, 'latin1');
    expect({ length: text.length, letters: new Set(text).size }).toEqual({ length: 1_000_000, letters: 1 });
    await expect(nodeSaveFile(path, pieces('d'), { isNew: true })).rejects.toMatchObject({
      code: 'manifest.file-exists',
      details: { path },
    });
    expect(readFileSync(path, 'latin1')).toBe(text);
    expect(readdirSync(dir)).toEqual(['report.csv']);
  });

  it('fails with the error of its pieces, and leaves no part', async () => {
    const failing = (async function* () {
      yield Buffer.from('first');
      throw appError('network.unreachable');
    })();
    await expect(nodeSaveFile(join(dir, 'report.csv'), failing)).rejects.toMatchObject({ code: 'network.unreachable' });
    expect(readdirSync(dir)).toEqual([]);
  });

  it.runIf(mayMount())('on a full drive leaves the existing file, and says why', async () => {
    const disk = mountSmallDisk(1);
    try {
      const path = join(disk.path, 'report.csv');
      writeFileSync(path, 'before');
      await expect(nodeSaveFile(path, [...pieces('a'), ...pieces('b')])).rejects.toMatchObject({
        code: 'manifest.not-saved',
        message: expect.stringContaining('the drive is full'),
      });
      expect(readFileSync(path, 'utf8')).toBe('before');
      expect(readdirSync(disk.path)).toEqual(['report.csv']);
    } finally {
      disk.remove();
    }
  });

  it('says that a folder has the name', async () => {
    await expect(nodeSaveFile(dir, [Buffer.from('x')])).rejects.toMatchObject({ code: 'manifest.not-saved' });
  });
});
