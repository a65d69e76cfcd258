// Steps of end-to-end tests in the sheet that adds files: its table, its button, and the items that come out of it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright';
import { expect } from 'vitest';
import { chooseCollection, dropFiles } from '../../../build/demo/window-steps.ts';
import { axeFindingsInThemes } from './axe.ts';
import type { SignedInApp } from './signed-in-app.ts';

interface Item {
  title: string;
  byline: string | null;
  tags: string[];
  description: string | null;
}

const COLUMNS = ['File', 'Add', 'Title', 'Tags', 'Byline', 'Description', 'Collection', 'Publish', 'Size', 'Note'];

/** Returns the steps for an app that `opened` returns once it runs. */
export function addSheetSteps(opened: () => SignedInApp) {
  const sheet = () => opened().page.getByRole('dialog', { name: /^Add / });
  const grid = () => sheet().getByRole('grid', { name: 'Files to add' });
  const cell = (row: string, column: string): Locator =>
    grid().getByRole('row', { name: row }).getByRole('gridcell').nth(COLUMNS.indexOf(column));
  const addButton = () => sheet().getByRole('button', { name: 'Add to the queue' });

  /** Writes files into a new folder, and returns the folder. */
  const makeFiles = async (name: string, files: Record<string, string>): Promise<string> => {
    const folder = join(opened().folder, name);
    await mkdir(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    return folder;
  };

  /** Adds a new folder with these files to the collection Optics, and returns it once the table of files is shown. */
  const openWith = async (name: string, files: Record<string, string>): Promise<string> => {
    const folder = await makeFiles(name, files);
    await chooseCollection(opened().page, 'Optics');
    await dropFiles(opened().page, [folder]);
    await grid().waitFor();
    return folder;
  };

  /** The items of these titles, by title, once there are that many. */
  const itemsTitled = async (titles: readonly string[]): Promise<Item[]> => {
    const find = async (): Promise<Item[]> => {
      const { body } = await opened().direct.get('/api2/media?per_page=200&sort=created_on&order=desc');
      return (body.items as Item[]).filter(({ title }) => titles.includes(title));
    };
    await expect.poll(async () => (await find()).length, { timeout: 60_000 }).toBe(titles.length);
    return (await find()).sort((a, b) => a.title.localeCompare(b.title));
  };

  /** Returns what axe finds at the first column: a column that the sticky first one covers by half would count as too small. */
  const findings = async (): Promise<string[]> => {
    await grid().evaluate((element) => element.firstElementChild?.scrollTo({ left: 0 }));
    return axeFindingsInThemes(opened().page);
  };

  return { sheet, grid, cell, addButton, makeFiles, openWith, itemsTitled, findings };
}
