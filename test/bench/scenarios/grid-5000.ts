// The grid editor with 5,000 rows: its model with 12 columns, and the table of 5,000 items with all of its 12 columns in the built app
// (frames while it scrolls, keys and a paste until they are painted), beside an empty page on the same computer.
import type { Page } from 'playwright';
import { previewReplace } from '../../../shared/model/grid/find-replace.ts';
import { setCell, undo } from '../../../shared/model/grid/grid-changes.ts';
import { copyCells, paste, readClipboard } from '../../../shared/model/grid/grid-clipboard.ts';
import { createGrid, type GridColumn } from '../../../shared/model/grid/grid-model.ts';
import { selectAllCells } from '../../../shared/model/grid/grid-selection.ts';
import { launchApp } from '../../helpers/desktop/desktop-app.ts';
import { call, signIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { inDesktopSession } from '../desktop-session.ts';
import { atMost, figure, median, type Row, report } from '../report.ts';
import { FRAMES, type Frames, scrollFrames } from '../scroll-frames.ts';

const ROWS = 5000;
const COLUMNS = 12;
const SCROLLER = '[role="dialog"] [role="grid"] > [role="presentation"]';
const PIXELS_PER_FRAME = 290;
const KEYS = 60;

await inDesktopSession(run);

async function run(): Promise<void> {
  const model = modelRows();
  const service = await startService({ seed: `bulk:${ROWS}:20` });
  const desktop = await launchApp({ size: { width: 1280, height: 800 } });
  const page = desktop.window;
  try {
    const { id: siteId } = await signIn(desktop, service);
    await whenCopied(page, siteId);
    const openMs = await openTable(page);
    const narrow = await scrollFrames(page, SCROLLER, PIXELS_PER_FRAME);
    await showAllColumns(page);
    const scrolling = await scrollFrames(page, SCROLLER, PIXELS_PER_FRAME);
    await page.keyboard.press('Control+Home');
    const moves = await paintedAfter(page, ['ArrowDown']);
    const typed = await paintedAfter(page, ['a']);
    await page.keyboard.press('Escape');
    const commits = await paintedAfter(page, ['b', 'Enter']);
    await page.keyboard.press('Control+Home');
    const lines = Array.from(
      { length: ROWS },
      (_, row) => `Title ${row}\tAda ${row}\t<p>Text ${row}</p>\tone|two ${row}`,
    );
    await desktop.app.evaluate(({ clipboard }, text) => clipboard.writeText(text), lines.join('\r\n'));
    const pasted = await paintedAfter(page, ['Control+v'], 1);
    const elements = await page.evaluate(() => document.querySelectorAll('[role="dialog"] [role="grid"] *').length);
    const columns = await page.locator('[role="dialog"] [role="grid"] [role="columnheader"]').count();

    const opened = desktop.app.waitForEvent('window');
    await desktop.app.evaluate(({ BrowserWindow }) => {
      const body = '<title>plain</title><textarea autofocus></textarea><div style="height:200000px">';
      void new BrowserWindow({ width: 1280, height: 800 }).loadURL(`data:text/html,${body}`);
    });
    const plain = await opened;
    await plain.waitForLoadState();
    const empty = await scrollFrames(plain, 'html', PIXELS_PER_FRAME);
    await plain.locator('textarea').focus();
    const plainKeys = await paintedAfter(plain, ['a']);
    report({
      scenario: 'grid-5000',
      about: `${ROWS} rows; the model with ${COLUMNS} columns, the built app at 1280×800 with ${columns - 1} columns of items`,
      rows: [
        ...model,
        figure('table of 5,000 items, from the command to its rows', openMs, 'ms'),
        ...framesOf(scrolling),
        figure('the same with the 7 columns that are shown at first, p95', narrow.p95, 'ms', 1),
        figure('frame of an empty page that scrolls, p95', empty.p95, 'ms', 1),
        atMost('arrow key until painted, p95', p95(moves), 50, 'ms', 1),
        atMost('first letter in a cell until painted, p95', p95(typed), 50, 'ms', 1),
        atMost('letter and Enter until painted, p95', p95(commits), 100, 'ms', 1),
        figure('letter in an empty page until painted, p95', p95(plainKeys), 'ms', 1),
        atMost('paste of 5,000 × 4 cells until painted', median(pasted), 1000, 'ms'),
        atMost('elements of the grid', elements, 1000, ''),
      ],
    });
  } finally {
    await desktop.close();
    await service.stop();
  }
}

/** Measures the model alone, with 60,000 cells. */
function modelRows(): Row[] {
  const columns = Array.from({ length: COLUMNS }, (_, at): GridColumn => {
    return { key: `c${at}`, label: `C${at}`, width: 100, kind: at === 2 ? 'multiline' : 'text' };
  });
  const base = Array.from({ length: ROWS }, (_, row) => ({
    id: String(row),
    cells: columns.map((_, column) => `Text ${row} ${column}`),
  }));
  const grid = createGrid(columns, base);
  const text = copyCells(
    selectAllCells(
      createGrid(
        columns,
        base.map((row) => ({ ...row, cells: row.cells.map((cell) => `${cell} new`) })),
      ),
    ),
  );
  const pasted = paste(grid, readClipboard(text));
  const search = { find: 'text', matchCase: false, inSelection: false };
  const times = (work: () => unknown) => median(Array.from({ length: 9 }, () => timed(work)));
  return [
    atMost(
      'model: paste of 5,000 × 12 cells',
      times(() => paste(grid, readClipboard(text))),
      250,
      'ms',
      1,
    ),
    atMost(
      'model: undo of this paste',
      times(() => undo(pasted)),
      100,
      'ms',
      1,
    ),
    atMost(
      'model: one cell',
      times(() => setCell(pasted, { row: 2500, column: 5 }, 'x')),
      1,
      'ms',
      2,
    ),
    atMost(
      'model: preview of a replacement in all cells',
      times(() => previewReplace(grid, search, 'x', 4)),
      250,
      'ms',
      1,
    ),
  ];
}

function timed(work: () => unknown): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

function framesOf({ p50, p95: slow, longest }: Frames): Row[] {
  return [
    atMost(`frame while the table scrolls, p95 of ${FRAMES}`, slow, 16.7, 'ms', 1),
    figure('frame while the table scrolls, p50', p50, 'ms', 1),
    figure('frame while the table scrolls, longest', longest, 'ms', 1),
  ];
}

function p95(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

/** A page that notes for each key how long it took until the frame after it was painted. */
interface NotingPage {
  paintTimes?: number[];
}

/** Presses keys again and again. Returns the milliseconds from the last key of each round until it was painted, as the page sees them. */
async function paintedAfter(page: Page, keys: readonly string[], rounds = KEYS): Promise<number[]> {
  await page.evaluate(() => {
    const noting = globalThis as NotingPage;
    if (noting.paintTimes !== undefined) return;
    noting.paintTimes = [];
    const note = ({ key }: KeyboardEvent) => {
      if (key === 'Control') return;
      const from = performance.now();
      requestAnimationFrame(() => {
        // A message that is sent in a frame arrives after the frame is painted.
        const channel = new MessageChannel();
        channel.port1.onmessage = () => noting.paintTimes?.push(performance.now() - from);
        channel.port2.postMessage(null);
      });
    };
    window.addEventListener('keydown', note, true);
  });
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.evaluate(() => {
      (globalThis as NotingPage).paintTimes = [];
    });
    for (const key of keys) await page.keyboard.press(key);
    const last = await page.waitForFunction(
      (count) => (globalThis as NotingPage).paintTimes?.[count - 1],
      keys.length,
      { timeout: 15_000 },
    );
    times.push((await last.jsonValue()) ?? Number.NaN);
  }
  return times;
}

/** Opens all items as a table by keyboard. */
async function openTable(page: Page): Promise<number> {
  const list = page.locator('main [role="grid"]');
  await list.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
  await page.keyboard.type('Selected items: Edit as a table');
  await page.getByRole('option', { name: 'Edit as a table' }).first().waitFor();
  const from = performance.now();
  await page.keyboard.press('Enter');
  await page.locator('[data-cell-input]').waitFor({ state: 'attached' });
  return performance.now() - from;
}

/** Chooses the columns that are not shown at first. */
async function showAllColumns(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Columns' }).last().click();
  const hidden = page.locator('[role="menuitemcheckbox"][aria-checked="false"]');
  for (let left = await hidden.count(); left > 0; left -= 1) {
    await hidden.first().click();
    await hidden.nth(left - 1).waitFor({ state: 'detached' });
  }
  await page.keyboard.press('Escape');
  await page.locator('[data-cell-input]').focus();
}

/** Waits until the app has its copy of the whole library. */
async function whenCopied(page: Page, siteId: string): Promise<void> {
  const deadline = performance.now() + 300_000;
  for (;;) {
    const reply = await call(page, 'library.syncStatus', { siteId });
    if (reply.ok && reply.value.phase === 'ready') return;
    if (performance.now() > deadline) throw new Error('The library was not copied in time.');
    await page.waitForTimeout(500);
  }
}
