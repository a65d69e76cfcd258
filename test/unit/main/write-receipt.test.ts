import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { reasonOf, writeReceipt } from '../../../electron/main/write-receipt.ts';

const folder = mkdtempSync(join(tmpdir(), 'mediadesk-receipt-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a receipt is written to the chosen path', async () => {
  const path = join(folder, 'receipt.csv');
  await writeReceipt(path, 'a,b\n');
  expect(readFileSync(path, 'utf8')).toBe('a,b\n');
});

it.each([
  ['a folder that does not exist', 'gone/receipt.csv', 'the folder doesn’t exist', 'ENOENT'],
  ['the name of an existing folder', 'taken', 'a folder already has this name', 'EISDIR'],
  ['a name that is too long', 'x'.repeat(300), 'the name is too long', 'ENAMETOOLONG'],
])('a receipt that can’t be written reports the path and the reason for %s', async (_what, name, words, reason) => {
  mkdirSync(join(folder, 'taken'), { recursive: true });
  const path = join(folder, name);
  await expect(writeReceipt(path, 'text')).rejects.toMatchObject({
    code: 'receipt.not-saved',
    message: `The receipt couldn’t be saved as ${path}: ${words}.`,
    details: { path, reason },
  });
});

it('a receipt whose name Windows refuses is not said to have no folder', () => {
  expect(reasonOf('ENOENT', true)).toBe('Windows doesn’t allow this name');
  expect(reasonOf('ENOENT', false)).toBe('the folder doesn’t exist');
});

it.runIf(process.platform === 'linux')('a receipt that can’t be written reports a full drive', async () => {
  await expect(writeReceipt('/dev/full', 'text')).rejects.toMatchObject({
    message: expect.stringMatching(/drive is full\.$/),
  });
});
