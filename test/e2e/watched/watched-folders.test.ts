// Watched folders in the real app: recorders write real files slowly, the real service receives them.
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, chooseCollection, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import { srtFile } from '../../../build/samples/srt.ts';
import { wavChunks } from '../../../build/samples/wav.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import type { WatchedFileRow, WatchedFolder } from '../../../shared/contract/watch.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { answerNativeDialogs, chooseByKeyboard, chooseCollectionInForm } from '../../helpers/desktop/window-actions.ts';

/** The quiet time of a file is at least ten seconds; then it is queued, sent and processed. */
const SETTLES_MS = 60_000;
/** How long a recorder waits between two writes. */
const WRITE_EVERY_MS = 600;

let opened: SignedInApp;
let folder: string;
let desktop: DesktopApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  ({ folder, desktop, page } = opened);
});
afterAll(() => opened?.close());

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const folders = () => ask<WatchedFolder[]>(page, 'watch.list', null);
const folderRow = (name: string) => page.locator('[data-folder-id]').filter({ hasText: name });
const fileRow = (name: string) => page.locator('[data-file-id]').filter({ hasText: name });
const tab = (name: string) => page.getByRole('radiogroup', { name: 'Files' }).getByRole('radio', { name });

async function uploads(): Promise<UploadRow[]> {
  return (await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 })).rows;
}

async function filesOf(name: string, filter: 'recent' | 'refused'): Promise<WatchedFileRow[]> {
  const folderId = (await folders()).find((each) => each.name === name)?.id;
  return (await ask<CallOutput<'watch.files'>>(page, 'watch.files', { folderId, filter, limit: 100 })).rows;
}

/** Writes a recording as a recorder does: piece by piece, with its header first. Resolves when the last byte is written. */
async function record(path: string, seconds: number): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const chunk of wavChunks(seconds)) {
      await file.write(chunk);
      await pause(WRITE_EVERY_MS);
    }
  } finally {
    await file.close();
  }
}

const sha256 = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

describe('a folder that is added in the window', () => {
  const root = () => join(folder, 'Lectures');

  it('uploads recordings that are written slowly once they are finished, with their captions', async () => {
    await mkdir(root());
    await openView(page, 'Watched folders');
    await page.getByRole('heading', { name: 'No watched folders yet' }).waitFor();
    await dropFiles(page, [root()]);
    const sheet = page.getByRole('dialog', { name: 'Add a watched folder' });
    await sheet.getByText('The folder is empty now.').waitFor();
    await button('Add folder').click();
    await sheet.getByText('Choose a collection.').waitFor();
    await chooseCollectionInForm(page, 'Optics');
    await button('Add folder').click();
    await folderRow('Lectures').and(page.locator('[data-state="watching"]')).waitFor();

    const names = ['Wave optics', 'Polarization'];
    const writing = names.map(async (name, index) => {
      await record(join(root(), `${name}.wav`), 20 + index);
      await writeFile(join(root(), `${name}.en.srt`), srtFile(['Good morning.', 'Welcome.'], 2));
    });
    await fileRow('Wave optics.wav').and(page.locator('[data-state="settling"]')).waitFor();
    await Promise.all(writing);
    // No part of a recording was sent while its recorder wrote it.
    expect(await uploads()).toEqual([]);
    await fileRow('Polarization.wav')
      .getByText(/Ready in \d+ s\./)
      .waitFor();

    await tab('Recent').click();
    for (const name of names) {
      const row = fileRow(`${name}.wav`).and(page.locator('[data-state="done"]'));
      await row.waitFor({ timeout: SETTLES_MS });
      await row.getByText('Complete').waitFor();
      await row.getByText(/Queued .* All other files: it takes every name/).waitFor();
    }
    const followUps = async () =>
      (await uploads()).flatMap((row) => row.followUps.map(({ kind, state }) => `${kind} ${state}`));
    // Captions follow the recording that they belong to.
    await expect.poll(followUps, { timeout: SETTLES_MS }).toEqual(['captions done', 'captions done']);
    const rows = await uploads();
    expect(rows.map(({ fileName }) => fileName).sort()).toEqual(['Polarization.wav', 'Wave optics.wav']);
    for (const row of rows) {
      expect(row).toMatchObject({ state: 'complete', sha256: await sha256(join(root(), row.fileName)) });
    }
  });

  it('shows the upload of a new file, and its receipt has the right counts', async () => {
    await fileRow('Wave optics.wav')
      .getByRole('button', { name: /^Show upload/ })
      .click();
    const row = page.locator('[data-upload-id]').filter({ hasText: 'Wave optics.wav' });
    await row.locator('[data-follow-up="captions"][data-state="done"]').waitFor();
    expect(await page.locator('[role="row"][aria-selected="true"]').textContent()).toContain('Wave optics.wav');
    await page
      .getByRole('button', { name: /^Open receipt/ })
      .first()
      .click();
    const totals = page.getByTestId('receipt-totals');
    await totals.waitFor();
    expect(await totals.getAttribute('aria-label')).toMatch(
      /^2 files added: 2 complete, 0 failed, .* 0 in progress\.$/,
    );
  });

  it('continues with a file that was settling when the app was closed, and uploads it once', async () => {
    await openView(page, 'Watched folders');
    await record(join(root(), 'Diffraction.wav'), 4);
    await tab('Settling').click();
    await fileRow('Diffraction.wav').and(page.locator('[data-state="settling"]')).waitFor();
    ({ desktop, page } = await opened.reopen());
    await openView(page, 'Watched folders');
    await tab('Recent').click();
    await fileRow('Diffraction.wav').and(page.locator('[data-state="done"]')).waitFor({ timeout: SETTLES_MS });
    const same = (await uploads()).filter(({ fileName }) => fileName === 'Diffraction.wav');
    expect(same.map(({ state }) => state)).toEqual(['complete']);
    expect(await uploads()).toHaveLength(3);
  });

  it('can’t contain another watched folder: the sheet shows the refusal until another folder is chosen', async () => {
    const inside = join(root(), 'Physics');
    const other = join(folder, 'Other');
    await mkdir(inside);
    await mkdir(other);
    await dropFiles(page, [inside]);
    const sheet = page.getByRole('dialog', { name: 'Add a watched folder' });
    const refusal = sheet.locator('[data-field="path"]').getByRole('alert');
    await refusal
      .getByText(/watched folder/)
      .first()
      .waitFor();
    await answerNativeDialogs(desktop, other);
    await button('Another folder…').click();
    await sheet.getByText('The folder is empty now.').waitFor();
    expect(await refusal.count()).toBe(0);
    await button('Cancel').click();
    await sheet.waitFor({ state: 'detached' });
    expect(await folders()).toHaveLength(1);
  });
});

describe('rules', () => {
  it('decide about files as their preview shows, and are named beside the files', async () => {
    await button('Edit rules…').click();
    const preview = page.getByRole('region', { name: 'Preview of the rules' });
    await preview.locator('[data-preview-path="Wave optics.wav"]').waitFor();
    await button('Add rule').click();
    await page.getByLabel('Name of the rule').fill('Logs');
    await page.getByLabel('Only names that match').fill('*.log');
    await page.keyboard.press('Enter');
    await page.getByText('Skip them').click();
    await writeFile(join(folder, 'Lectures', 'recorder.log'), 'started');

    // Unsaved changes are not discarded without a question.
    await button('Cancel').click();
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });

    // Any change creates a new preview, which contains the file that arrived in the meantime.
    await page.getByLabel('Name of the rule').fill('No logs');
    const log = preview.locator('[data-preview-path="recorder.log"][data-verdict="skip"]');
    await log.waitFor();
    await page.getByRole('option', { name: /All other files/ }).click();
    await log.click();
    expect(await page.getByRole('option', { name: /No logs/ }).getAttribute('aria-selected')).toBe('true');
    await page.getByTestId('why').getByText('Rule “No logs” skips it: the name matches *.log.').waitFor();

    await button('Save').click();
    await tab('Skipped').click();
    await fileRow('recorder.log')
      .getByText('Rule “No logs” skips it: the name matches *.log.')
      .waitFor({ timeout: SETTLES_MS });
    expect((await filesOf('Lectures', 'refused')).map(({ fileName }) => fileName)).toEqual(['recorder.log']);
  });
});

describe('with the keyboard alone', () => {
  const root = () => join(folder, 'Seminars');

  /** Returns the name of the focused element, of a grid after its role; throws when no element has the focus. */
  async function focused(): Promise<string> {
    return page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) throw new Error('The focus is nowhere.');
      if (element.getAttribute('role') === 'grid') return `grid ${element.getAttribute('aria-label')}`;
      const id = element.getAttribute('aria-labelledby')?.split(' ')[0];
      const label = id === undefined ? null : document.getElementById(id)?.textContent;
      return (
        element.getAttribute('aria-label') ??
        label ??
        element.closest('label')?.textContent ??
        element.textContent ??
        ''
      );
    });
  }

  /** Presses Tab until an element with that name has the focus. */
  async function tabTo(name: string | RegExp): Promise<void> {
    const seen: string[] = [];
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      const now = (await focused()).trim();
      if (typeof name === 'string' ? now === name : name.test(now)) return;
      seen.push(now);
    }
    throw new Error(`${name} was not reached, only: ${seen.join(' | ')}`);
  }

  it('a folder is added, with a choice about the files that are in it', async () => {
    await mkdir(root());
    await writeFile(join(root(), 'old.bin'), 'was there before');
    await answerNativeDialogs(desktop, root());
    await page.keyboard.press('Control+1');
    await page.keyboard.press('Control+4');
    await tabTo('Add folder…');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Add a watched folder' });
    await sheet.getByText('Upload them too (1 file, 16 B)').waitFor();
    await tabTo(/Upload only files/);
    await page.keyboard.press('Space');
    await tabTo('Collection');
    await chooseByKeyboard(page, 'Optics');
    await tabTo('Add folder');
    await page.keyboard.press('Enter');
    await sheet.waitFor({ state: 'detached' });
    await folderRow('Seminars').waitFor();
    await expect.poll(focused).not.toBe('');
    await expect
      .poll(async () => (await filesOf('Seminars', 'refused')).map(({ fileName }) => fileName))
      .toEqual(['old.bin']);
  });

  it('the folder is paused, and none of its files is uploaded until it is resumed', async () => {
    const statesOf = async (name: string) =>
      (await uploads()).filter(({ fileName }) => fileName === name).map(({ state }) => state);
    await page.keyboard.press('Control+1');
    await page.keyboard.press('Control+4');
    await folderRow('Seminars').waitFor();
    await tabTo('Pause');
    await page.keyboard.press('Enter');
    await folderRow('Seminars').and(page.locator('[data-state="paused"]')).waitFor();
    expect((await focused()).trim()).toBe('Resume');
    await writeFile(join(root(), 'new.bin'), 'arrives during the pause');
    // The time until a later file in a folder without a pause has settled and is uploaded suffices for the file in the paused
    // folder.
    await writeFile(join(folder, 'Lectures', 'later.bin'), 'arrives in the other folder');
    await expect.poll(() => statesOf('later.bin'), { timeout: SETTLES_MS }).toEqual(['complete']);
    expect(await statesOf('new.bin')).toEqual([]);
    // A sweep that was running may have found `new.bin`, but nothing uploads it before the folder is resumed.
    expect((await focused()).trim()).toBe('Resume');
    await page.keyboard.press('Enter');
    await folderRow('Seminars').and(page.locator('[data-state="watching"]')).waitFor();
    await expect.poll(() => statesOf('new.bin'), { timeout: SETTLES_MS }).toEqual(['complete']);
  });

  it('the folder is removed after a question; its files and uploads stay', async () => {
    await page.keyboard.press('Control+1');
    await page.keyboard.press('Control+4');
    await folderRow('Seminars').waitFor();
    await tabTo('grid Watched folders');
    await page.keyboard.press('Delete');
    const question = page.getByRole('alertdialog', { name: 'Stop watching Seminars?' });
    await question.waitFor();
    await expect.poll(async () => (await focused()).trim()).toBe('Keep watching');
    await tabTo('Stop watching');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await folderRow('Seminars').waitFor({ state: 'detached' });
    await expect.poll(focused).not.toBe('');
    expect((await folders()).map(({ name }) => name)).toEqual(['Lectures']);
    expect((await stat(join(root(), 'new.bin'))).isFile()).toBe(true);
    expect((await uploads()).some(({ fileName }) => fileName === 'new.bin')).toBe(true);
  });
});

describe('an empty folder', () => {
  it('is added when “Add folder” is pressed before its files are counted', async () => {
    const root = join(folder, 'Empty');
    await mkdir(root);
    await openView(page, 'All items');
    await chooseCollection(page, 'Optics');
    await openView(page, 'Watched folders');
    // Presses the button in the turn in which the sheet appears: no answer of the engine can have arrived.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const add = document.querySelector<HTMLElement>('button[form="add-watched-folder"]');
        if (add === null) return;
        observer.disconnect();
        const status = add.closest('[role="dialog"]')?.querySelector('[data-field="path"] [role="status"]');
        Object.assign(globalThis, { statusAtPress: status?.textContent });
        add.click();
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    await dropFiles(page, [root]);
    await folderRow('Empty').and(page.locator('[data-state="watching"]')).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const statusAtPress = await page.evaluate(() => (globalThis as unknown as { statusAtPress: string }).statusAtPress);
    expect(statusAtPress).toBe('Counting the files…');
  });
});
