import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files } from '../../../../../electron/engine/ports/files.ts';
import { nodeFiles } from '../../../../../electron/engine/ports/system/node-files.ts';
import { findRecordings } from '../../../../../electron/engine/uploads/adding/find-recordings.ts';
import { previewPaths } from '../../../../../electron/engine/uploads/adding/preview-paths.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-preview-'));
  mkdirSync(join(dir, 'Day 2'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const put = (name: string, bytes: number) => {
  const path = join(dir, name);
  writeFileSync(path, Buffer.alloc(bytes));
  utimesSync(path, new Date(2026, 10, 19, 12), new Date(2026, 10, 19, 12));
};

describe('a preview of an addition', () => {
  it('counts the files to send and to skip as the addition does', async () => {
    put('take 10.wav', 7);
    put('take 2.wav', 5);
    put('Day 2/one.mp4', 3);
    put('Day 2/empty.mp4', 0);
    put('.hidden', 9);
    const preview = await previewPaths(nodeFiles, [dir, join(dir, 'gone.wav')]);
    expect(preview).toMatchObject({ files: 3, bytes: 15, skipped: 3, isAll: true });
    let found = 0;
    for await (const _ of findRecordings(nodeFiles, [dir, join(dir, 'gone.wav')], { sidecars: true })) found += 1;
    expect(preview.files + preview.skipped).toBe(found);
  });

  it('names the first three files in queue order, with the folder and date that a title template can contain', async () => {
    put('take 10.wav', 7);
    put('take 2.wav', 5);
    put('take 11.wav', 5);
    put('Day 2/one.mp4', 3);
    const { firstNames } = await previewPaths(nodeFiles, [dir]);
    expect(firstNames.map(({ fileName }) => fileName)).toEqual(['one.mp4', 'take 2.wav', 'take 10.wav']);
    expect(firstNames[0]).toEqual({ fileName: 'one.mp4', folderName: 'Day 2', date: '2026-11-19' });
  });

  it('stops at its limit and reports that more files exist', async () => {
    for (const name of ['a.wav', 'b.wav', 'c.wav']) put(name, 1);
    expect(await previewPaths(nodeFiles, [dir], { limit: 2 })).toMatchObject({ files: 2, bytes: 2, isAll: false });
    expect(await previewPaths(nodeFiles, [dir], { limit: 3 })).toMatchObject({ files: 3, bytes: 3, isAll: true });
  });

  it('ends immediately when it is cancelled, also while a disk does not answer', async () => {
    put('take 1.wav', 7);
    put('take 2.wav', 5);
    const away = new Promise<never>(() => {});
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const files: Files = {
      ...nodeFiles,
      facts: (path) => {
        if (!path.endsWith('take 2.wav')) return nodeFiles.facts(path);
        asked();
        return away;
      },
    };
    const stop = new AbortController();
    const looks: string[] = [];
    const looksKnown = (path: string) => {
      looks.push(path);
      return false;
    };
    const preview = previewPaths(files, [dir], { signal: stop.signal, looksKnown });
    await isAsked;
    while (looks.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await preview).toMatchObject({ files: 1, bytes: 7, isAll: false });
    expect(await previewPaths(nodeFiles, [dir], { signal: stop.signal })).toMatchObject({ files: 0, isAll: false });
  });
});
