import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findRowFiles } from '../../../../electron/engine/manifest/find-files.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mediadesk-rows-'));
  for (const name of ['a.wav', 'week 7/b.wav', 'week 7/c.wav', 'week 8/d.wav']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the files found for these cells when the folder “week 7” can't be listed. */
async function find(code: ErrorCode, ...cells: string[]): Promise<string[]> {
  const list = (path: string) =>
    path.endsWith('week 7') ? Promise.reject(appError(code, { details: { path } })) : nodeFiles.list(path);
  const rows = cells.map((cell, at) => ({ row: at + 1, line: null, cells: [cell] }));
  const where = { column: 0, folder, takesSidecars: true };
  const found = await findRowFiles(rows, where, { files: { ...nodeFiles, list }, realPath: realpath });
  return rows.map(({ row }) => {
    const file = found.get(row);
    return file?.kind === 'problem' ? file.code : (file?.kind ?? '');
  });
}

it.for(['file.unreadable', 'file.disk-error', 'file.too-many-open', 'file.locked'] as const)(
  'files in a folder that can’t be read are reported as unreadable, not as missing (%s)',
  async (code) => {
    const cells = ['a.wav', 'week 7/b.wav', 'week 7/none.wav', 'week 8/d.wav', 'week 8/none.wav'];
    expect(await find(code, ...cells)).toEqual([
      ...['found', 'file.unreadable', 'file.unreadable', 'found', 'manifest.file-missing'],
    ]);
  },
);

it('files below a path that does not exist or is no folder are reported as missing', async () => {
  const cells = ['week 7/b.wav', 'a.wav/b.wav', 'none/b.wav'];
  expect(await find('file.missing', ...cells)).toEqual(cells.map(() => 'manifest.file-missing'));
});

it('a cell finds the file whose accents are stored in the other form, in its name and in that of its folder', async () => {
  const forms = { apart: 'Cafe\u0301', together: 'Caf\u00e9' };
  mkdirSync(join(folder, forms.apart));
  writeFileSync(join(folder, forms.apart, `${forms.apart}.wav`), 'as a Mac stores it');
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(folder, 'other', `${forms.together}.wav`), 'as other systems store it');
  const cells = [`${forms.together}/${forms.together}.wav`, `other/${forms.apart}.wav`];
  expect(await find('file.missing', ...cells)).toEqual(['found', 'found']);
});
