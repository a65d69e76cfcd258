// Files beside recordings in the add sheet of the real app: captions and pictures with an ambiguous recording, spreadsheets.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, chooseCollection, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { addSheetSteps } from '../../helpers/desktop/add-sheet-steps.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { keepPicture, setWindow, whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';

let opened: SignedInApp;
let page: Page;
beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  page = opened.page;
  await openView(page, 'All items');
});
afterAll(() => opened?.close());

const { sheet, cell, addButton, openWith, itemsTitled, findings } = addSheetSteps(() => opened);

describe('files whose recording is not clear', () => {
  const notice = () => sheet().getByTestId('pair-notice');
  const dialog = () => page.getByRole('dialog', { name: 'Choose where these files belong' });
  const place = (name: string) => dialog().getByRole('button', { name: `Place of ${name}` });
  /** By keyboard: opens the list of a file, and moves to an option by its first letters. */
  const choose = async (name: string, option: string) => {
    await place(name).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: option }).waitFor();
    await page.keyboard.type(option.slice(0, 12));
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: option }).waitFor({ state: 'detached' });
    await expect.poll(() => place(name).textContent()).toContain(option);
  };

  it('get their recording by keyboard alone, change the table at once, and are uploaded as chosen', async () => {
    const names = ['talk.mp4', 'panel.mp4', 'panel.wav', 'seminar.mp4', 'seminar.wav', 'Talk.png'];
    const captions = ['panel.en.vtt', 'seminar.en.vtt', 'TALK.srt', 'talk final.de.vtt'];
    const folder = await openWith('pairs', {
      ...Object.fromEntries(names.map((name) => [name, `pair ${name}`])),
      ...Object.fromEntries(captions.map((name) => [name, 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n'])),
    });
    await notice().getByText('5 files need your choice').waitFor();
    expect(await cell('panel.en.vtt', 'Title').textContent()).toContain('Needs your choice');
    await notice().getByRole('button', { name: 'Choose…' }).focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await choose('panel.en.vtt', 'Belongs to panel.mp4');
    await dialog().getByRole('button', { name: 'Same for 1 more caption file' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => place('seminar.en.vtt').textContent()).toContain('Belongs to seminar.mp4');
    await choose('Talk.png', 'Upload as its own item');
    await choose('talk final.de.vtt', 'Leave out');
    await dialog().getByText('4 of 5 files chosen').waitFor();

    await setWindow(opened.desktop, 720, 500);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await setWindow(opened.desktop, 1280, 800, 2);
    await place('TALK.srt').scrollIntoViewIfNeeded();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await setWindow(opened.desktop, 1280, 800);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await notice().getByText('1 file needs your choice').waitFor();
    await expect.poll(() => cell('panel.mp4', 'Note').textContent()).toContain('With panel.en.vtt');
    expect(await cell('Talk.png', 'Title').textContent()).toContain('Talk');

    await addButton().click();
    const result = page.getByRole('dialog', { name: '6 files added' });
    // The result lists the undecided files with their reason.
    await result.getByText('TALK.srt').waitFor();
    await result.getByRole('button', { name: 'Close' }).click();
    const uploaded = async () => {
      const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 });
      const own = rows.filter(({ path }) => path.startsWith(folder));
      return Object.fromEntries(
        own.map(({ fileName, followUps }) => [fileName, followUps.map((each) => each.fileName)]),
      );
    };
    expect(await uploaded()).toEqual({
      'panel.mp4': ['panel.en.vtt'],
      'panel.wav': [],
      'seminar.mp4': ['seminar.en.vtt'],
      'seminar.wav': [],
      'talk.mp4': [],
      'Talk.png': [],
      'TALK.srt': [],
    });
  });
});

describe('many files whose recording is not clear', () => {
  const notice = () => sheet().getByTestId('pair-notice');
  const dialog = () => page.getByRole('dialog', { name: 'Choose where these files belong' });
  const place = (name: string) => dialog().getByRole('button', { name: `Place of ${name}` });
  const names = ['one', 'two', 'three'];

  it('are decided together by keyboard, all or only the selected files, and by mouse', async () => {
    await openView(page, 'All items');
    await openWith('many', {
      ...Object.fromEntries(
        names.flatMap((name) => ['mp4', 'wav'].map((type) => [`${name}.${type}`, `${name} ${type}`])),
      ),
      ...Object.fromEntries(names.map((name) => [`${name}.vtt`, 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n'])),
    });
    await notice().getByRole('button', { name: 'Choose…' }).click();
    const bar = dialog().getByRole('group', { name: 'Several files at once' });
    await bar.getByRole('button', { name: 'Set 3 files without a choice to' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'The first recording offered' }).waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await page.keyboard.press('Enter');
    for (const name of names) await expect.poll(() => place(`${name}.vtt`).textContent()).toContain(`${name}.mp4`);
    await dialog().getByText('3 of 3 files chosen').waitFor();

    await dialog().getByRole('checkbox', { name: 'two.vtt' }).focus();
    await page.keyboard.press('Space');
    await bar.getByRole('button', { name: 'Set 1 selected file to' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Leave out' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect.poll(() => place('two.vtt').textContent()).toContain('Leave out');
    expect(await place('one.vtt').textContent()).toContain('Belongs to one.mp4');

    await bar.getByText('Select all 3 files').click();
    await bar.getByRole('button', { name: 'Set 3 selected files to' }).click();
    await page.getByRole('menuitem', { name: 'Upload as its own item' }).click();
    for (const name of names) await expect.poll(() => place(`${name}.vtt`).textContent()).toContain('own item');
    await setWindow(opened.desktop, 720, 500);
    await keepPicture(opened.desktop, 'pairs-bulk');
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await setWindow(opened.desktop, 1280, 800);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => cell('two.vtt', 'Title').textContent()).toBe('two');
    // A key before that would go to the dialog that is closing.
    await dialog().waitFor({ state: 'detached' });
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'hidden' });
  });
});

describe('details of a recording that was uploaded earlier', () => {
  const notice = () => sheet().getByTestId('pair-notice');
  const dialog = () => page.getByRole('dialog', { name: 'Choose where these files belong' });
  const titleOf = async (id: string | null | undefined) => {
    const { body } = await opened.direct.get(`/api2/media/${id}`);
    return (body as { title: string }).title;
  };

  it('change its item; values that someone entered are replaced only when the user chooses that', async () => {
    await openView(page, 'All items');
    await opened.service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
    const folder = await openWith('details', { 'made.mp4': 'made recording', 'typed.mp4': 'typed recording' });
    await cell('typed.mp4', 'Title').click();
    await page.keyboard.type('Typed by hand');
    await page.keyboard.press('Enter');
    await addButton().click();
    await sheet().waitFor({ state: 'hidden' });
    const rowsOf = async () => {
      const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 });
      return rows.filter(({ path }) => path.startsWith(folder));
    };
    await expect.poll(async () => (await rowsOf()).map(({ state }) => state)).toEqual(['complete', 'complete']);
    const idOf = Object.fromEntries((await rowsOf()).map(({ fileName, mediaId }) => [fileName, mediaId]));

    for (const name of ['made', 'typed']) await writeFile(join(folder, `${name}.json`), `{"title": "${name} JSON"}`);
    await openView(page, 'All items');
    await chooseCollection(page, 'Optics');
    await dropFiles(
      page,
      ['made.json', 'typed.json'].map((name) => join(folder, name)),
    );
    await notice().getByText('1 file needs your choice').waitFor();
    await expect
      .poll(() => cell('made.json', 'Title').textContent())
      .toMatch(/^Details of made\.mp4, uploaded to Optics/);
    expect(await cell('made.json', 'Note').textContent()).toBe('Changes the item: title');
    expect(await cell('typed.json', 'Title').textContent()).toContain('its item has other values');
    expect(await findings()).toEqual([]);
    await notice().getByRole('button', { name: 'Choose…' }).click();
    await dialog().getByText('Someone entered other values for the item. This replaces: title.').waitFor();
    await keepPicture(opened.desktop, 'late-details');
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Place of typed.json' }).click();
    await page.getByRole('option', { name: 'Change the item of typed.mp4' }).click();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await notice().getByText('2 files are added to the items of recordings').waitFor();
    await addButton().click();
    await sheet().waitFor({ state: 'hidden' });
    await expect.poll(() => titleOf(idOf['made.mp4'])).toBe('made JSON');
    await expect.poll(() => titleOf(idOf['typed.mp4'])).toBe('typed JSON');
    expect((await rowsOf()).length).toBe(2);
  });
});

describe('captions of a recording that was uploaded earlier', () => {
  const notice = () => sheet().getByTestId('pair-notice');
  const dialog = () => page.getByRole('dialog', { name: 'Choose where these files belong' });
  const uploadsIn = async (folder: string) => {
    const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 });
    return rows.filter(({ path }) => path.startsWith(folder));
  };

  it('are shown with it and added to its item, unless the user chooses an item of their own', async () => {
    await openView(page, 'All items');
    await opened.service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
    const folder = await openWith('late', { 'late talk.mp4': 'late talk', 'late other.mp4': 'late other' });
    await addButton().click();
    await sheet().waitFor({ state: 'hidden' });
    await expect
      .poll(async () => (await uploadsIn(folder)).map(({ state }) => state))
      .toEqual(['complete', 'complete']);
    const [talk] = (await uploadsIn(folder)).filter(({ fileName }) => fileName === 'late talk.mp4');

    for (const name of ['late talk.en.vtt', 'late other.en.vtt']) {
      await writeFile(join(folder, name), `WEBVTT\n\n00:01.000 --> 00:02.000\n${name}\n`);
    }
    await openView(page, 'All items');
    await chooseCollection(page, 'Optics');
    await dropFiles(
      page,
      ['late talk.en.vtt', 'late other.en.vtt'].map((name) => join(folder, name)),
    );
    await notice().getByText('2 files are added to the items of recordings that you uploaded earlier.').waitFor();
    await expect
      .poll(() => cell('late talk.en.vtt', 'Title').textContent())
      .toMatch(/^Captions of late talk\.mp4, uploaded to Optics on /);
    await keepPicture(opened.desktop, 'late-captions');
    expect(await findings()).toEqual([]);
    await notice().getByRole('button', { name: 'Change…' }).focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Place of late other.en.vtt' }).click();
    await page.getByRole('option', { name: 'Upload as its own item' }).click();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await notice().getByText('1 file is added to the item of a recording that you uploaded earlier.').waitFor();
    await expect.poll(() => cell('late other.en.vtt', 'Title').textContent()).toBe('late other.en');

    await addButton().click();
    await sheet().waitFor({ state: 'hidden' });
    const captions = async () =>
      (await uploadsIn(folder)).filter(({ fileName, state }) => fileName.endsWith('.vtt') && state === 'complete');
    await expect.poll(async () => (await captions()).length).toBe(2);
    const mediaOf = Object.fromEntries((await captions()).map(({ fileName, mediaId }) => [fileName, mediaId]));
    expect(mediaOf['late talk.en.vtt']).toBe(talk?.mediaId);
    expect(mediaOf['late other.en.vtt']).not.toBe(
      (await uploadsIn(folder)).find(({ fileName }) => fileName === 'late other.mp4')?.mediaId,
    );
    const { body } = await opened.direct.get(`/api2/media/${talk?.mediaId}/files`);
    expect(JSON.stringify(body)).toContain('late talk.en.vtt');
  });
});

describe('a spreadsheet in the added folder', () => {
  const notice = () => sheet().getByTestId('manifest-notice');
  const dialog = () => page.getByRole('dialog', { name: 'Descriptions in manifest.csv' });
  const press = async (place: Locator) => {
    await place.focus();
    await page.keyboard.press('Enter');
  };

  /** Returns whether the user sees the whole element without scrolling. */
  const isInWindow = (element: Locator) =>
    element.evaluate((shown) => {
      const { top, bottom } = shown.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight && shown.checkVisibility();
    });

  it('fills the table when it is used, by keyboard alone; rows can have their own collection', async () => {
    const rows = ['a.wav;Row one;Ada;x|y;', 'b.wav;Row two;;;Archive', 'c.wav;Row three;;;', 'd.wav;Bad;;;Nowhere'];
    const names = ['a.wav', 'b.wav', 'c.wav', 'd.wav', 'e.wav'];
    const folder = await openWith('described', {
      ...Object.fromEntries(names.map((name) => [name, `described ${name}`])),
      'manifest.csv': `file;title;byline;tags;collection\n${rows.join('\n')}\n`,
    });
    await notice().getByText('Use the descriptions in manifest.csv (3 of 5 files)?').waitFor();
    await notice().getByText('1 row has errors and isn’t used. The spreadsheet itself isn’t uploaded.').waitFor();
    const small = [
      [720, 500, 1],
      [1280, 800, 2],
    ] as const;
    for (const [width, height, zoom] of small) {
      await setWindow(opened.desktop, width, height, zoom);
      await keepPicture(opened.desktop, `manifest-notice-${width}-${zoom}`);
      await expect.poll(() => isInWindow(notice()), { message: `without scrolling at ${width}` }).toBe(true);
    }
    await setWindow(opened.desktop, 1280, 800);
    await press(notice().getByRole('button', { name: 'Check…' }));
    await dialog().getByText('manifest.collection-unknown').waitFor();
    await press(dialog().getByText('2 files without a usable row'));
    expect(await dialog().getByText('e.wav').isVisible()).toBe(true);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await setWindow(opened.desktop, 720, 500);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await setWindow(opened.desktop, 1280, 800);
    await press(dialog().getByRole('button', { name: 'Use', exact: true }));
    await notice().getByText('Using the descriptions in manifest.csv for 3 of 5 files.').waitFor();
    expect(await cell('b.wav', 'Note').textContent()).toContain('From manifest.csv');
    expect(await cell('b.wav', 'Collection').textContent()).toContain('Archive');
    expect(await cell('a.wav', 'Tags').textContent()).toContain('x|y');
    // The values are suggestions: the user can change each of them.
    await cell('c.wav', 'Title').click();
    await page.keyboard.type('Typed three');
    await page.keyboard.press('Enter');
    expect(await findings()).toEqual([]);
    await addButton().click();
    await sheet().waitFor({ state: 'hidden' });

    const [one, two, three] = await itemsTitled(['Row one', 'Row two', 'Typed three']);
    expect([one?.byline, one?.tags.toSorted(), three?.byline]).toEqual(['Ada', ['x', 'y'], null]);
    expect(two?.title).toBe('Row two');
    const { rows: uploads } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 });
    const own = uploads.filter(({ path }) => path.startsWith(folder));
    expect(Object.fromEntries(own.map(({ fileName, collectionName }) => [fileName, collectionName]))).toEqual({
      'a.wav': 'Optics',
      'b.wav': 'Archive',
      'c.wav': 'Optics',
      'd.wav': 'Optics',
      'e.wav': 'Optics',
    });
  });

  it('asks which columns to use when the headings are unknown; a declined spreadsheet is not uploaded as a file', async () => {
    await openView(page, 'All items');
    const folder = await openWith('headings', {
      'a.wav': 'heading a',
      'b.wav': 'heading b',
      'manifest.csv': 'Quelle;Worum es geht\na.wav;Vortrag\nb.wav;Seminar\n',
    });
    await notice().getByText('manifest.csv may describe these files. Choose the column').waitFor();
    await notice().getByRole('button', { name: 'Choose columns…' }).click();
    const choose = async (column: string, field: string) => {
      await dialog()
        .getByRole('button', { name: `Use “${column}” as` })
        .click();
      await page.getByRole('option', { name: field }).click();
    };
    await choose('Quelle', 'File name');
    await choose('Worum es geht', 'Title');
    await dialog().getByText('Describes 2 of 2 files').waitFor();
    await dialog().getByRole('button', { name: 'Use', exact: true }).click();
    await expect.poll(() => cell('a.wav', 'Title').textContent()).toContain('Vortrag');
    await notice().getByRole('button', { name: 'Stop using' }).click();
    await expect.poll(() => cell('a.wav', 'Title').textContent()).toBe('a');
    await notice().getByText('manifest.csv isn’t used. The spreadsheet itself isn’t uploaded.').waitFor();
    await addButton().click();
    await sheet().waitFor({ state: 'hidden' });
    const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 });
    expect(rows.filter(({ path }) => path.startsWith(folder)).map(({ fileName }) => fileName)).toEqual([
      'a.wav',
      'b.wav',
    ]);
  });
});
