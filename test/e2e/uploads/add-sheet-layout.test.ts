// The options of the add sheet in the sizes of windows: the choices of each option stay on one line, and none is cut off.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addSheetSteps } from '../../helpers/desktop/add-sheet-steps.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { keepPicture, setWindow } from '../../helpers/desktop/window-actions.ts';

let opened: SignedInApp;
beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: ({ direct }) => direct.post('/api2/collections', { display_name: 'Optics', parent_id: '1' }),
  });
  const { sheet, openWith } = addSheetSteps(() => opened);
  await openWith('layout', { 'a.txt': 'a', 'b.txt': 'b' });
  await sheet()
    .getByRole('button', { name: /^More options/ })
    .click();
  await sheet().getByRole('radiogroup', { name: 'After uploading' }).waitFor();
});
afterAll(() => opened?.close());

it.each([
  [720, 500],
  [960, 600],
  [1280, 800],
])('the add sheet shows the choices of each option on one line at %i × %i', async (width, height) => {
  await setWindow(opened.desktop, width, height);
  await opened.page.getByRole('radiogroup', { name: 'After uploading' }).scrollIntoViewIfNeeded();
  await keepPicture(opened.desktop, `add-sheet-${width}`);
  const broken = () =>
    opened.page.getByRole('dialog').evaluate((sheet) =>
      [...sheet.querySelectorAll('[role="radiogroup"]')].flatMap((group) => {
        const labels = [...group.querySelectorAll('label')];
        const tops = new Set(labels.map((label) => label.offsetTop));
        const isCut = labels.some((label) => label.scrollWidth > label.clientWidth);
        return tops.size > 1 || isCut ? [`${group.textContent}`] : [];
      }),
    );
  expect(await opened.page.getByRole('dialog').getByRole('radiogroup').count()).toBeGreaterThan(3);
  await expect.poll(broken).toEqual([]);
});
