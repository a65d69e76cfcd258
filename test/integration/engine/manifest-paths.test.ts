import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRowFiles } from '../../../electron/engine/manifest/find-files.ts';
import { nodeFiles } from '../../../electron/engine/ports/system/node-files.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'manifest-paths-')));
  mkdirSync(join(folder, 'Week 7'));
  for (const name of ['talk.mp4', 'Week 7/Optics.mp4', 'a.mp4', 'A.mp4']) writeFileSync(join(folder, name), name);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the path that a cell names, from the folder of the spreadsheet, or the code of its problem. */
async function named(cell: string): Promise<string> {
  const options = { column: 0, folder, takesSidecars: false };
  const found = await findRowFiles([{ row: 1, line: 1, cells: [cell] }], options, {
    files: nodeFiles,
    realPath: realpath,
  });
  const file = found.get(1);
  return file?.kind === 'found' ? file.path.slice(folder.length + 1) : (file?.code ?? '');
}

describe('a cell of a manifest', () => {
  it('names a file with other capitals, unless that could be several', async () => {
    expect(await named('TALK.MP4')).toBe('talk.mp4');
    expect(await named('week 7/optics.mp4')).toBe('Week 7/Optics.mp4');
    expect(await named('A.mp4')).toBe('A.mp4');
    expect(await named('a.MP4')).toBe('manifest.file-several');
  });

  it('names a file by its full path in the folder, with and without quotes', async () => {
    expect(await named(join(folder, 'Week 7/Optics.mp4'))).toBe('Week 7/Optics.mp4');
    expect(await named(`"${join(folder, 'talk.mp4')}"`)).toBe('talk.mp4');
    expect(await named(`'talk.mp4'`)).toBe('talk.mp4');
    expect(await named(join(folder, 'none.mp4'))).toBe('manifest.file-missing');
  });

  it('names no file outside of the folder, whatever the form of its path is', async () => {
    for (const cell of ['/etc/hosts', '"/etc/hosts"', join(folder, '../x.mp4'), 'C:\\x.mp4', '"..\\x.mp4"', folder]) {
      expect([cell, await named(cell)]).toEqual([cell, 'manifest.file-outside']);
    }
  });
});
