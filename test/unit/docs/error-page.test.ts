import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ERROR_CATALOG } from '../../../shared/contract/error-catalog.ts';
import { ERROR_PAGE, errorPage } from '../../helpers/error-page.ts';

it('docs/errors.md says what the catalogue says (node test/helpers/error-page.ts writes it anew)', async () => {
  expect(await readFile(ERROR_PAGE, 'utf8')).toBe(errorPage());
});

it('docs/errors.md leaves out no error', () => {
  for (const code of Object.keys(ERROR_CATALOG)) expect(errorPage()).toContain(`| \`${code}\` |`);
});
