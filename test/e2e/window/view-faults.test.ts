// A fault inside a view or a dialog: the rest of the window stays usable, and the user can report it and reload.
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openView, whenSignedIn } from '../../../build/demo/window-steps.ts';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let page: Page;
beforeAll(async () => {
  opened = await openSignedInApp();
  ({ page } = opened);
});
afterAll(() => opened?.close());

/** Makes the next element with this label throw when React creates it, and once more when React tries again. */
async function breakElement(label: string): Promise<void> {
  await page.evaluate((broken) => {
    const { setAttribute } = Element.prototype;
    let left = 2;
    Element.prototype.setAttribute = function (name: string, value: string) {
      if (name === 'aria-label' && value === broken && /^(MAIN|INPUT)$/.test(this.tagName)) {
        left -= 1;
        if (left === 0) Element.prototype.setAttribute = setAttribute;
        throw new RangeError(`Invalid part: ${broken}`);
      }
      setAttribute.call(this, name, value);
    };
  }, label);
}

/** The name of the main part of a view: that of all items shows a collection of the library, too. */
const mainOf = (view: string) => (view === 'All items' ? 'Library' : view);
const fault = (name: string) => page.getByRole('alert').filter({ hasText: `“${name}” can’t be shown` });

describe('a fault in a view', () => {
  it.each(['Uploads', 'Edits', 'Watched folders', 'Receipts', 'Settings', 'All items'] as const)(
    'in %s shows a message there, and the other views stay usable',
    async (view) => {
      await openView(page, view === 'All items' ? 'Settings' : 'All items');
      await breakElement(mainOf(view));
      await openView(page, view);
      await fault(view).waitFor();
      expect(await axeFindings(page, 'all')).toEqual([]);
      await openView(page, view === 'Receipts' ? 'Uploads' : 'Receipts');
      await fault(view).waitFor({ state: 'detached' });
      await page.getByRole('main', { name: view === 'Receipts' ? 'Uploads' : 'Receipts' }).waitFor();
      await openView(page, view);
      await page.getByRole('main', { name: mainOf(view) }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    },
  );

  it('gives a report to copy, and “Reload” shows the view again', async () => {
    await openView(page, 'Settings');
    await breakElement('Library');
    await openView(page, 'All items');
    await fault('All items').waitFor();
    await page.getByRole('button', { name: 'Copy report' }).click();
    const report = () => opened.desktop.app.evaluate(({ clipboard }) => clipboard.readText());
    await expect
      .poll(report)
      .toMatch(/^Mediadesk \S+, \d{4}-.*Part of the window: All items.*Invalid part: Library.* at /s);
    await page.getByRole('button', { name: 'Reload', exact: true }).click();
    await fault('All items').waitFor({ state: 'detached' });
    await whenSignedIn(page);
    await page.getByRole('main', { name: 'Library' }).waitFor();
  });
});

it('a fault in a dialog is shown in a dialog, and the window stays usable after it is closed', async () => {
  await breakElement('Search commands, settings, collections and items');
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('alertdialog', { name: '“Commands” can’t be shown' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await openView(page, 'Uploads');
  await page.getByRole('main', { name: 'Uploads' }).waitFor();
});

it('a fault of a command shows a message', async () => {
  await page.evaluate(() => {
    window.setTimeout(() => {
      throw new RangeError('Invalid time zone specified: Etc/Unknown');
    });
  });
  await page.getByText('Something went wrong inside Mediadesk.').first().waitFor();
});
