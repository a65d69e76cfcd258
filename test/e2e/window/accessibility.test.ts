// Every view, dialog, menu and state in both themes, checked by axe: no violation, and no finding that needs a review.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  chooseCollection,
  dropFiles,
  expandBatches,
  listUploads,
  openView,
  whenSignedIn,
} from '../../../build/demo/window-steps.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { signIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { chooseCollectionInForm, whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';

let opened: SignedInApp;
let folder: string;
let service: ServiceProcess;
let desktop: DesktopApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' }, signIn: false });
  ({ folder, service, desktop, page } = opened);
});
afterAll(() => opened?.close());

/** Fails with the findings of axe in the window, in light and dark. */
async function scan(name: string): Promise<void> {
  expect(await axeFindingsInThemes(page), name).toEqual([]);
}

async function closeDialog(): Promise<void> {
  await page.keyboard.press('Escape');
  await page
    .locator('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]')
    .first()
    .waitFor({ state: 'detached' });
}

/** Runs a command of the palette. */
async function command(name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
  await whenOverlayFocused(page);
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

async function files(count: number, prefix: string): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, index) => join(folder, `${prefix} ${index + 1}.txt`));
  for (const path of paths) await writeFile(path, path);
  return paths;
}

/** Waits until this number of uploads is complete. */
async function whenComplete(count: number): Promise<void> {
  const complete = async () => (await listUploads(page)).filter(({ state }) => state === 'complete').length;
  await expect.poll(complete, { timeout: 300_000 }).toBe(count);
}

async function drop(paths: readonly string[]): Promise<void> {
  await dropFiles(page, paths);
  await page.getByRole('button', { name: 'Add to the queue' }).waitFor();
}

describe('the sign-in', () => {
  it('has no finding: the form, a refused address, the wait for the library', async () => {
    await scan('sign-in');
    const address = page.getByLabel('Library address');
    await address.fill('not an address');
    await page.keyboard.press('Enter');
    await page.locator('input[name="baseUrl"][aria-invalid="true"]').waitFor();
    await scan('sign-in with a refused address');
    await address.fill(service.baseUrl);
    const opened = desktop.app.waitForEvent('window');
    await page.keyboard.press('Enter');
    const login = await opened;
    await login.locator('[name="password"]').waitFor();
    await scan('sign-in in progress');
    await login.close();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });
});

describe('the window before the first upload', () => {
  it('has no finding in its empty views', async () => {
    await signIn(desktop, service);
    await whenSignedIn(page);
    for (const view of ['Uploads', 'Receipts'] as const) {
      await openView(page, view);
      await scan(`${view}, empty`);
    }
  });
});

describe('the library', () => {
  it('has no finding: the list, an item with each of its tabs, a schedule, edits, several items, a search', async () => {
    await openView(page, 'All items');
    const list = page.locator('main [role="grid"]');
    await list.getByRole('row').nth(2).waitFor();
    await scan('library');
    await list.getByRole('row').nth(2).click();
    await page.locator('[data-inspector] input').first().waitFor();
    await scan('library, item');
    const draft = list.getByRole('row').filter({ hasText: 'Draft' }).first();
    await draft.click();
    await page.getByRole('button', { name: 'Schedule…' }).click();
    await page.locator('[data-inspector]').getByRole('group', { name: 'Publish at' }).waitFor();
    await page.locator('[data-inspector] input').first().fill('Another title');
    await scan('library, item with edits and a schedule');
    await page.getByRole('button', { name: 'Revert' }).click();
    await page.getByRole('tab', { name: /^Files/ }).click();
    await scan('library, files of an item');
    await page.getByRole('tab', { name: /^Details/ }).click();
    await list.focus();
    await page.keyboard.press('Shift+ArrowDown');
    await scan('library, several items');
    await page.keyboard.press('Shift+F10');
    await page.locator('[role="menu"]:focus-within').waitFor();
    await scan('library, menu of a row');
    await closeDialog();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox').first().waitFor();
    await scan('library, columns');
    for (const name of ['Collection', 'Type', 'Size', 'Captions']) {
      await page.getByRole('menuitemcheckbox', { name }).click();
    }
    await closeDialog();
    await list.getByRole('columnheader', { name: 'Size' }).waitFor();
    // The tooltip of the button that gets the focus again belongs to no landmark.
    await list.focus();
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await scan('library, many columns');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Reset columns' }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Grid').click({ force: true });
    await list.getByRole('gridcell').nth(4).waitFor();
    await scan('library, grid');
    await list
      .getByRole('gridcell')
      .nth(1)
      .click({ position: { x: 60, y: 60 } });
    await page.keyboard.press('Shift+ArrowRight');
    await scan('library, grid with several items');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('nothing has this title');
    await page.getByText('No results for').waitFor();
    await scan('library, grid with nothing found');
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('List').click({ force: true });
    await scan('library, nothing found');
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Escape');
    await page.getByText('No results for').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Find a collection' }).fill('optics');
    await page.getByRole('treeitem').filter({ hasText: 'Optics' }).first().waitFor();
    await scan('library, collections found');
    await page.getByRole('searchbox', { name: 'Find a collection' }).fill('');
  });
});

describe('the dialogs and menus of the window', () => {
  it.each(['Keyboard shortcuts', 'About Mediadesk', 'New collection', 'Pause all uploads until…'])(
    'have no accessibility finding: %s',
    async (name) => {
      await command(name);
      await page.getByRole('dialog', { name: 'Commands' }).waitFor({ state: 'detached' });
      await page.getByRole('dialog').waitFor();
      await scan(name);
      await closeDialog();
    },
  );

  it('have no accessibility finding: the palette, the account menu, another account, a deletion', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
    await scan('palette');
    await page.keyboard.type('optics');
    await page.getByRole('option').filter({ hasText: 'Optics' }).first().waitFor();
    await scan('palette with a collection');
    await closeDialog();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menu').waitFor();
    await scan('account menu');
    await page.getByRole('menuitem', { name: /another account/ }).click();
    await page.getByRole('dialog', { name: /another account/ }).waitFor();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await scan('another account');
    await closeDialog();
    await openView(page, 'All items');
    await page.locator('main [role="grid"]').getByRole('row').nth(2).click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('alertdialog').waitFor();
    await scan('deletion');
    await closeDialog();
  });

  it('have no finding in a small window: rail, drawers, overflow menu', async () => {
    const resize = async (width: number, height: number) => {
      await desktop.app.evaluate(
        ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
        { width, height },
      );
      await page.waitForFunction((wanted) => innerWidth === wanted, width);
    };
    await resize(720, 500);
    // The tooltip of the focused button belongs to no landmark, and does not have to: it repeats the button's name.
    await page.locator('main [role="grid"]').focus();
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await scan('small window');
    await page.keyboard.press('Control+b');
    await page.getByRole('dialog', { name: 'Sidebar' }).getByRole('tree').waitFor();
    await scan('sidebar in a drawer');
    await closeDialog();
    await page.keyboard.press('Control+i');
    await page.getByRole('dialog', { name: 'Inspector' }).waitFor();
    await scan('inspector in a drawer');
    await closeDialog();
    await resize(1280, 800);
  });
});

describe('uploads and receipts', () => {
  it('have no finding: the sheet, running and paused uploads, decisions, failures, receipts', async () => {
    await openView(page, 'All items');
    await chooseCollection(page, 'Optics');
    const paths = await files(4, 'Recording');
    await drop(paths);
    await scan('add sheet');
    await page.getByRole('button', { name: 'Add to the queue' }).click();
    await whenComplete(4);
    await scan('uploads, complete');
    await expandBatches(page);
    await scan('uploads, complete and expanded');
    await ask(page, 'uploads.pause', { kind: 'all' });
    await openView(page, 'All items');
    await chooseCollection(page, 'Optics');
    await drop([...paths.slice(0, 2), ...(await files(3, 'Later'))]);
    await page.getByRole('button', { name: 'Add to the queue' }).click();
    await page.locator('[role="treegrid"] [role="row"]').first().waitFor();
    await scan('uploads, paused and with decisions');
    await page.locator('main [role="treegrid"]').focus();
    await page.keyboard.press('Control+a');
    await scan('uploads, selected');
    await page.keyboard.press('Escape');
    await ask(page, 'uploads.resume', { kind: 'all' });
    await page
      .getByTestId('strip-sentence')
      .filter({ hasText: /decision/ })
      .waitFor();
    await scan('uploads, with decisions');
    await openView(page, 'Receipts');
    await page.locator('[data-receipt] [role="row"]').nth(1).waitFor();
    await scan('receipts');
    await page.getByRole('button', { name: /^Save receipt/ }).click();
    await page.getByRole('menu').waitFor();
    await scan('receipts, menu');
    await closeDialog();
    await page.getByRole('searchbox').last().fill('Recording');
    await page.getByRole('grid', { name: /Files/ }).getByRole('row').first().waitFor();
    await scan('receipts, search');
    await page.getByRole('searchbox').last().fill('nothing like this');
    await page.locator('main h2').waitFor();
    await scan('receipts, nothing found');
    await page.getByRole('searchbox').last().fill('');
  });
});

describe('watched folders', () => {
  it('have no finding: no folder, the sheet with its problems, the rules, the files, the question before a removal', async () => {
    const root = join(folder, 'Recordings');
    await mkdir(root);
    await writeFile(join(root, 'talk.txt'), 'good morning');
    await writeFile(join(root, 'recorder.log'), 'started');
    await openView(page, 'Watched folders');
    await page.getByRole('heading', { name: 'No watched folders yet' }).waitFor();
    await scan('watched folders, empty');
    await dropFiles(page, [root]);
    const sheet = page.getByRole('dialog', { name: 'Add a watched folder' });
    await sheet.getByText(/Upload them too \(/).waitFor();
    // The examples move what is below them when they appear; during a scan, axe would then not find the headings again.
    await sheet.getByRole('list', { name: 'Examples of titles' }).waitFor();
    await scan('watched folders, sheet');
    await page.getByRole('button', { name: 'Add folder', exact: true }).click();
    await sheet.getByText('Choose what happens to the files that are in the folder now.').waitFor();
    await sheet.getByRole('button', { name: 'More', exact: true }).click();
    await scan('watched folders, sheet with problems');
    await sheet.getByText(/Upload them too \(/).click();
    await chooseCollectionInForm(page, 'Optics');

    await page.getByRole('button', { name: 'Rules and preview…' }).click();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByLabel('Only names that match').fill('*.log');
    await page.keyboard.press('Enter');
    await page.getByText('Skip them').click();
    const log = page.locator('[data-preview-path="recorder.log"][data-verdict="skip"]');
    await log.waitFor();
    await log.click();
    await page.getByTestId('why').waitFor();
    await scan('watched folders, rules');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('alertdialog').waitFor();
    await scan('watched folders, question before changes are lost');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Add folder', exact: true }).click();
    await page.locator('[data-file-id]').first().waitFor();
    await scan('watched folders, settling');
    for (const name of ['Needs attention', 'Recent', 'Skipped']) {
      await page.getByRole('radiogroup', { name: 'Files' }).getByRole('radio', { name }).click();
      await scan(`watched folders, ${name}`);
    }
    await page.getByRole('grid', { name: 'Watched folders' }).focus();
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog').waitFor();
    await scan('watched folders, question before a removal');
    await page.getByRole('button', { name: 'Stop watching' }).click();
    await page.getByRole('heading', { name: 'No watched folders yet' }).waitFor();
  });
});

describe('the settings', () => {
  it('have no finding in any section', async () => {
    await openView(page, 'Settings');
    const tabs = page.locator('main').getByRole('tab');
    for (let index = 0; index < (await tabs.count()); index += 1) {
      await tabs.nth(index).click();
      await scan(`settings, ${await tabs.nth(index).textContent()}`);
    }
    await tabs.first().click();
  });

  it('have no finding with a timetable and a check', async () => {
    await page.getByRole('button', { name: /^Add/ }).first().click();
    await scan('settings, timetable');
    await command('Check my uploads');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page
      .locator('main')
      .getByRole('button', { name: /[Cc]heck/ })
      .first()
      .click();
    await scan('settings, check');
  });
});

describe('a notice above the view', () => {
  it('has no finding', async () => {
    await desktop.app.evaluate(() => {
      setTimeout(() => {
        throw new Error('a fault of the test');
      }, 0);
    });
    const notice = page.getByRole('region', { name: 'Notices' });
    await notice.waitFor();
    await scan('a notice');
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
  });
});

describe('high contrast', () => {
  beforeAll(() => page.emulateMedia({ forcedColors: 'active' }));
  afterAll(() => page.emulateMedia({ forcedColors: null }));

  it('shows the selection in the colors of the system, the focus with an outline, and dialogs with a border', async () => {
    await openView(page, 'All items');
    const list = page.locator('main [role="grid"]');
    await list.getByRole('row').nth(2).click();
    await list.focus();
    await page.keyboard.press('ArrowDown');
    const seen = await page.evaluate(() => {
      const style = (selector: string) => {
        const element = document.querySelector(selector);
        if (element === null) throw new Error(`Nothing matches ${selector}.`);
        const { backgroundColor, color, outlineStyle, outlineWidth } = getComputedStyle(element);
        return { backgroundColor, color, outlineStyle, outlineWidth: Number.parseFloat(outlineWidth) };
      };
      const probe = document.createElement('div');
      probe.style.cssText = 'background-color: Highlight; color: HighlightText';
      document.body.append(probe);
      const system = { backgroundColor: getComputedStyle(probe).backgroundColor, color: getComputedStyle(probe).color };
      probe.remove();
      return {
        system,
        selected: style('main [role="row"][aria-selected="true"]'),
        text: style('main [role="row"][aria-selected="true"] [role="gridcell"]:nth-child(2) > *'),
        other: style('main [role="rowgroup"] [role="row"][aria-selected="false"]'),
        view: style('nav [aria-current="page"]'),
        focused: style('main [role="row"][data-focus]'),
      };
    });
    expect(seen.selected).toMatchObject(seen.system);
    expect(seen.text.color).toBe(seen.system.color);
    expect(seen.other.backgroundColor).not.toBe(seen.system.backgroundColor);
    expect(seen.view).toMatchObject(seen.system);
    expect(seen.focused).toMatchObject({ outlineStyle: 'solid', outlineWidth: 2 });
    await page.keyboard.press('Control+k');
    const option = page.locator('[role="option"][aria-selected="true"]');
    await option.waitFor();
    expect(await option.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
      seen.system.backgroundColor,
    );
    const edge = await page.getByRole('dialog').evaluate((element) => getComputedStyle(element).borderTopStyle);
    expect(edge).toBe('solid');
    await closeDialog();
  });

  it('shows the progress of uploads with a border, and with a fill in the color of the selection', async () => {
    await ask(page, 'uploads.pause', { kind: 'all' });
    await openView(page, 'All items');
    await chooseCollection(page, 'Optics');
    await drop(await files(1, 'Contrast'));
    await page.getByRole('button', { name: 'Add to the queue' }).click();
    const bar = page.getByRole('progressbar', { name: 'All uploads' });
    const seen = await bar.evaluate((element) => {
      const probe = document.createElement('div');
      probe.style.cssText = 'background-color: Highlight; color: CanvasText';
      document.body.append(probe);
      const system = { selection: getComputedStyle(probe).backgroundColor, text: getComputedStyle(probe).color };
      probe.remove();
      const { borderTopStyle, borderTopColor, height } = getComputedStyle(element);
      const fill = element.firstElementChild;
      const fillColor = fill === null ? null : getComputedStyle(fill).backgroundColor;
      return { system, borderTopStyle, borderTopColor, height, fillColor };
    });
    expect(seen).toMatchObject({ borderTopStyle: 'solid', borderTopColor: seen.system.text, height: '8px' });
    expect(seen.fillColor).toBe(seen.system.selection);
    await ask(page, 'uploads.resume', { kind: 'all' });
    await bar.waitFor({ state: 'detached' });
  });
});

describe('reduced motion', () => {
  /** Opens and closes a dialog; returns the longest duration of a movement, in milliseconds. */
  const longestMotion = async () => {
    await page.evaluate(() => {
      const scope = globalThis as unknown as { motion: { longest: number; frame: number } };
      scope.motion = { longest: 0, frame: 0 };
      const look = () => {
        for (const animation of document.getAnimations()) {
          const length = Number(animation.effect?.getComputedTiming().activeDuration ?? 0);
          scope.motion.longest = Math.max(scope.motion.longest, length);
        }
        scope.motion.frame = requestAnimationFrame(look);
      };
      look();
    });
    await command('Keyboard shortcuts');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return page.evaluate(() => {
      const { motion } = globalThis as unknown as { motion: { longest: number; frame: number } };
      cancelAnimationFrame(motion.frame);
      return motion.longest;
    });
  };

  it('shows dialogs without motion', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await longestMotion()).toBeGreaterThan(50);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await longestMotion()).toBeLessThan(1);
    await page.emulateMedia({ reducedMotion: null });
  });
});

describe('an unreachable library', () => {
  it('causes no finding: the list of items from the mirror, and the uploads', async () => {
    await service.stop();
    await openView(page, 'All items');
    await page.getByRole('treeitem').filter({ hasText: 'Mathematics' }).first().click();
    await page.getByRole('button', { name: 'Show items of subcollections' }).click();
    await page.getByRole('grid', { name: 'Items' }).getByRole('row').nth(2).waitFor();
    await scan('library, offline');
    await openView(page, 'Uploads');
    await scan('uploads, offline');
  });
});
