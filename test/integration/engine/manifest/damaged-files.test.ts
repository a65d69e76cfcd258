// Damaged spreadsheets as real files, opened as the add sheet, the import and the command line open them.
import { copyFile, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { AppError } from '../../../../shared/contract/app-error.ts';
import { DAMAGED } from '../../../helpers/data/table-corpus.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';

const it = deskTest();

const MIB = 1024 * 1024;

/** Made by LibreOffice. */
const FIXTURES = new URL('../../../fixtures/spreadsheets/', import.meta.url);

describe('a spreadsheet of another format', () => {
  it.for([
    ['password.xlsx', 'table.password', 'This spreadsheet is protected by a password.'],
    ['other.ods', 'table.not-a-table', 'This file is an ODS spreadsheet, not a CSV or XLSX file.'],
    ['other.xls', 'table.not-a-table', 'This file is an old XLS spreadsheet, not a CSV or XLSX file.'],
  ] as const)('is refused with its format, whatever its name: %s', async ([name, code, message], { desk }) => {
    const path = join(desk.dir, 'list.csv');
    await copyFile(new URL(name, FIXTURES), path);
    const error = await failureOf(() => desk.engine.call('manifest.open', { path, encoding: null, separator: null }));
    expect(error).toMatchObject({ code, message });
  });
});

describe('a damaged spreadsheet', () => {
  it('causes an error with a code, a sentence with the place, and a next step, whatever the damage', async ({
    desk,
  }) => {
    for (const [name, contents, problem, row, column] of DAMAGED) {
      const path = join(desk.dir, 'damaged.csv');
      await writeFile(path, contents);
      const error = await failureOf(() => openTable(path));
      // A ZIP file is opened as XLSX, whatever its name.
      const isZip = contents[0] === 0x50 && contents[1] === 0x4b;
      expect(error.code, name).toBe(isZip ? 'table.damaged' : `table.${problem}`);
      expect(error.nextStep, name).toMatch(/^[A-Z].*\.$/s);
      if (typeof row === 'number') expect(error.message, name).toContain(`Row ${row}`);
      if (typeof column === 'number') expect(error.message, name).toContain(`column ${column}`);
      expect(error.message, name).toMatch(/^[A-Z].*\.$/s);
    }

    function openTable(path: string) {
      return desk.engine.call('manifest.open', { path, encoding: null, separator: null });
    }
  });

  it.for([
    ['of zeros', '', 'nul'],
    ['of text without a line end', 'id,title\nm:1,', 'cell-too-long'],
  ] as const)('of 1 GB %s is refused without being read into memory', async ([, head, problem], { desk }) => {
    const path = join(desk.dir, 'huge.csv');
    const file = await open(path, 'w');
    try {
      await file.write(Buffer.concat([Buffer.from(head), Buffer.alloc(head === '' ? 0 : 4 * MIB, 'x')]));
      // Extends the file to 1 GB with a hole, which takes no space on the disk.
      await file.truncate(1024 * MIB);
    } finally {
      await file.close();
    }
    const before = process.memoryUsage();
    const error = await failureOf(() => desk.engine.call('manifest.open', { path, encoding: null, separator: null }));
    const after = process.memoryUsage();
    expect(error.code).toBe(`table.${problem}`);
    expect(after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed).toBeLessThan(64 * MIB);
  });
});

async function failureOf(call: () => Promise<unknown>): Promise<AppError> {
  const thrown = await call().then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(AppError);
  return thrown as AppError;
}
