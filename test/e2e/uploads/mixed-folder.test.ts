// A folder of more than 300 recordings with captions, pictures, descriptions and other files, added in the real window.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, chooseCollection, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { addSheetSteps } from '../../helpers/desktop/add-sheet-steps.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { keepPicture } from '../../helpers/desktop/window-actions.ts';
import { MIXED_FOLDER } from '../../unit/model/pairing/mixed-folder.ts';

let opened: SignedInApp;
let page: Page;
beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  page = opened.page;
  await opened.service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
  // Only the queue is tested, so nothing is sent.
  await ask(page, 'uploads.pause', { kind: 'all' });
  await openView(page, 'All items');
});
afterAll(() => opened?.close());

const { sheet, grid, addButton } = addSheetSteps(() => opened);

/** Returns contents that differ from those of every other file. */
const contentsOf = (name: string) => {
  if (name.endsWith('.json')) return JSON.stringify({ title: name });
  return name.endsWith('.xml') ? `<a><title>${name}</title></a>` : `text of ${name}`;
};
/** Hidden files and manifests are not listed. */
const isListed = (name: string) => !name.startsWith('.') && name !== 'manifest.csv';
const expected = new Map(MIXED_FOLDER.map(({ name, belongsTo }) => [name, belongsTo]));

it('the add sheet pairs at least 99 % of the files, lists unclear ones for review, and pairs none with a wrong recording', async () => {
  expect(MIXED_FOLDER.length).toBeGreaterThan(300);
  const folder = join(opened.folder, 'mixed');
  await mkdir(folder);
  for (const { name } of MIXED_FOLDER) await writeFile(join(folder, name), contentsOf(name));
  await chooseCollection(page, 'Optics');
  await dropFiles(page, [folder]);
  await grid().waitFor();

  const flagged = [...expected].filter(([, belongsTo]) => belongsTo === 'flag').map(([name]) => name);
  const notice = sheet().getByTestId('pair-notice');
  await notice.getByText(`${flagged.length} files need your choice`).waitFor();
  await keepPicture(opened.desktop, 'mixed-folder');
  await notice.getByRole('button', { name: 'Choose…' }).click();
  const review = page.getByRole('dialog', { name: 'Choose where these files belong' });
  const place = (name: string) => review.getByRole('button', { name: `Place of ${name}` });
  expect(await review.getByRole('button', { name: /Place of / }).count()).toBe(flagged.length);
  for (const name of flagged) expect(await place(name).count(), name).toBe(1);
  await review.getByRole('button', { name: 'Done' }).click();
  await addButton().click();
  // The result lists files without a decision, with the reason.
  const result = page.getByRole('dialog', { name: /^\d+ files added$/ });
  await result.waitFor({ timeout: 60_000 });
  for (const name of flagged) await result.getByText(name, { exact: true }).first().waitFor();
  await result.getByRole('button', { name: 'Close' }).click();

  const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500, withCleared: true });
  const own = rows.filter(({ path }) => path.startsWith(folder));
  const verdicts = new Map<string, string>();
  for (const { path, state, error, followUps } of own) {
    const isFlagged = state === 'skipped' && error?.code === 'file.pair-unclear';
    verdicts.set(basename(path), isFlagged ? 'flag' : 'own');
    for (const { fileName } of followUps) verdicts.set(fileName, basename(path));
  }
  const companions = [...expected].filter(([name, belongsTo]) => belongsTo !== 'own' && isListed(name));
  const wrong = companions.filter(([name, belongsTo]) => verdicts.get(name) !== belongsTo);
  expect(wrong.filter(([name]) => verdicts.get(name) !== 'flag')).toEqual([]);
  expect(1 - wrong.length / companions.length).toBeGreaterThanOrEqual(0.99);
  // Each file that is a separate item has a row.
  const alone = [...expected].filter(([name, belongsTo]) => belongsTo === 'own' && isListed(name));
  expect(alone.filter(([name]) => verdicts.get(name) !== 'own')).toEqual([]);
}, 600_000);
