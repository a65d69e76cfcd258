import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeSaveFile } from '../../../../electron/engine/ports/system/node-save-file.ts';
import { mayMount } from '../../../helpers/system/small-disk.ts';

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
});
