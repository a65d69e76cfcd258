import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ERROR_CATALOG } from '../../../shared/contract/errors/error-catalog.ts';
import { ERROR_PAGE, errorPage } from '../../helpers/docs/error-page.ts';

it('docs/errors.md matches the catalog (node test/helpers/docs/error-page.ts writes it again)', async () => {
  expect(await readFile(ERROR_PAGE, 'utf8')).toBe(errorPage());
});

it('docs/errors.md lists each error once, with its message', () => {
  for (const [code, { message }] of Object.entries(ERROR_CATALOG)) {
    expect(errorPage().split(`<br>\`${code}\` |`).length - 1).toBe(1);
    expect(errorPage()).toContain(`| **${message}**`);
  }
});
