import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeSaveFile } from '../../../../electron/engine/ports/system/node-save-file.ts';

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
});
