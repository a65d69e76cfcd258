// How long the review of a change of many items takes to open in the built app, from the key to its painted first rows.
import type { Page } from 'playwright';

/** The drafts of the large library: every tenth item. */
const QUERY = 'status:draft';
const ROUNDS = 3;
const WARM_ROUNDS = 7;

/** Milliseconds, one for each round. */
export interface ReviewTimes {
  /** The number of selected items. */
  items: number;
  /** From “select all” until a review is painted whose items were not read before: that of a deletion. */
  selectAndOpen: number[];
  /** From the key that submits the form for tags until the review is painted: the form has read the items. */
  fromForm: number[];
}

/** Selects all results of a query in the list, and opens reviews of changes of all of them. Changes nothing. */
export async function timeReviews(page: Page): Promise<ReviewTimes> {
  await page.getByRole('combobox', { name: 'Search items' }).fill(QUERY);
  await page.getByRole('toolbar', { name: 'Active filters' }).waitFor();
  const list = page.getByRole('grid', { name: 'Items' });
  const selectAndOpen: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // In another order, the same items are another selection, which the app has not read yet.
    if (round > 0) await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await page.waitForTimeout(1500);
    await list.focus();
    await page.keyboard.press('Escape');
    await startTimer(page, 'a');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    selectAndOpen.push(await painted(page));
    await closeReview(page);
  }
  const items = await selectedItems(page);
  const fromForm: number[] = [];
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    await list.focus();
    await page.getByRole('region', { name: 'Selected items' }).getByRole('button', { name: 'Tags' }).click();
    const add = page.getByRole('dialog').getByRole('combobox').first();
    await add.waitFor();
    await add.fill(`reviewed ${round}`);
    await page.keyboard.press('Enter');
    const submit = page.getByRole('dialog').getByRole('button', { name: 'Review changes…' });
    await submit.focus();
    await startTimer(page, 'Enter');
    await page.keyboard.press('Enter');
    fromForm.push(await painted(page));
    await closeReview(page);
  }
  return { items, selectAndOpen, fromForm };
}

async function selectedItems(page: Page): Promise<number> {
  const text = await page.getByRole('region', { name: 'Selected items' }).innerText();
  return Number(/[\d,.]+/.exec(text)?.[0].replace(/\D/g, ''));
}

async function closeReview(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('grid', { name: 'Changes by item' }).waitFor({ state: 'detached' });
}

interface TimingPage {
  reviewTime?: Promise<number>;
}

/** Measures from the next press of a key until a frame is painted in which the review has its first row. */
async function startTimer(page: Page, key: string): Promise<void> {
  await page.evaluate((wanted) => {
    (globalThis as TimingPage).reviewTime = new Promise((resolve) => {
      const start = (event: KeyboardEvent) => {
        if (event.key !== wanted) return;
        window.removeEventListener('keydown', start, true);
        const from = performance.now();
        const look = () => {
          const rows = '[aria-label="Changes by item"] [role="row"] [title]';
          if (document.querySelector(rows) === null) {
            requestAnimationFrame(look);
            return;
          }
          // A message that is sent in a frame arrives after the frame is painted.
          const channel = new MessageChannel();
          channel.port1.onmessage = () => resolve(performance.now() - from);
          channel.port2.postMessage(null);
        };
        requestAnimationFrame(look);
      };
      window.addEventListener('keydown', start, true);
    });
  }, key);
}

function painted(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as TimingPage).reviewTime ?? Number.NaN);
}
