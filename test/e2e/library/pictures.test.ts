// The size of pictures in the player, by mouse and by keyboard, in the real app with the real service.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({
    // Without tools for media the service makes no thumbnails of the large picture.
    service: { env: { PATH: '' } },
    prepare: async ({ folder, direct }) => {
      /** Makes a JPEG whose left half is blue and whose right half is red. */
      const jpeg = (width: number, height: number): Buffer => {
        const path = join(folder, `${width}.jpg`);
        const half = `color=blue:size=${width / 2}x${height}`;
        const sources = ['-f', 'lavfi', '-i', half, '-f', 'lavfi', '-i', half.replace('blue', 'red')];
        execFileSync('ffmpeg', ['-v', 'error', ...sources, '-filter_complex', 'hstack', '-frames:v', '1', path]);
        return readFileSync(path);
      };
      const picture = await direct.createItem('Picture');
      await direct.processed(await direct.upload(picture, 'picture.jpg', jpeg(2400, 1600)));
      const large = await direct.createItem('Large scan');
      await direct.processed(await direct.upload(large, 'large.jpg', jpeg(12_000, 8500)));
    },
  });
  page = opened.page;
  await row('Picture').waitFor();
});
afterAll(() => opened?.close());
afterEach(async () => {
  // The first Escape can close a tooltip.
  for (let presses = 0; presses < 4 && (await page.getByRole('dialog').count()) > 0; presses += 1) {
    await page.keyboard.press('Escape');
  }
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

const row = (title: string) => page.getByRole('grid', { name: 'Items' }).getByRole('row').filter({ hasText: title });
const dialog = (title: string) => page.getByRole('dialog', { name: title });
const image = (title: string) => dialog(title).getByRole('img', { name: `Picture of ${title}` });
const percent = () =>
  page
    .getByRole('dialog')
    .getByText(/^[\d,]+ %$/)
    .textContent();
const soon = <T>(read: () => Promise<T> | T) => expect.poll(read, { timeout: 60_000 });
/** The scroll position of the picture, and whether it can be scrolled. */
const scroll = () =>
  page.locator('[role="dialog"] [data-zoomed]').evaluate(({ scrollLeft: x, scrollTop: y }) => ({ x, y }));

async function show(title: string): Promise<void> {
  await row(title).dblclick();
  await image(title).waitFor();
  await soon(percent).not.toBe('');
}

describe('a picture', () => {
  it('gets larger and smaller with + and −, fits with 0 and has its own size with 1', async () => {
    await show('Picture');
    const width = () => image('Picture').evaluate((element) => element.getBoundingClientRect().width);
    const fitting = await percent();
    const fittingWidth = await width();
    expect(await page.locator('[data-zoomed]').count()).toBe(0);
    await page.keyboard.press('1');
    await soon(percent).toBe('100 %');
    expect(await width()).toBe(2400);
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await page.keyboard.press('+');
    await soon(percent).toBe('150 %');
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    await soon(percent).toBe('75 %');
    await page.keyboard.press('0');
    await soon(percent).toBe(fitting);
    expect(await width()).toBe(fittingWidth);
    for (let steps = 0; steps < 12; steps += 1) await page.keyboard.press('+');
    await soon(percent).toBe('800 %');
    expect(await dialog('Picture').getByRole('button', { name: 'Larger' }).isDisabled()).toBe(true);
  });

  it('moves with the arrow keys while it is larger than its place, and otherwise these show the next item', async () => {
    await show('Picture');
    await page.keyboard.press('1');
    await soon(percent).toBe('100 %');
    const before = await scroll();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await soon(scroll).toEqual({ x: before.x + 80, y: before.y + 80 });
    await dialog('Picture').waitFor();
    await page.keyboard.press('0');
    await soon(() => page.locator('[data-zoomed]').count()).toBe(0);
    await page.keyboard.press('ArrowLeft');
    await dialog('Large scan').waitFor();
  });

  it('gets larger at the pointer with the wheel and a double-click, and moves with a drag', async () => {
    await show('Picture');
    const place = await image('Picture').locator('..').boundingBox();
    if (place === null) throw new Error('The picture has no place.');
    const at = { x: place.x + 200, y: place.y + 150 };
    await page.mouse.move(at.x, at.y);
    /** The point of the picture under the pointer, as a part of its width and height. */
    const under = () =>
      image('Picture').evaluate((element, point) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return [(point.x - left) / width, (point.y - top) / height];
      }, at);
    await page.mouse.wheel(0, -120);
    await soon(() => page.locator('[data-zoomed]').count()).toBe(1);
    await page.keyboard.press('1');
    await soon(percent).toBe('100 %');
    const [x = 0, y = 0] = await under();
    for (let turns = 0; turns < 3; turns += 1) await page.mouse.wheel(0, -120);
    await soon(percent).toBe('205 %');
    await soon(async () => Math.abs(((await under())[0] ?? 0) - x) < 0.01).toBe(true);
    expect(Math.abs(((await under())[1] ?? 0) - y)).toBeLessThan(0.01);
    await page.mouse.dblclick(at.x, at.y);
    await soon(() => page.locator('[data-zoomed]').count()).toBe(0);
    await page.mouse.dblclick(at.x, at.y);
    await soon(percent).toBe('100 %');
    const before = await scroll();
    await page.mouse.down();
    await page.mouse.move(at.x - 60, at.y - 40, { steps: 4 });
    await page.mouse.up();
    await soon(scroll).toEqual({ x: before.x + 60, y: before.y + 40 });
    await dialog('Picture').getByRole('button', { name: 'Fit' }).click();
    await soon(() => page.locator('[data-zoomed]').count()).toBe(0);
    // The button is disabled now; the keys go on working.
    await soon(() =>
      page.evaluate(() => {
        const active = document.activeElement;
        return active !== document.body && active?.closest('[role="dialog"]') !== null;
      }),
    ).toBe(true);
    await page.keyboard.press('1');
    await soon(percent).toBe('100 %');
  });

  it('of 100 megapixels is drawn while the window goes on drawing, also when it gets larger and moves', async () => {
    await page.evaluate(() => {
      const seen = { longest: 0, began: performance.now(), last: performance.now() };
      const tick = () => {
        const now = performance.now();
        seen.longest = Math.max(seen.longest, now - seen.last);
        seen.last = now;
        requestAnimationFrame(tick);
      };
      Object.assign(globalThis, { seen });
      requestAnimationFrame(tick);
    });
    await show('Large scan');
    /** The colors of the canvas at a quarter and at three quarters of its width. */
    const colors = () =>
      image('Large scan').evaluate((element) => {
        const canvas = element as HTMLCanvasElement;
        const context = canvas.getContext('2d');
        return [0.25, 0.75].map((part) => {
          const [red = 0, , blue = 0] = context?.getImageData(canvas.width * part, canvas.height / 2, 1, 1).data ?? [];
          return red > 200 ? 'red' : blue > 200 ? 'blue' : 'none';
        });
      });
    await soon(colors).toEqual(['blue', 'red']);
    for (const expected of ['10 %', '25 %', '50 %', '75 %', '100 %']) {
      await page.keyboard.press('+');
      await soon(percent).toBe(expected);
      await soon(colors).toEqual(['blue', 'red']);
    }
    for (let steps = 0; steps < 20; steps += 1) await page.keyboard.press('ArrowRight');
    await soon(colors).toEqual(['red', 'red']);
    await page.keyboard.press('0');
    await soon(colors).toEqual(['blue', 'red']);
    // An element for the picture stops the window for many seconds at almost every step. The limit is a share of all steps, because
    // they take longer on a slow machine.
    const { longest, all } = await page.evaluate(() => {
      const { seen } = globalThis as unknown as { seen: { longest: number; began: number } };
      return { longest: seen.longest, all: performance.now() - seen.began };
    });
    expect(longest).toBeLessThan(Math.max(3000, all / 3));
    // The check itself stops the window.
    expect(await axeFindingsInThemes(page)).toEqual([]);
  });
});
