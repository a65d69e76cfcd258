// Fields with lists, previews and messages above forms of the library, in the real app with the real service.
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../build/demo/window-steps.ts';
import { axeFindings, axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { setWindow } from '../../helpers/desktop/window-actions.ts';

let opened: SignedInApp;
let desktop: DesktopApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      for (const name of ['Season', 'Season extras'])
        await direct.post('/api2/collections', { display_name: name, parent_id: '1' });
      for (const name of ['Other', '20261103_Optics_Waves', '20261104_Optics_Lenses', 'No date'])
        await direct.createItem(name);
    },
  });
  ({ desktop, page } = opened);
  await selectAll();
});
afterAll(() => opened?.close());
// A test that fails with an open dialog must not fail the others.
afterEach(async () => {
  for (let tries = 4; tries > 0 && (await page.getByRole('dialog').count()) > 0; tries -= 1) {
    await page.keyboard.press('Escape');
  }
});

const rows = (): Locator => page.getByRole('grid', { name: 'Items' }).getByRole('row');
const bar = (): Locator => page.getByRole('toolbar', { name: 'Selected items' });
const messages = (): Locator => page.getByRole('region', { name: 'Messages' });
const dialog = (name: RegExp): Locator => page.getByRole('dialog', { name });

const roomForMessages = () => page.evaluate(() => document.documentElement.style.getPropertyValue('--messages-edge'));

async function selectAll(): Promise<void> {
  await rows().nth(1).click();
  await rows()
    .nth(3)
    .click({ modifiers: ['Shift'] });
}

async function openSchedule(): Promise<Locator> {
  await bar().getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('menuitem', { name: 'Schedule…' }).click();
  return dialog(/^Schedule/);
}

describe('a field with a list', () => {
  it('keeps every character that is typed right after the field got the focus', async () => {
    const schedule = await openSchedule();
    const zone = schedule.getByRole('combobox', { name: 'Time zone' });
    await zone.focus();
    await page.keyboard.type('vienna');
    expect(await zone.inputValue()).toBe('vienna');
    await page.getByRole('option', { name: 'Europe/Vienna' }).waitFor();
  });

  it('closes its list and restores its value with Escape, before the dialog closes', async () => {
    const schedule = await openSchedule();
    const zone = schedule.getByRole('combobox', { name: 'Time zone' });
    const value = await zone.inputValue();
    await zone.fill('vienna');
    await page.getByRole('option', { name: 'Europe/Vienna' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await zone.inputValue()).toBe(value);
    expect(await schedule.count()).toBe(1);
    await page.keyboard.press('Escape');
    await schedule.waitFor({ state: 'detached' });
  });

  it('never says that no collection was found while it still searches', async () => {
    await page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(globalThis, { seenTexts: seen });
      new MutationObserver(() => {
        for (const list of document.querySelectorAll('[role="listbox"]')) {
          seen.add(list.textContent ?? '');
        }
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    await bar().getByRole('button', { name: 'Move to…' }).click();
    await page.getByRole('option', { name: 'Season' }).first().waitFor();
    const seen = await page.evaluate(() => [...(globalThis as unknown as { seenTexts: Set<string> }).seenTexts]);
    expect(seen).toContain('Searching…');
    expect(seen.join()).not.toContain('No collection name');
    await page.getByRole('combobox', { name: 'Move to' }).fill('no such name');
    await page.getByText('No collection name contains this text.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog(/^Move/).waitFor({ state: 'detached' });
  });

  it('finds only matching collections when the user types the name of the present choice again', async () => {
    await bar().getByRole('button', { name: 'Move to…' }).click();
    const field = page.getByRole('combobox', { name: 'Move to' });
    await page.getByRole('option', { name: 'Season' }).first().click();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Season');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Season');
    const options = page.getByRole('option');
    await expect.poll(() => options.allTextContents()).toEqual(['Season Library', 'Season extras Library']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Season extras');
    // After the list was closed, it shows every collection again.
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => options.count()).toBeGreaterThan(2);
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await field.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Season extras');
    await expect.poll(() => options.allTextContents()).toEqual(['Season extras Library']);
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await dialog(/^Move/).count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog(/^Move/).waitFor({ state: 'detached' });
  });

  it('keeps its list open when a message disappears', async () => {
    await setWindow(desktop, 960, 600);
    try {
      await rows().nth(1).click();
      const inspector = page.locator('[data-inspector]');
      await inspector.getByRole('button', { name: 'Schedule…' }).click();
      const zone = inspector.getByRole('combobox', { name: 'Time zone' });
      // Scrolls to the end of the inspector, where elements move when the height of the inspector changes.
      await inspector.getByRole('button', { name: 'Delete…' }).scrollIntoViewIfNeeded();
      await inspector.getByRole('button', { name: 'Copy link to web page' }).click();
      await messages().getByText('Link copied.').waitFor();
      await zone.fill('vienna');
      const option = page.getByRole('option', { name: 'Europe/Vienna' });
      await option.waitFor();
      await messages().getByText('Link copied.').waitFor({ state: 'detached' });
      expect(await option.isVisible()).toBe(true);
      await option.click();
      expect(await zone.inputValue()).toBe('Europe/Vienna');
      await expect.poll(() => roomForMessages()).toBe('0px');
      await inspector.getByRole('button', { name: 'Cancel' }).click();
    } finally {
      await setWindow(desktop, 1280, 800);
      await selectAll();
    }
  });
});

/** Messages stay until the result is called. Otherwise, they disappear after a few seconds, however slow the machine is. */
async function holdMessages(): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const real = globalThis.setTimeout;
    const held: (() => void)[] = [];
    const hold = (work: () => void, ms?: number) => (ms === 3500 ? held.push(work) : real(work, ms));
    Object.assign(globalThis, {
      setTimeout: hold,
      releaseMessages: () => {
        Object.assign(globalThis, { setTimeout: real });
        for (const work of held) work();
      },
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { releaseMessages(): void }).releaseMessages());
}

describe('a message', () => {
  it('covers no part of a dialog in a small window at 200 % zoom, in both themes', async () => {
    const release = await holdMessages();
    await bar().getByRole('button', { name: 'More: Selected items' }).click();
    await page.getByRole('menuitem', { name: 'Copy links' }).click();
    await messages()
      .getByText(/links? copied/i)
      .waitFor();
    await openSchedule();
    await setWindow(desktop, 960, 600, 2);
    try {
      await expect
        .poll(async () => {
          const box = await page.locator('[role="dialog"]').boundingBox();
          const message = await messages().locator('> div').last().boundingBox();
          return box !== null && message !== null && box.y + box.height <= message.y;
        })
        .toBe(true);
      expect(await axeFindingsInThemes(page)).toEqual([]);
    } finally {
      await release();
      await ask(page, 'shell.setTheme', { theme: 'system' });
      await setWindow(desktop, 1280, 800);
    }
  });
});

describe('filling fields from a pattern', () => {
  const inspector = (): Locator => page.locator('[data-inspector]');
  const preview = (): Locator => inspector().getByRole('region', { name: 'Preview of the first items' });
  const pattern = (): Locator => inspector().getByLabel('Pattern', { exact: true });

  it('checks a pattern when typing pauses or the field is left, and not with every key', async () => {
    await selectAll();
    await inspector().getByText('Fill from a pattern').click();
    const problem = inspector().getByText(/A brace has no partner/);
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { seenProblems: seen });
      new MutationObserver(() => {
        const text = document.querySelector('[data-inspector]')?.textContent ?? '';
        if (text.includes('A brace has no partner')) seen.push(text);
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    await pattern().pressSequentially('{date:YYYYMMDD}_{course}_{title}', { delay: 20 });
    await inspector().getByLabel('Build title').fill('{course}: {title}');
    await preview().getByText('would change', { exact: false }).waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as { seenProblems: string[] }).seenProblems)).toEqual([]);
    await pattern().fill('{date:YYYYMMDD}_{course');
    await page.keyboard.press('Tab');
    await problem.waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
  });

  it('shows no preview of an earlier pattern while a new one is typed', async () => {
    await pattern().fill('{date:YYYYMMDD}_{course}_{title}');
    await preview().getByText('Optics: Waves', { exact: false }).waitFor();
    await inspector().getByLabel('Build title').fill('{title}');
    expect(await preview().textContent()).toBe('Updating the preview…');
    await preview().getByText('2 items would change, 1 can’t be changed like this.').waitFor();
    expect(await preview().textContent()).not.toContain('Optics: Waves');
  });
});
