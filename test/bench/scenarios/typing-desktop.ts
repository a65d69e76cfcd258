// Typing at the end of a description of 200,000 characters in the built app, beside typing in a short one and in an editable element
// without a program, in the same window.
import type { Page } from 'playwright';
import { openSignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { inDesktopSession } from '../desktop-session.ts';
import { atMost, figure, median, report } from '../report.ts';

const PARAGRAPH = '<p>Some <strong>bold</strong> text &amp; more of it.</p>';
const LONG = PARAGRAPH.repeat(3500);
const TEXT = 'typed at the end';
const ROUNDS = 3;

await inDesktopSession(run);

async function run(): Promise<void> {
  const opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      await direct.createItem('Long', { description: LONG });
      await direct.createItem('Short', { description: PARAGRAPH });
    },
  });
  const { page } = opened;
  try {
    const longs: number[] = [];
    const shorts: number[] = [];
    const plains: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      longs.push(await typeInto(page, await editorOf(page, 'Long')));
      shorts.push(await typeInto(page, await editorOf(page, 'Short')));
      plains.push(await typeInto(page, await plainEditor(page)));
    }
    report({
      scenario: 'typing-desktop',
      about: `${LONG.length} characters of HTML; the built app at 1280×800, ${TEXT.length} keys, median of ${ROUNDS} rounds`,
      rows: [
        atMost('key in the longest description', median(longs), 200, 'ms', 0),
        figure('key in a short description', median(shorts), 'ms', 1),
        figure('key in an editable element without a program', median(plains), 'ms', 1),
        figure('longest : short description', median(longs) / median(shorts), '', 1),
      ],
    });
  } finally {
    await opened.close();
  }
}

/** Opens an item in the inspector, without the changes of earlier rounds. Returns the selector of its description. */
async function editorOf(page: Page, title: string): Promise<string> {
  const inspector = page.locator('[data-inspector]');
  const revert = inspector.getByRole('button', { name: 'Revert', exact: true });
  if ((await revert.count()) > 0 && (await revert.isEnabled())) await revert.click();
  await page.getByRole('grid', { name: 'Items' }).getByRole('row').filter({ hasText: title }).click();
  await inspector
    .getByLabel('Title', { exact: true })
    .and(page.locator(`[value="${title}"]`))
    .waitFor();
  return '[data-inspector] [role="textbox"][contenteditable="true"]';
}

async function plainEditor(page: Page): Promise<string> {
  await page.evaluate(() => {
    document.getElementById('plain-editor')?.remove();
    const plain = document.createElement('div');
    plain.id = 'plain-editor';
    plain.contentEditable = 'true';
    document.body.append(plain);
  });
  return '#plain-editor';
}

/** Types a text at the end of an element. Returns the milliseconds per key until the element shows it. */
async function typeInto(page: Page, selector: string): Promise<number> {
  const element = page.locator(selector);
  await element.focus();
  await page.keyboard.press('Control+End');
  const startedAt = performance.now();
  await page.keyboard.type(TEXT);
  await page.waitForFunction(
    ([place, text]) => document.querySelector(place ?? '')?.textContent?.endsWith(text ?? '') === true,
    [selector, TEXT],
  );
  return (performance.now() - startedAt) / TEXT.length;
}
