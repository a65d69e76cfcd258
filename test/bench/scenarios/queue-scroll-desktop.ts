// 100,000 rows in the list of uploads of the built app, scrolled while four transfers run. For comparison: an empty page and a
// plain list of text on the same computer, because a computer without a graphics card paints with its processor.
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { launchApp } from '../../helpers/desktop/desktop-app.ts';
import { call, signIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { inDesktopSession } from '../desktop-session.ts';
import { isQuick, MIB } from '../peers.ts';
import { atMost, figure, report } from '../report.ts';
import { FRAMES, measureScroll } from '../scroll-frames.ts';
import { makeSmallFiles } from '../small-files.ts';

const rowCount = isQuick ? 10_000 : 100_000;
const TRANSFERS = 4;
/**
 * The limit of all transfers together: slow enough that the four are not complete before the end of the measurement, and fast
 * enough that none takes longer than a library waits for a file, because fewer would be sent at a time then.
 */
const LIMIT_BYTES_PER_SECOND = 2_000_000;
/** Half a page per frame: every frame brings new rows. */
const PIXELS_PER_FRAME = 290;
const LIST = '[role="treegrid"] [role="rowgroup"]';
const LOADING = '[aria-busy="true"]';

await inDesktopSession(run);

async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mediadesk-scroll-'));
  const small = makeSmallFiles(rowCount, 16);
  const service = await startService();
  const desktop = await launchApp({ size: { width: 1280, height: 800 } });
  try {
    const { id: siteId } = await signIn(desktop, service);
    const ask = async <N extends Parameters<typeof call>[1]>(name: N, input: Parameters<typeof call>[2]) => {
      const reply = await call(desktop.window, name, input);
      if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.error)}`);
      return reply.value;
    };
    const [top] = await ask('library.collections', { siteId, parentId: null });
    const collection = { siteId, parentId: top?.id ?? '', displayName: 'Bench', isPodcast: false };
    const { id: collectionId } = await ask('library.createCollection', collection);
    await ask('settings.set', { patch: { limitBytesPerSecond: LIMIT_BYTES_PER_SECOND, parallelTransfers: TRANSFERS } });
    const large: string[] = [];
    for (let index = 0; index < TRANSFERS; index += 1) {
      const path = join(folder, `large-${index}.bin`);
      await writeFile(path, String(index));
      await truncate(path, 200 * MIB);
      large.push(path);
    }
    await ask('uploads.pause', { kind: 'all' });
    await ask('uploads.add', { siteId, collectionId, paths: large });
    await ask('uploads.add', { siteId, collectionId, paths: [small.folder] });
    await ask('uploads.resume', { kind: 'all' });
    await untilSending(desktop.window);

    await desktop.window.getByRole('navigation').getByRole('button', { name: 'Uploads' }).click();
    await desktop.window.locator('[data-upload-id]').first().waitFor();
    const list = await measureScroll(desktop.window, LIST, PIXELS_PER_FRAME, LOADING);
    const { counts } = (await ask('uploads.totals', null)) as { counts: { sending: number } };
    if (counts.sending !== TRANSFERS) {
      const { rows } = (await ask('uploads.list', { filter: 'all', batchId: null, offset: 0, limit: TRANSFERS })) as {
        rows: { state: string; error: { code: string } | null }[];
      };
      const states = rows.map(({ state, error }) => `${state} ${error?.code ?? ''}`.trim()).join(', ');
      throw new Error(`${counts.sending} transfers ran, not ${TRANSFERS}: ${states}`);
    }
    const still = await measureScroll(desktop.window, LIST, 0, LOADING);

    const opened = desktop.app.waitForEvent('window');
    await desktop.app.evaluate(({ BrowserWindow }) => {
      void new BrowserWindow({ width: 1280, height: 800 }).loadURL('data:text/html,<title>plain</title><body>');
    });
    const plain = await opened;
    await plain.waitForLoadState();
    const empty = await measureScroll(plain, 'html', 0);
    await plain.evaluate(() => {
      document.body.style.margin = '0';
      for (let index = 0; index < 4000; index += 1) {
        const row = document.createElement('div');
        row.style.cssText = 'height:58px;border-bottom:1px solid #ddd;font:13px sans-serif;contain:strict';
        row.textContent = `Row ${index}`;
        document.body.append(row);
      }
    });
    const text = await measureScroll(plain, 'html', PIXELS_PER_FRAME);
    report({
      scenario: 'queue-scroll-desktop',
      about: `${rowCount} queue rows in the built app, ${TRANSFERS} transfers running, ${FRAMES} frames`,
      rows: [
        atMost('frame while the list scrolls, p95', list.p95, 16.7, 'ms', 1),
        figure('frame while the list scrolls, p50', list.p50, 'ms', 1),
        figure('frame while the list scrolls, longest', list.longest, 'ms', 1),
        atMost('elements in the window', list.elements, 1000, '', 0),
        figure('processor time per frame while the list scrolls', list.work, 'ms', 1),
        figure('processor time per frame of the plain list', text.work, 'ms', 1),
        figure('frames with rows that were not loaded yet', (100 * list.placeholders) / FRAMES, '%', 1),
        figure('frame while the list is idle, p95', still.p95, 'ms', 1),
        figure('frame of an empty page beside it, p95', empty.p95, 'ms', 1),
        figure('frame of a plain list of text that scrolls, p95', text.p95, 'ms', 1),
      ],
    });
  } finally {
    await desktop.close();
    await service.stop();
    small.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits until all transfers run. */
async function untilSending(page: Page): Promise<void> {
  await page.waitForFunction(
    async (wanted) => {
      const { mediadesk } = globalThis as unknown as {
        mediadesk: { call(name: string, input: null): Promise<{ value: { counts: { sending: number } } }> };
      };
      return (await mediadesk.call('uploads.totals', null)).value.counts.sending === wanted;
    },
    TRANSFERS,
    { timeout: 60_000, polling: 500 },
  );
}
