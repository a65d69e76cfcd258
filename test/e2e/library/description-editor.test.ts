// The editor of formatted descriptions in the real app: the HTML that it writes, the text that it pastes, and the parts that it
// keeps unchanged.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { call } from '../../helpers/desktop/desktop-sign-in.ts';
import { NO_REPORTS, policyReports, watchPolicy } from '../../helpers/desktop/policy-reports.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';

let opened: SignedInApp;
let desktop: DesktopApp;
let page: Page;
let direct: ServiceClient;

beforeAll(async () => {
  opened = await openSignedInApp();
  ({ direct, desktop, page } = opened);
  await watchPolicy(page);
});
afterAll(() => opened?.close());

// If edits of a failed test remained, the list of the next test would not refresh without a question.
afterEach(async () => {
  const revert = button('Revert');
  if ((await revert.count()) > 0 && (await revert.isEnabled())) await revert.click();
});

const inspector = (): Locator => page.locator('[data-inspector]');
const editor = (): Locator => inspector().getByRole('textbox', { name: 'Description', exact: true });
const source = (): Locator => inspector().getByLabel('Description (HTML source)');
const button = (name: string): Locator => inspector().getByRole('button', { name, exact: true });
const foot = (): Locator => inspector().getByRole('status');
const read = async (path: string): Promise<string> => (await direct.get(path)).body.description;

async function picture(name: string): Promise<void> {
  const pictures = process.env.MEDIADESK_WALK_PICTURES;
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** Creates an item and opens it in the inspector. Returns its path in the API. */
async function openNew(title: string, description = ''): Promise<string> {
  const path = await direct.createItem(title, { description });
  await page.keyboard.press('F5');
  const row = page.getByRole('grid', { name: 'Items' }).getByRole('row').filter({ hasText: title });
  await row.waitFor();
  await row.click();
  await expect.poll(() => inspector().getByLabel('Title', { exact: true }).inputValue()).toBe(title);
  return path;
}

async function saved(path: string): Promise<string> {
  await button('Save').click();
  await expect.poll(() => foot().textContent()).toBe('Saved');
  return read(path);
}

describe('the description editor', () => {
  it('formats text by keyboard: bold, italic, a line break and a list', async () => {
    const path = await openNew('By keyboard');
    await editor().focus();
    await page.keyboard.type('Plain ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('bold');
    await page.keyboard.press('Control+b');
    await page.keyboard.type(' and ');
    await page.keyboard.press('Control+i');
    await page.keyboard.type('italic');
    await page.keyboard.press('Control+i');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('next line');
    await page.keyboard.press('Enter');
    await page.keyboard.type('One');
    await page.keyboard.press('Control+Shift+8');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Two <b>');
    expect(await saved(path)).toBe(
      '<p>Plain <strong>bold</strong> and <em>italic</em><br />next line</p>\n<ul><li><p>One</p></li><li><p>Two &lt;b&gt;</p></li></ul>',
    );
    await page.keyboard.press('Control+s');
  });

  it('formats by mouse, and makes, changes and removes a link', async () => {
    const path = await openNew('By mouse', '<p>See the handbook</p>');
    await editor()
      .getByText('See the handbook')
      .dblclick({ position: { x: 10, y: 8 } });
    await button('Bold').click();
    await expect.poll(() => button('Bold').getAttribute('aria-pressed')).toBe('true');
    await button('Link…').click();
    await inspector().getByLabel('Link address').fill('javascript:alert(1)');
    await button('Set link').click();
    await inspector().getByText('Enter a web or e-mail address').waitFor();
    await inspector().getByLabel('Link address').fill('example.org/handbook');
    await picture('editor-link');
    await button('Set link').click();
    expect(await saved(path)).toBe(
      '<p><a href="https://example.org/handbook"><strong>See</strong></a> the handbook</p>',
    );
    await button('Link…').click();
    await button('Remove link').click();
    await button('Quotation').click();
    expect(await saved(path)).toBe('<blockquote><p><strong>See</strong> the handbook</p></blockquote>');
    await button('Quotation').click();
    await button('Heading').click();
    expect(await saved(path)).toBe('<h3><strong>See</strong> the handbook</h3>');
  });

  it('changes nothing when a description is only opened, or edited and edited back', async () => {
    const html = 'Loose <b>bold</b>\n<p>and   a paragraph</p>';
    const path = await openNew('Only opened', html);
    await editor().focus();
    await page.keyboard.type('x');
    await expect.poll(() => foot().textContent()).toBe('Not saved yet');
    await page.keyboard.press('Backspace');
    await expect.poll(() => foot().textContent()).toBe('');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowDown');
    expect(await read(path)).toBe(html);
    expect(await call(page, 'edits.groups', { isOpen: true })).toMatchObject({ value: { groups: [] } });
  });

  it('undoes typing with Ctrl+Z, and all changes with Revert', async () => {
    await openNew('Undone', '<p>Before</p>');
    await editor().focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' and after');
    await page.keyboard.press('Control+z');
    await expect.poll(() => editor().textContent()).toBe('Before');
    await page.keyboard.type('!');
    await button('Revert').click();
    await expect.poll(() => editor().textContent()).toBe('Before');
  });

  it('pastes allowed markup only, and plain text from the clipboard', async () => {
    const path = await openNew('Pasted');
    const html =
      '<div style="color:red" onclick="window.__hostile++"><h2>Head</h2><script>window.__hostile++</script>' +
      '<p>Text <b>bold</b> <a href="javascript:window.__hostile++">bad</a> <a href="https://example.org">good</a>' +
      '<img src=x onerror="window.__hostile++"></p></div><table><tr><td>cell</td></tr></table>';
    await editor().focus();
    await editor().evaluate((element, data) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', data);
      clipboardData.setData('text/plain', 'plain');
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, html);
    expect(await saved(path)).toBe(
      '<h2>Head</h2>\n<p>Text <strong>bold</strong> bad <a href="https://example.org">good</a></p>\n<p>cell</p>',
    );
    await desktop.app.evaluate(({ clipboard }) => clipboard.writeText('one <b>\ntwo\n\nthree'));
    await editor().focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    expect(await saved(path)).toBe('<p>one &lt;b&gt;<br />two</p>\n<p>three</p>');
  });
});

describe('a description that the editor can’t show', () => {
  const html = '<p class="lead">Lead</p><table><tr><td>1</td></tr></table>';

  it('opens as HTML source with the reason, and keeps its markup when it is edited', async () => {
    const path = await openNew('Source', html);
    expect(await source().inputValue()).toBe(html);
    await inspector().getByText('Shown as HTML source, because the editor can’t show class="…", <table>').waitFor();
    await expect.poll(() => foot().textContent()).toBe('');
    await picture('editor-source');
    expect(await axeFindings(page, 'all')).toEqual([]);
    await source().focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('<p>More</p>');
    expect(await saved(path)).toBe(`${html}<p>More</p>`);
  });

  it('becomes formatted text only on request', async () => {
    const path = await openNew('Converted', html);
    await button('Edit as formatted text').click();
    expect(await source().count()).toBe(1);
    await button('Remove this and edit as text').click();
    await editor().waitFor();
    expect(await saved(path)).toBe('<p>Lead</p>\n<p>1</p>');
    await button('Edit as HTML source').click();
    expect(await source().inputValue()).toBe('<p>Lead</p>\n<p>1</p>');
  });
});

describe('a description of 200,000 characters', () => {
  it('opens, accepts typing at its end, and is saved', async () => {
    const html = '<p>Some <strong>bold</strong> text &amp; more of it.</p>'.repeat(3500);
    const path = await openNew('Very long', html);
    await editor().waitFor();
    await editor().focus();
    await page.keyboard.press('Control+End');
    const started = performance.now();
    const text = 'typed at the end';
    await page.keyboard.type(text);
    await expect.poll(async () => (await editor().textContent())?.endsWith(text)).toBe(true);
    const perKey = (performance.now() - started) / text.length;
    console.log(`200,000 characters: ${perKey.toFixed(0)} ms per key`);
    expect((await saved(path)).replaceAll('\n', '')).toBe(`${html.slice(0, -4)}${text}</p>`);
  });

  it('is the longest one: one more character is refused at the field', async () => {
    await openNew('Too long');
    await button('Edit as HTML source').click();
    await source().fill('x'.repeat(200_001));
    await button('Save').click();
    await inspector().getByText('The description has 1 characters too many.').waitFor();
    await button('Revert').click();
  });
});

describe('the description editor', () => {
  it('has no accessibility finding, light and dark', async () => {
    await openNew('Looked at', '<h3>Head</h3><p>Text <a href="https://example.org">link</a></p><ul><li>One</li></ul>');
    await editor().waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await call(page, 'shell.setTheme', { theme });
      await expect
        .poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))
        .toBe(theme === 'dark');
      await picture(`editor-${theme}`);
      expect(await axeFindings(page, 'all')).toEqual([]);
    }
    await call(page, 'shell.setTheme', { theme: 'system' });
  });

  it('caused no report of the content security policy and ran no script', async () => {
    expect(await policyReports(page)).toEqual(NO_REPORTS);
  });
});
