// The list and the grid of a library of 100,000 items in the built app: the time from the sign-in to the first list, the time
// of a page, and the times of frames while it scrolls. For comparison: an empty page and an empty list on the same computer,
// because a computer without a graphics card paints with its processor. Then, the time until a change of a tenth of the
// library can be reviewed.
import type { Page } from 'playwright';
import { launchApp } from '../../helpers/desktop/desktop-app.ts';
import { call, fillSignIn, openSignIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { inDesktopSession } from '../desktop-session.ts';
import { openLargeLibrary } from '../large-library.ts';
import { atMost, figure, median, type Row, report } from '../report.ts';
import { timeReviews } from '../review-open.ts';
import { FRAMES, type MeasuredFrames, measureScroll } from '../scroll-frames.ts';

const LIST = 'main [role="grid"] [role="rowgroup"]';
/** Half a page per frame: every frame brings new rows. */
const PIXELS_PER_FRAME = 290;
const PAGES = 60;
const PAGE_ROWS = 100;

await inDesktopSession(run);

async function run(): Promise<void> {
  const library = await openLargeLibrary();
  const desktop = await launchApp({ size: { width: 1280, height: 800 } });
  const page = desktop.window;
  try {
    const firstMs = await firstList(desktop);
    const [site] = await ask<{ id: string }[]>(page, 'sites.list', null);
    const siteId = site?.id ?? '';
    const fromService = await pages(page, siteId, 10);
    await whenCopied(page, siteId);
    const fromCopy = await pages(page, siteId, PAGES);

    const list = await measureScroll(page, LIST, PIXELS_PER_FRAME);
    const listElements = await mostElements(page);
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Grid').click({ force: true });
    await page.locator('[data-media-layout="grid"] [role="gridcell"]').first().waitFor();
    const grid = await measureScroll(page, LIST, PIXELS_PER_FRAME);
    const gridElements = await mostElements(page);
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('List').click({ force: true });
    const reviews = await timeReviews(page);

    const opened = desktop.app.waitForEvent('window');
    await desktop.app.evaluate(({ BrowserWindow }) => {
      void new BrowserWindow({ width: 1280, height: 800 }).loadURL('data:text/html,<title>plain</title><body>');
    });
    const plain = await opened;
    await plain.waitForLoadState();
    const empty = await measureScroll(plain, 'html', 0);
    await plain.evaluate(() => {
      const room = document.createElement('div');
      room.style.height = '200000px';
      document.body.append(room);
    });
    const emptyList = await measureScroll(plain, 'html', PIXELS_PER_FRAME);
    report({
      scenario: 'library-scroll-desktop',
      about: `${library.about}; the built app at 1280×800, ${FRAMES} frames each`,
      rows: [
        atMost('first list after the sign-in', firstMs, 1000, 'ms'),
        figure(`page of ${PAGE_ROWS} rows in order, from the service, p95`, fromService, 'ms', 1),
        atMost(`page of ${PAGE_ROWS} rows anywhere, p95`, fromCopy, 50, 'ms', 1),
        ...framesOf('list', list),
        ...framesOf('grid', grid),
        figure('frame of an empty page, p95', empty.p95, 'ms', 1),
        figure('frame of an empty list that scrolls, p95', emptyList.p95, 'ms', 1),
        figure('processor time per frame of the empty list', emptyList.work, 'ms', 1),
        atMost('elements of the window with the list', listElements, 1000, ''),
        atMost('elements of the window with the grid', gridElements, 1000, ''),
        atMost(`select all ${reviews.items} and open their review, median`, median(reviews.selectAndOpen), 300, 'ms'),
        figure('select all and open their review, slowest', Math.max(...reviews.selectAndOpen), 'ms'),
        atMost('from the form to its review, median', median(reviews.fromForm), 300, 'ms'),
        figure('from the form to its review, slowest', Math.max(...reviews.fromForm), 'ms'),
      ],
    });
  } finally {
    await desktop.close();
    await library.remove();
  }

  /** From the consent of the user to the first row with its title. */
  async function firstList(app: typeof desktop): Promise<number> {
    const { signIn, reply } = await openSignIn(app, library.service);
    await fillSignIn(signIn, library.service.admin);
    const from = performance.now();
    await reply;
    await page.locator(`${LIST} [role="row"] [title]:not([title=""])`).first().waitFor();
    return performance.now() - from;
  }
}

function framesOf(name: string, { p50, p95, longest, placeholders, work }: MeasuredFrames): Row[] {
  return [
    atMost(`frame while the ${name} scrolls, p95`, p95, 16.7, 'ms', 1),
    figure(`frame while the ${name} scrolls, p50`, p50, 'ms', 1),
    figure(`frame while the ${name} scrolls, longest`, longest, 'ms', 1),
    figure(`processor time per frame while the ${name} scrolls`, work, 'ms', 1),
    figure(`frames of the ${name} with items that were not loaded yet`, (100 * placeholders) / FRAMES, '%', 1),
  ];
}

async function ask<T>(page: Page, name: Parameters<typeof call>[1], input: unknown): Promise<T> {
  const reply = await call(page, name, input as never);
  if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.error)}`);
  return reply.value as T;
}

/** Returns the 95th percentile of the times of pages in ms. `PAGES` pages are spread over the library, fewer are in order. */
async function pages(page: Page, siteId: string, count: number): Promise<number> {
  const query = { siteId, collectionId: null, search: '', type: null, status: null, sort: 'created_on', order: 'desc' };
  const { total } = await ask<{ total: number }>(page, 'library.mediaWindow', { query, offset: 0, limit: PAGE_ROWS });
  const times: number[] = [];
  for (let index = 1; index <= count; index += 1) {
    const offset = count === PAGES ? Math.floor((index * 7919 * PAGE_ROWS) % total) : index * PAGE_ROWS;
    const from = performance.now();
    await ask(page, 'library.mediaWindow', { query, offset, limit: PAGE_ROWS });
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? 0;
}

/** Waits until the app has its copy of the whole library. */
async function whenCopied(page: Page, siteId: string): Promise<void> {
  const deadline = performance.now() + 900_000;
  while ((await ask<{ phase: string }>(page, 'library.syncStatus', { siteId })).phase !== 'ready') {
    if (performance.now() > deadline) throw new Error('The library was not copied in time.');
    await page.waitForTimeout(1000);
  }
}

/** The number of elements of the whole window, in the middle of the library. */
async function mostElements(page: Page): Promise<number> {
  await page.locator(LIST).evaluate((box) => {
    box.scrollTop = box.scrollHeight / 2;
  });
  await page.waitForTimeout(1500);
  return page.evaluate(() => document.querySelectorAll('*').length);
}
