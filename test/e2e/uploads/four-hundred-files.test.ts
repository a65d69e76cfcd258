// 400 files are described and uploaded in the real app: a title template, a typed cell, and columns of a spreadsheet. They are
// texts: the service would convert recordings for minutes.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

const COUNT = 400;
const WITHIN_MS = 300_000;
const NUMBERS = Array.from({ length: COUNT }, (_, index) => String(index + 1).padStart(3, '0'));

interface Item {
  title: string;
  tags: string[];
  byline: string | null;
  description: string | null;
}

let opened: SignedInApp;
let page: Page;
beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  page = opened.page;
  await openView(page, 'All items');
});
afterAll(() => opened?.close());

const sheet = (): Locator => page.getByRole('dialog', { name: /^Add / });
const grid = (): Locator => sheet().getByRole('grid', { name: 'Files to add' });
const keys = async (...names: string[]): Promise<void> => {
  for (const name of names) await page.keyboard.press(name);
};

/** The cells that a producer copies from a spreadsheet: tags, byline and description of each file, in the order of the files. */
const copied = NUMBERS.map(
  (number) => `physics|week ${Number(number) % 14}\tProf. Ada ${number}\tPart ${number} of the course`,
);

async function makeFiles(): Promise<string> {
  const folder = join(opened.folder, 'lectures');
  await mkdir(folder);
  for (const number of NUMBERS) {
    await writeFile(join(folder, `2026-03-01 Lecture ${number}.txt`), `Notes ${number}`);
  }
  return folder;
}

/** The actions of a user: keys (a held modifier does not count), how many of them are Tab, and clicks. */
interface Hands {
  keys: number;
  tabs: number;
  clicks: number;
}

/** Counts the actions of the user from now on. */
async function countHands(): Promise<() => Promise<Hands>> {
  await page.evaluate(() => {
    const counts = { keys: 0, tabs: 0, clicks: 0 };
    Object.assign(window, { handCounts: counts });
    const modifiers = new Set(['Control', 'Shift', 'Alt', 'Meta']);
    window.addEventListener(
      'keydown',
      (event) => {
        if (!modifiers.has(event.key)) counts.keys += 1;
        if (event.key === 'Tab') counts.tabs += 1;
      },
      true,
    );
    window.addEventListener(
      'pointerdown',
      () => {
        counts.clicks += 1;
      },
      true,
    );
  });
  return () => page.evaluate(() => (window as unknown as { handCounts: Hands }).handCounts);
}

/** Presses Tab until the focus is in an element. */
async function tabTo(target: Locator): Promise<void> {
  const isThere = () => target.evaluate((element) => element.contains(document.activeElement));
  for (let tabs = 0; tabs < 60 && !(await isThere()); tabs += 1) await keys('Tab');
  expect(await isThere()).toBe(true);
}

async function itemsOfCourse(): Promise<Item[]> {
  const items: Item[] = [];
  let path = '/api2/media?per_page=200&sort=created_on&order=desc';
  for (let pages = 0; pages < 4 && path !== ''; pages += 1) {
    const { body } = await opened.direct.get(path);
    items.push(...(body.items as Item[]).filter(({ byline }) => byline?.startsWith('Prof. Ada')));
    const next = body.links?.next;
    path = typeof next === 'string' ? next.replace(/^https?:\/\/[^/]+/, '') : '';
  }
  return items.sort((a, b) => (a.byline ?? '').localeCompare(b.byline ?? ''));
}

/** The counts that docs/walk-through.md states. `steps`: the keys of each step without Tab, in their order, then all Tab keys. */
async function statedCounts(): Promise<{ steps: number[]; keys: number; clicks: number }> {
  const page = await readFile(resolve(import.meta.dirname, '..', '..', '..', 'docs', 'walk-through.md'), 'utf8');
  const [, keys, clicks] = /\*\*(\d+) keys, (\d+) clicks in Mediadesk\*\*/.exec(page) ?? [];
  const steps = [...page.matchAll(/^\| [^|]+ \|[^|]*\| (\d+) \|$/gm)].map(([, count]) => Number(count));
  return { steps, keys: Number(keys), clicks: Number(clicks) };
}

it('the add sheet describes 400 files by template, table and paste with the keyboard only, and exactly these fields are uploaded', async () => {
  await dropFiles(page, [await makeFiles()]);
  await grid().waitFor();
  await sheet().getByRole('heading', { name: 'Add 400 files' }).waitFor();
  const hands = await countHands();
  const steps: number[] = [];
  /** Stores the number of keys of the step that ends, without Tab. */
  const endStep = async () => {
    const { keys: all, tabs } = await hands();
    steps.push(all - tabs - steps.reduce((sum, count) => sum + count, 0));
  };

  // The field for the collection has the focus.
  await page.keyboard.type('Optics');
  await page
    .getByRole('option', { name: /Optics/ })
    .first()
    .waitFor();
  await keys('ArrowDown', 'Enter');
  await endStep();
  await tabTo(sheet().getByLabel('Titles'));
  await keys('Control+a');
  await page.keyboard.type('Course {nn}');
  await endStep();
  await tabTo(grid());
  // From File to Tags of the first row.
  await keys('Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight');
  await opened.desktop.app.evaluate(({ clipboard }, text) => clipboard.writeText(text), copied.join('\r\n'));
  await keys('Control+v');
  await endStep();
  // The title of the first row, typed.
  await keys('Control+Home', 'ArrowRight', 'ArrowRight');
  await page.keyboard.type('Welcome');
  await keys('Enter');
  await endStep();
  await expect
    .poll(() =>
      grid()
        .getByRole('row', { name: /Lecture 001/ })
        .textContent(),
    )
    .toContain('Welcome');
  await expect
    .poll(() =>
      grid()
        .getByRole('row', { name: /Lecture 002/ })
        .textContent(),
    )
    .toContain('Prof. Ada 002');
  expect(await axeFindingsInThemes(page)).toEqual([]);
  await tabTo(sheet().getByRole('button', { name: 'Add to the queue' }));
  await keys('Enter');
  await endStep();
  await sheet().waitFor({ state: 'hidden' });
  const { tabs, ...counts } = await hands();

  const totals = () => ask<CallOutput<'uploads.totals'>>(page, 'uploads.totals', null);
  await expect.poll(async () => (await totals()).counts.complete, { timeout: WITHIN_MS, interval: 1000 }).toBe(COUNT);
  const items = await itemsOfCourse();
  expect(
    items.map(({ title, tags, byline, description }) => ({ title, tags: tags.toSorted(), byline, description })),
  ).toEqual(
    NUMBERS.map((number, index) => ({
      title: index === 0 ? 'Welcome' : `Course ${String(index + 1).padStart(2, '0')}`,
      tags: ['physics', `week ${Number(number) % 14}`],
      byline: `Prof. Ada ${number}`,
      description: `<p>Part ${number} of the course</p>`,
    })),
  );
  expect({ steps: [...steps, tabs], ...counts }).toEqual(await statedCounts());
});
