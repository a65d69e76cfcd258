// The table of the add sheet, in the real app against the real service: files are described, omitted and added, by mouse and by
// keyboard.
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, chooseCollection, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { taggedRecording } from '../../helpers/data/tagged-recording.ts';
import { addSheetSteps } from '../../helpers/desktop/add-sheet-steps.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { chooseByKeyboard, keepPicture, setWindow } from '../../helpers/desktop/window-actions.ts';

let opened: SignedInApp;
let page: Page;
beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  page = opened.page;
  await openView(page, 'All items');
});
afterAll(() => opened?.close());

const { sheet, grid, cell, addButton, makeFiles, openWith, itemsTitled, findings } = addSheetSteps(() => opened);

describe('the table of files', () => {
  it('can be filled by keyboard before a collection is chosen; the sheet then says that the collection is missing', async () => {
    const folder = await makeFiles('keys', { 'k1.wav': 'k one', 'k2.wav': 'k two' });
    await dropFiles(page, [folder]);
    await grid().waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox');
    for (let tabs = 0; tabs < 60 && (await focused()) !== 'File'; tabs += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Typed');
    await page.keyboard.press('Enter');
    // Typing replaces, Ctrl+D copies from the row above, Ctrl+Z undoes it as one step.
    await page.keyboard.press('Control+d');
    await expect.poll(() => cell('k2.wav', 'Title').textContent()).toContain('Typed');
    await page.keyboard.press('Control+z');
    await page.keyboard.type('Typed too');
    await page.keyboard.press('Tab');
    await page.keyboard.type('keyboard');
    await page.keyboard.press('Enter');

    await addButton().focus();
    await page.keyboard.press('Enter');
    await sheet().getByRole('alert').filter({ hasText: 'Choose a collection.' }).first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox');
    await chooseByKeyboard(page, 'Optics');
    await addButton().focus();
    await page.keyboard.press('Enter');
    await sheet().waitFor({ state: 'hidden' });
    const [typed, too] = await itemsTitled(['Typed', 'Typed too']);
    expect([typed?.tags, too?.tags]).toEqual([[], ['keyboard']]);
  });

  it('is described and added by mouse; files that are left out and empty ones are not uploaded', async () => {
    const folder = await openWith('mouse', { 'm1.wav': 'one', 'm2.wav': 'two', 'm3.wav': 'three', 'm4.wav': '' });
    expect(await sheet().getByRole('heading', { name: 'Add 3 files' }).count()).toBe(1);
    expect(await cell('m4.wav', 'Title').textContent()).toContain('Can’t be uploaded: The file is empty');

    await cell('m1.wav', 'Title').click();
    await page.keyboard.type('Light and shadow');
    await cell('m1.wav', 'Byline').click();
    await page.keyboard.type('Ada Lovelace');
    await cell('m1.wav', 'Description').click();
    await page.keyboard.type('First part & more');
    await cell('m2.wav', 'Tags').click();
    await page.keyboard.type('week 2|optics');
    await cell('m3.wav', 'Add').click();
    await grid().getByRole('checkbox').click();
    await sheet().getByRole('heading', { name: 'Add 2 files' }).waitFor();
    await sheet().getByRole('status').filter({ hasText: '1 left out' }).waitFor();
    await addButton().click();
    const result = page.getByRole('dialog', { name: '2 files added' });
    await result.getByRole('button', { name: 'Close' }).click();

    const [light, second] = await itemsTitled(['Light and shadow', 'm2']);
    expect(light).toMatchObject({ byline: 'Ada Lovelace', tags: [], description: '<p>First part &amp; more</p>' });
    expect(second?.tags.toSorted()).toEqual(['optics', 'week 2']);
    const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 });
    expect(rows.filter(({ path }) => path.startsWith(folder)).map(({ fileName, state }) => [fileName, state])).toEqual(
      expect.arrayContaining([['m4.wav', 'skipped']]),
    );
    expect(rows.some(({ fileName }) => fileName === 'm3.wav')).toBe(false);
  });

  it('can give a single file another collection or its own publish time', async () => {
    const folder = await openWith('targets', { 't1.txt': 'one', 't2.txt': 'two', 't3.txt': 'three' });
    await cell('t1.txt', 'Collection').click();
    await page.keyboard.type('archive');
    await page.keyboard.press('Enter');
    await expect.poll(() => cell('t1.txt', 'Collection').textContent()).toContain('Archive');
    await cell('t2.txt', 'Publish').click();
    await page.keyboard.type('tomorrow');
    await page.keyboard.press('Enter');
    await sheet()
      .getByText(/1 cell to correct|Enter “Draft”/)
      .first()
      .waitFor();
    await keepPicture(opened.desktop, 'own-choices');
    await cell('t2.txt', 'Publish').click();
    await page.keyboard.type('2031-05-06T09:00+02:00');
    await page.keyboard.press('Enter');
    await addButton().click();
    await sheet().waitFor({ state: 'hidden' });
    await itemsTitled(['t1', 't2', 't3']);
    const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 });
    const own = rows.filter(({ path }) => path.startsWith(folder));
    expect(Object.fromEntries(own.map(({ fileName, collectionName }) => [fileName, collectionName]))).toEqual({
      't1.txt': 'Archive',
      't2.txt': 'Optics',
      't3.txt': 'Optics',
    });
    const publication = async () => {
      const { body } = await opened.direct.get('/api2/media?per_page=200&sort=created_on&order=desc');
      return body.items.find(({ title }: { title: string }) => title === 't2');
    };
    await expect
      .poll(publication, { timeout: 60_000 })
      .toMatchObject({ status: 'scheduled', publish_on: '2031-05-06T07:00:00Z' });
  });

  it('keeps what was typed when the collection or the title template changes, and asks before it is discarded', async () => {
    await openWith('keeps', { 'a.wav': 'keep a', 'b.wav': 'keep b' });
    await cell('a.wav', 'Title').dblclick();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Mine');
    await page.keyboard.press('Enter');
    await sheet().getByLabel('Titles').fill('{nn} {name}');
    await expect.poll(() => cell('b.wav', 'Title').textContent()).toContain('02 b');
    expect(await cell('a.wav', 'Title').textContent()).toContain('Mine');
    await sheet().getByRole('button', { name: 'Cancel' }).click();
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    expect(await cell('a.wav', 'Title').textContent()).toContain('Mine');
    await sheet().getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await sheet().waitFor({ state: 'hidden' });
  });

  it('has no accessibility finding in either theme, in the default window, at 960 × 600 and at 200 % zoom', async () => {
    await openWith('axe', { 'a.wav': 'axe a', 'empty.wav': '' });
    // Creates a cell that must be corrected.
    await cell('a.wav', 'Title').click();
    await page.keyboard.press('Delete');
    await addButton().click();
    await sheet().getByRole('alert').filter({ hasText: 'Correct 1 marked cell' }).first().waitFor();
    expect(await findings()).toEqual([]);
    await setWindow(opened.desktop, 960, 600);
    expect(await findings()).toEqual([]);
    await setWindow(opened.desktop, 1280, 800, 2);
    await addButton().scrollIntoViewIfNeeded();
    await grid().scrollIntoViewIfNeeded();
    const box = await grid().boundingBox();
    expect(box?.width).toBeLessThanOrEqual(640);
    expect(box?.height).toBeGreaterThan(150);
    expect(await findings()).toEqual([]);
    await setWindow(opened.desktop, 1280, 800);
    await sheet().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('shows 5,000 files at once, and scrolls to the last one', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`r${index + 1}.wav`, `many ${index}`]),
    );
    await openWith('many', files);
    await sheet().getByRole('heading', { name: 'Add 5,000 files' }).waitFor({ timeout: 60_000 });
    await cell('r1.wav', 'Title').click();
    await page.keyboard.press('Control+End');
    await grid().getByRole('row', { name: 'r5000.wav' }).waitFor();
    expect(await grid().getByRole('row').count()).toBeLessThan(60);
    await sheet().getByRole('button', { name: 'Cancel' }).click();
    await sheet().waitFor({ state: 'hidden' });
  });
});

describe('filling from a pattern', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Fill from a pattern' });
  const opener = () => sheet().getByRole('button', { name: 'Fill from a pattern…' });
  const value = (row: string, nth: number) =>
    dialog().getByRole('row').filter({ hasText: row }).getByRole('cell').nth(nth).textContent();

  it('reads titles and tags out of names by keyboard alone, as one undo step, and uploads them', async () => {
    await openWith('pattern', {
      '20261104_Optics_Light_and_shade.wav': 'pattern one',
      '20261105_Waves_Standing_waves.wav': 'pattern two',
      'jingle.wav': 'pattern three',
    });
    await opener().focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    // The focus is in the pattern.
    await page.keyboard.type('{date:YYYYMMDD}_{course}_{title}');
    await expect.poll(() => value('Light_and_shade', 0)).toBe('Light and shade');
    await dialog().getByText('The name doesn’t match the pattern.').waitFor();
    await dialog().getByText('2 files will change, 1 can’t be filled completely.').waitFor();
    await dialog().getByLabel('Build tags').focus();
    await page.keyboard.type('{course}, lecture {date:DD.MM.YYYY}');
    await expect.poll(() => value('Standing_waves', 1)).toBe('Waves|lecture 05.11.2026');
    await dialog().getByRole('radio', { name: 'Not filled (1)' }).check({ force: true });
    expect(await dialog().getByRole('row').count()).toBe(2);
    await dialog().getByLabel('Build tags').focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'hidden' });
    await expect.poll(() => opener().evaluate((element) => element === document.activeElement)).toBe(true);
    await expect.poll(() => cell('20261104', 'Title').textContent()).toContain('Light and shade');
    expect(await cell('jingle.wav', 'Title').textContent()).toContain('jingle');

    await sheet().getByRole('button', { name: 'Undo' }).click();
    expect(await cell('20261104', 'Title').textContent()).toContain('20261104_Optics_Light_and_shade');
    expect(await cell('20261104', 'Tags').textContent()).not.toContain('Optics');
    await sheet().getByRole('button', { name: 'Redo' }).click();
    await addButton().click();
    await sheet().waitFor({ state: 'hidden' });
    const items = await itemsTitled(['Light and shade', 'Standing waves', 'jingle']);
    // The library already has some of these tags in lower case, so the case can differ.
    expect(items.map(({ title, tags }) => [title, tags.map((tag) => tag.toLowerCase()).toSorted()])).toEqual([
      ['jingle', []],
      ['Light and shade', ['lecture 04.11.2026', 'optics']],
      ['Standing waves', ['lecture 05.11.2026', 'waves']],
    ]);
  });

  it('builds fields from the tags and dates inside the files, and shows where a date comes from', async () => {
    const folder = await makeFiles('inside', { 'plain.wav': 'no sound' });
    await taggedRecording(
      join(folder, 'tagged.wav'),
      { title: 'Inner light', artist: 'Ada Lovelace', origination_date: '2026-11-04', origination_time: '10:20:30' },
      ['-write_bext', '1'],
    );
    await chooseCollection(page, 'Optics');
    await dropFiles(page, [folder]);
    await grid().waitFor();
    await opener().click();
    await dialog().getByRole('radio', { name: 'Text and tokens' }).check({ force: true });
    await dialog().getByLabel('Build title').fill('{tag.title} ({recorded:DD.MM.YYYY})');
    await dialog().getByLabel('Build byline').fill('{tag.artist}');
    await expect.poll(() => value('tagged.wav', 0)).toBe('Inner light (04.11.2026)');
    await dialog()
      .getByText(/Recorded 2026-11-04 10:20:30 – date of the recorder in the file, .*without a time zone/)
      .waitFor();
    await dialog().getByText('Title not filled: no value for {tag.title}.').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Fill 1 file' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await addButton().click();
    await sheet().waitFor({ state: 'hidden' });
    const [item] = await itemsTitled(['Inner light (04.11.2026)']);
    expect(item?.byline).toBe('Ada Lovelace');
  });

  it('builds fields of the selected rows from a saved pattern, without accessibility findings in three window sizes', async () => {
    await openWith('tokens', {
      't1.txt': 'tokens one',
      't2.txt': 'tokens two',
      't3.txt': 'tokens three',
    });
    await cell('t2.txt', 'Title').click();
    await cell('t3.txt', 'Title').click({ modifiers: ['Shift'] });
    await opener().click();
    await dialog().getByRole('radio', { name: 'Text and tokens' }).check({ force: true });
    await dialog().getByRole('radio', { name: 'Selected (2)' }).check({ force: true });
    await dialog().getByLabel('Build title').fill('Part {n} of');
    await dialog().getByRole('button', { name: '{folder}', exact: true }).click();
    expect(await dialog().getByLabel('Build title').inputValue()).toBe('Part {n} of {folder}');
    await expect.poll(() => value('t3.txt', 0)).toBe('Part 3 of tokens');
    await dialog().getByRole('button', { name: 'Saved patterns' }).click();
    await page.getByRole('menuitem', { name: 'Save this pattern…' }).click();
    const save = page.getByRole('dialog', { name: 'Save the pattern' });
    await save.getByLabel('Name').fill('Parts');
    await save.getByRole('button', { name: 'Save' }).click();
    await save.waitFor({ state: 'hidden' });
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await setWindow(opened.desktop, 720, 500);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await setWindow(opened.desktop, 1280, 800, 2);
    await dialog().getByRole('button', { name: 'Fill 2 files' }).scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await setWindow(opened.desktop, 1280, 800);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });

    await opener().click();
    await dialog().getByRole('button', { name: 'Saved patterns' }).click();
    await page.getByRole('menuitem', { name: 'Parts', exact: true }).click();
    await dialog().getByRole('radio', { name: 'Selected (2)' }).check({ force: true });
    await dialog().getByRole('button', { name: 'Fill 2 files' }).click();
    await expect.poll(() => cell('t2.txt', 'Title').textContent()).toContain('Part 2 of tokens');
    expect(await cell('t1.txt', 'Title').textContent()).toContain('t1');
    await sheet().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await sheet().waitFor({ state: 'hidden' });
  });
});

describe('titles from inside the files', () => {
  it('are previewed with the source of the date, fall back to the file name with a notice, and can come from a preset', async () => {
    const folder = await makeFiles('titles', { 'untagged.wav': 'no sound' });
    const tags = { title: 'Evening light', artist: 'Grace Hopper', creation_time: '2026-11-04T12:30:00Z' };
    await taggedRecording(join(folder, 'tagged.mkv'), tags);
    await chooseCollection(page, 'Optics');
    await dropFiles(page, [folder]);
    await grid().waitFor();
    await sheet().getByLabel('Titles').fill('{tag.artst}');
    await sheet().getByText('“{tag.artst}” isn’t a tag that Mediadesk reads.').waitFor();
    await sheet().getByLabel('Titles').fill('');
    const tokens = sheet().getByRole('toolbar', { name: 'Add a token' });
    await tokens.getByRole('button', { name: '{tag.title}' }).click();
    await tokens.getByRole('button', { name: '{recorded}' }).click();
    expect(await sheet().getByLabel('Titles').inputValue()).toBe('{tag.title} {recorded}');
    await expect.poll(() => cell('tagged.mkv', 'Title').textContent()).toContain('Evening light 2026-11-04');
    expect(await cell('tagged.mkv', 'Note').textContent()).toContain('UTC date in the file');
    expect(await cell('untagged.wav', 'Title').textContent()).toContain('untagged');
    expect(await cell('untagged.wav', 'Note').textContent()).toContain('no value for {tag.title}');
    const notice = sheet().getByTestId('title-notice');
    await notice.getByText('1 title is the file name, because its file has no value for the template.').waitFor();
    expect(await findings()).toEqual([]);
    await setWindow(opened.desktop, 720, 500);
    expect(await findings()).toEqual([]);
    await setWindow(opened.desktop, 1280, 800);

    await sheet()
      .getByRole('button', { name: /^Preset/ })
      .click();
    await page.getByRole('menuitem', { name: 'Save these options…' }).click();
    const save = page.getByRole('dialog', { name: 'Save a preset' });
    await save.getByLabel('Name').fill('From tags');
    await save.getByRole('button', { name: 'Save' }).click();
    await save.waitFor({ state: 'hidden' });
    await sheet().getByRole('button', { name: 'Cancel' }).click();
    await sheet().waitFor({ state: 'hidden' });

    await dropFiles(page, [folder]);
    await grid().waitFor();
    await sheet()
      .getByRole('button', { name: /^Preset/ })
      .click();
    await page.getByRole('menuitem', { name: 'From tags' }).click();
    await expect.poll(() => cell('tagged.mkv', 'Title').textContent()).toContain('Evening light 2026-11-04');
    await addButton().click();
    await sheet().waitFor({ state: 'hidden' });
    await itemsTitled(['Evening light 2026-11-04', 'untagged']);
    const { rows } = await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 500 });
    const noticeOf = (path: string) => rows.find((row) => row.path === path)?.notice?.code ?? null;
    expect(noticeOf(join(folder, 'untagged.wav'))).toBe('upload.title-fallback');
    expect(noticeOf(join(folder, 'tagged.mkv'))).toBeNull();
  });
});

describe('presets of a collection', () => {
  it('are saved, used again, and renamed; another collection does not offer them', async () => {
    const folder = await openWith('presets', { 'p.wav': 'preset' });
    await sheet().getByLabel('Titles').fill('{nn} {name}');
    await sheet().getByLabel('Tags').fill('lecture');
    await page.keyboard.press('Enter');
    await sheet().getByRole('button', { name: 'Presets' }).click();
    await page.getByRole('menuitem', { name: 'Save these options…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save a preset' });
    await dialog.getByLabel('Name').fill('Lectures');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await sheet().getByText('2 for this collection').waitFor();
    await sheet().getByRole('button', { name: 'Cancel' }).click();
    await sheet().waitFor({ state: 'hidden' });

    await dropFiles(page, [folder]);
    expect(await sheet().getByLabel('Titles').inputValue()).toBe('{name}');
    await sheet().getByRole('button', { name: 'Presets' }).click();
    await page.getByRole('menuitem', { name: 'Lectures' }).click();
    expect(await sheet().getByLabel('Titles').inputValue()).toBe('{nn} {name}');
    await expect.poll(() => cell('p.wav', 'Title').textContent()).toContain('01 p');
    expect(await cell('p.wav', 'Tags').textContent()).toContain('lecture');
    await sheet().getByRole('button', { name: 'Preset: Lectures' }).click();
    await page.getByRole('menuitem', { name: 'Rename “Lectures”…' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename the preset' });
    await rename.getByLabel('Name').fill('Seminars');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await sheet().getByRole('button', { name: 'Preset: Seminars' }).waitFor();
    expect(await findings()).toEqual([]);
    await sheet().getByRole('button', { name: 'Cancel' }).click();
    await sheet().waitFor({ state: 'hidden' });

    await chooseCollection(page, 'Archive');
    await dropFiles(page, [folder]);
    await sheet().getByText('None saved yet').waitFor();
    await sheet().getByRole('button', { name: 'Cancel' }).click();
    await sheet().waitFor({ state: 'hidden' });
  });
});

describe('the details of queued uploads', () => {
  it('are changed in the same table until the library creates their items', async () => {
    const folder = await makeFiles('details', { 'd1.wav': 'details one', 'd2.wav': 'details two' });
    await ask(page, 'uploads.pause', { kind: 'all' });
    await openView(page, 'All items');
    await chooseCollection(page, 'Optics');
    await dropFiles(page, [folder]);
    await addButton().click();
    const row = (name: string) => page.locator('[data-upload-id]').filter({ hasText: name });
    await row('d1.wav').click();
    await row('d2.wav').click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Edit details…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit details of 2 uploads' });
    const table = dialog.getByRole('grid', { name: 'Details of uploads' });
    await table.waitFor();
    await table.getByRole('row', { name: 'd1.wav' }).getByRole('gridcell').nth(1).click();
    await page.keyboard.type('Detailed');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Detailed as well');
    await page.keyboard.press('Enter');
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save 2 uploads' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row('Detailed as well').waitFor();
    await ask(page, 'uploads.resume', { kind: 'all' });
    expect((await itemsTitled(['Detailed', 'Detailed as well'])).length).toBe(2);
  });
});
