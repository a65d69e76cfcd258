// Hostile texts pasted into fields of the window and saved: each is stored as it was pasted, or its field shows the reason, and
// no part of it runs. Texts that a library already contains: hostile-texts.test.ts. Fields of files: hostile-files.test.ts.
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask, dropFiles } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { LONG_TEXT, PASTED_TEXTS, SAVED_TEXTS } from '../../helpers/data/hostile-texts.ts';
import { addSheetSteps } from '../../helpers/desktop/add-sheet-steps.ts';
import { askExactly, pasteInto } from '../../helpers/desktop/exact-texts.ts';
import { refusals, saveOrRestore, showsEach, textOf } from '../../helpers/desktop/hostile-forms.ts';
import { NO_REPORTS, policyReports, watchPolicy } from '../../helpers/desktop/policy-reports.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let page: Page;
let siteId: string;
/** Ids of collections. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      for (const [display_name, is_podcast] of [
        ['Talks', false],
        ['Radio', true],
        ['Optics', false],
      ] as const) {
        const answer = await direct.post('/api2/collections', { display_name, is_podcast, parent_id: '1' });
        ids[display_name] = answer.location.split('/').at(-1) ?? '';
      }
      await direct.post(`/api2/collections/${ids.Radio}/podcast-details`, { directory_edu_category: 'Old' });
      for (const title of ['One', 'Two']) await direct.createItem(title);
    },
    beforeSignIn: (window) => watchPolicy(window.page),
  });
  ({ page } = opened);
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  siteId = site?.id ?? '';
});
afterAll(() => opened?.close());

afterEach(async () => {
  // A test that fails with an open dialog must not fail the others.
  for (let tries = 3; tries > 0 && (await page.getByRole('dialog').count()) > 0; tries -= 1) {
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: 'Discard' })
      .click({ timeout: 500 })
      .catch(() => undefined);
  }
  expect(await policyReports(page)).toEqual(NO_REPORTS);
  expect(opened.desktop.output()).not.toMatch(/Refused to|violates the following/);
});

const collection = (id = '') => opened.direct.get(`/api2/collections/${id}`).then(({ body }) => body);
const grid = (name: string) => page.getByRole('grid', { name });

/** Opens a dialog from the context menu of a collection, whatever its current name is. */
async function openForm(id = '', entry: string): Promise<Locator> {
  await page.locator(`[data-collection-id="${id}"]`).click({ button: 'right' });
  await page.getByRole('menuitem', { name: entry }).click();
  return page.getByRole('dialog');
}

/** Enters a name in a dialog with one field, and saves it; “Blank” instead of a blank text. Returns the saved name. */
async function nameIt(dialog: Locator, text: string): Promise<string> {
  const field = dialog.getByLabel('Name', { exact: true });
  const typed = await pasteInto(field, text);
  if (typed.trim() === '') {
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => refusals(dialog)).toEqual({ Name: 'Enter a name.' });
    await pasteInto(field, 'Blank');
  }
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  return typed.trim() || 'Blank';
}

/** The label of the field for a description when it shows the HTML source. */
const SOURCE = 'Description (HTML source)';

const rounds = (fields: number) => Array.from({ length: Math.ceil(SAVED_TEXTS.length / fields) }, (_, round) => round);

describe('a field of a collection', { timeout: 300_000 }, () => {
  it('keeps each text in name, slug and description, or says why not', async () => {
    let kept = 0;
    const has = { Name: 'Talks', Slug: 'talks', [SOURCE]: '' };
    for (const round of rounds(2)) {
      const form = await openForm(ids.Talks, 'Edit…');
      // The editor shows HTML that it can't format as source.
      const asSource = form.getByRole('button', { name: 'Edit as HTML source' });
      await form.getByText('Description', { exact: true }).waitFor();
      if ((await asSource.count()) > 0) await asSource.click();
      if (round === 0) {
        for (const label of Object.keys(has)) await showsEach(form.getByLabel(label, { exact: true }), PASTED_TEXTS);
        for (const [label, value] of Object.entries(has))
          await pasteInto(form.getByLabel(label, { exact: true }), value);
      }
      const [first, second] = [textOf(SAVED_TEXTS, 2, round, 0), textOf(SAVED_TEXTS, 2, round, 1)];
      const { Name, Slug } = await saveOrRestore(form, { Name: first, Slug: second, [SOURCE]: second }, has);
      expect(await collection(ids.Talks)).toMatchObject({ display_name: Name, slug: Slug, description: has[SOURCE] });
      kept += Number(Name === first.trim()) + Number(has[SOURCE] === second);
    }
    expect(kept).toBeGreaterThan(SAVED_TEXTS.length * 0.6);
  });

  it('keeps each text in podcast details, or says why not', async () => {
    const checked = ['Contact e-mail', 'Address in a directory', 'Feed proxy'];
    const has = { 'Education category': 'Old', Author: '', Subtitle: '', Copyright: '' };
    const labels = Object.keys(has);
    let kept = 0;
    for (const round of rounds(labels.length)) {
      const form = await openForm(ids.Radio, 'Podcast details…');
      if (round === 0) {
        await showsEach(
          form.getByRole('combobox', { name: 'Category', exact: true }),
          PASTED_TEXTS.filter((text) => text !== LONG_TEXT),
        );
        for (const label of [...labels, ...checked])
          await showsEach(form.getByLabel(label, { exact: true }), PASTED_TEXTS);
        await pasteInto(form.getByLabel('Education category', { exact: true }), 'Old');
        for (const label of checked) {
          await pasteInto(form.getByLabel(label, { exact: true }), SAVED_TEXTS[0] ?? '');
          await expect
            .poll(async () => (await refusals(form))[label])
            .toMatch(/^Enter an e-mail address|^Enter a complete/);
          await pasteInto(form.getByLabel(label, { exact: true }), '');
        }
      }
      // When a podcast has a blank education category, its form has no field for that category.
      const texts = labels.map((label, index) => [
        label,
        textOf(SAVED_TEXTS, labels.length, round, index).trim() || 'Old',
      ]);
      await saveOrRestore(form, Object.fromEntries(texts), has);
      const { body } = await opened.direct.get(`/api2/collections/${ids.Radio}/podcast-details`);
      expect(body).toMatchObject({
        directory_author_name: has.Author || null,
        directory_subtitle: has.Subtitle || null,
        copyright: has.Copyright || null,
        directory_edu_category: has['Education category'],
        directory_author_email: null,
        directory_url: null,
        feed_proxy_url: null,
        directory_category: null,
      });
      kept += texts.filter(([label = '', text]) => has[label as keyof typeof has] === text).length;
    }
    expect(kept).toBeGreaterThan(SAVED_TEXTS.length * 0.6);
    const { totals } = await ask<CallOutput<'edits.groups'>>(page, 'edits.groups', {
      siteId: null,
      isOpen: true,
      offset: 0,
      limit: 1,
    });
    expect(totals).toMatchObject({ pending: 0, refused: 0, conflict: 0 });
  });
});

describe('a field that is stored only on this computer', { timeout: 300_000 }, () => {
  it('keeps each text in a search and in its name', async () => {
    const box = page.getByRole('combobox', { name: 'Search items' });
    const save = page.getByRole('button', { name: 'Save this search…' }).first();
    await showsEach(box, PASTED_TEXTS);
    for (const round of rounds(2)) {
      const search = await pasteInto(box, textOf(SAVED_TEXTS, 2, round, 0));
      if (search.trim() === '') continue;
      await box.press('Enter');
      await save.click();
      const dialog = page.getByRole('dialog', { name: 'Save search' });
      if (round === 0) await showsEach(dialog.getByLabel('Name', { exact: true }), PASTED_TEXTS);
      const name = await nameIt(dialog, textOf(SAVED_TEXTS, 2, round, 1));
      const list = await askExactly<CallOutput<'searches.list'>>(page, 'searches.list', { siteId });
      expect(list.at(-1)).toMatchObject({ name, search });
    }
    await box.fill('');
    expect(await grid('Saved searches').getByRole('row').count()).toBeGreaterThan(SAVED_TEXTS.length / 4);
  });

  it('keeps each text in a pattern, its templates and its name, or says why not', async () => {
    await grid('Items').getByRole('row').nth(1).click();
    await grid('Items')
      .getByRole('row')
      .nth(2)
      .click({ modifiers: ['Shift'] });
    const form = page.getByRole('form', { name: 'Edit selected items' });
    await form.getByText('Fill from a pattern').click();
    const field = (label: string) => form.getByLabel(label, { exact: true });
    const labels = ['Pattern', 'Build title', 'Build byline', 'Build description', 'Build tags'];
    for (const label of labels) await showsEach(field(label), PASTED_TEXTS);
    let kept = 0;
    for (const round of rounds(3)) {
      const given = [0, 1, 2].map((index) => textOf(SAVED_TEXTS, 3, round, index));
      const pattern = await pasteInto(field('Pattern'), `{all} ${given[0]}`);
      const title = await pasteInto(field('Build title'), `${given[1]} {all}`);
      await form.getByRole('button', { name: 'Saved patterns' }).click();
      const entry = page.getByRole('menuitem', { name: 'Save this pattern…' });
      await entry.waitFor();
      if ((await entry.getAttribute('aria-disabled')) === 'true') {
        await page.keyboard.press('Escape');
        await expect.poll(async () => Object.values(await refusals(form)).join('')).not.toBe('');
        expect(/[{}]/.test(given.join('')) || given.includes(LONG_TEXT), JSON.stringify(given)).toBe(true);
        continue;
      }
      await entry.click();
      const name = await nameIt(page.getByRole('dialog', { name: 'Save the pattern' }), given[2] ?? '');
      const [recipe] = await askExactly<CallOutput<'recipes.list'>>(page, 'recipes.list', null);
      expect(recipe).toMatchObject({ name, recipe: { pattern, fields: { title } } });
      kept += 1;
    }
    expect(kept).toBeGreaterThan(SAVED_TEXTS.length / 5);
  });

  it('keeps each text in the title template of uploads and the name of a preset, or says why not', async () => {
    const { sheet, openWith } = addSheetSteps(() => opened);
    const folder = await openWith('preset files', { 'a.txt': 'a' });
    const template = sheet().getByLabel('Titles', { exact: true });
    await showsEach(template, PASTED_TEXTS);
    let kept = 0;
    for (const round of rounds(2)) {
      const text = textOf(SAVED_TEXTS, 2, round, 0);
      const typed = await pasteInto(template, text);
      await sheet()
        .getByRole('button', { name: /^Preset/ })
        .click();
      const entry = page.getByRole('menuitem', { name: 'Save these options…' });
      await entry.waitFor();
      if ((await entry.getAttribute('aria-disabled')) === 'true') {
        await page.keyboard.press('Escape');
        await expect.poll(async () => (await refusals(sheet())).Titles ?? '').not.toBe('');
        expect(/[{}]/.test(text) || text === LONG_TEXT, JSON.stringify(text)).toBe(true);
        continue;
      }
      await entry.click();
      const dialog = page.getByRole('dialog', { name: 'Save a preset' });
      if (round === 0) await showsEach(dialog.getByLabel('Name', { exact: true }), PASTED_TEXTS);
      const name = await nameIt(dialog, textOf(SAVED_TEXTS, 2, round, 1));
      const call = { siteId, collectionId: ids.Optics };
      const [preset] = await askExactly<CallOutput<'presets.list'>>(page, 'presets.list', call);
      expect(preset).toMatchObject({ name, values: { titleTemplate: typed.trim() === '' ? '{name}' : typed } });
      kept += 1;
    }
    expect(kept).toBeGreaterThan(SAVED_TEXTS.length / 3);
    await sheet().getByRole('button', { name: 'Cancel' }).click();
    await dropFiles(page, [folder]);
    await sheet().getByText('for this collection').waitFor();
  });
});
