// The waveform of an hour of MP3 in the built app, beside ffmpeg, which only decodes the same file.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { inDesktopSession } from '../desktop-session.ts';
import { atMost, figure, report } from '../report.ts';

const MINUTES = 60;
const TITLE = 'An hour';

await inDesktopSession(run);

async function run(): Promise<void> {
  let file = '';
  const opened = await openSignedInApp({
    // Without tools for media the service makes no encodings.
    service: { env: { PATH: '' } },
    prepare: async ({ folder, direct }) => {
      file = join(folder, 'hour.mp3');
      writeFileSync(file, hourOfMp3(folder));
      const item = await direct.createItem(TITLE);
      await direct.processed(await direct.upload(item, 'hour.mp3', readFileSync(file)));
    },
  });
  try {
    const peerStartedAt = performance.now();
    execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-']);
    const peer = performance.now() - peerStartedAt;
    await noteTurns(opened.page);
    const before = await processorSeconds(opened);
    const computed = await openWaveform(opened.page, true);
    const turn = await lateTurn(opened.page);
    const work = (await processorSeconds(opened)) - before;
    const { page } = await opened.reopen();
    const cached = await openWaveform(page, false);
    report({
      scenario: 'waveform-desktop',
      about: `${MINUTES} minutes of MP3, 128 kbit/s, stereo; the built app at 1280×800, which plays the file meanwhile`,
      rows: [
        atMost('until the whole waveform is drawn, from the library', computed / 1000, 10, 's', 1),
        atMost('turn of the thread of the window, 99th percentile', turn, 20, 'ms', 1),
        atMost('until it is drawn after a restart, from the cache', cached, 300, 'ms', 0),
        figure('processor time of the app meanwhile, which also plays the file', work, 's', 1),
        figure('ffmpeg that only decodes the file', peer / 1000, 's', 1),
      ],
    });
  } finally {
    await opened.close();
  }
}

/** Returns the processor time that all processes of the app have used: it hardly depends on what else the computer does. */
function processorSeconds({ desktop }: SignedInApp): Promise<number> {
  return desktop.app.evaluate(({ app }) =>
    app.getAppMetrics().reduce((sum, { cpu }) => sum + (cpu.cumulativeCPUUsage ?? Number.NaN), 0),
  );
}

/** Returns an hour of MP3: a minute of frames, repeated. */
function hourOfMp3(folder: string): Buffer {
  const minute = join(folder, 'minute.mp3');
  const source = ['-f', 'lavfi', '-i', 'anoisesrc=c=pink:a=0.3:r=44100:d=60,tremolo=f=0.1:d=0.9'];
  const coding = ['-ac', '2', '-c:a', 'libmp3lame', '-b:a', '128k', '-write_xing', '0', '-id3v2_version', '0'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, ...coding, minute]);
  return Buffer.concat(Array.from({ length: MINUTES }, () => readFileSync(minute)));
}

/** Opens the item. Returns the milliseconds until its waveform is drawn; `isWhole`: until it is drawn to its end. */
async function openWaveform(page: Page, isWhole: boolean): Promise<number> {
  const row = page.getByRole('grid', { name: 'Items' }).getByRole('row').filter({ hasText: TITLE }).first();
  await row.click();
  await page.locator('[data-inspector]').getByLabel('Title', { exact: true }).waitFor();
  const drawn = page.evaluate(
    (wantsAll) =>
      new Promise<number>((resolve) => {
        let startedAt = 0;
        addEventListener('dblclick', () => (startedAt = performance.now()), { once: true, capture: true });
        const look = () => {
          const dialog = document.querySelector('[role="dialog"]');
          const isDrawn = dialog?.querySelector('canvas') != null;
          // While a part of it is read, a text says so.
          if (isDrawn && !(wantsAll && dialog?.textContent?.includes('Reading the waveform') === true)) {
            resolve(performance.now() - startedAt);
          } else requestAnimationFrame(look);
        };
        look();
      }),
    isWhole,
  );
  await row.dblclick();
  return drawn;
}

/** Begins to note how late each turn of the thread of the window is. */
async function noteTurns(page: Page): Promise<void> {
  await page.evaluate(() => {
    const late: number[] = [];
    Object.assign(globalThis, { late });
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      late.push(Math.max(0, now - last - 5));
      last = now;
    }, 5);
  });
}

/** Returns how late a turn was that 99 of 100 were not later than, in milliseconds. */
function lateTurn(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { late } = globalThis as unknown as { late: number[] };
    late.sort((one, other) => one - other);
    return late[Math.floor(late.length * 0.99)] ?? 0;
  });
}
