// Recordings that play while their signed addresses expire and their connections are lost: the real player and service.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { requestsOf } from '../../helpers/service/journal.ts';

/** The time in seconds for which an address of the window is valid. */
const TTL_S = 300;
const SECONDS = 60;

let opened: SignedInApp;
let page: Page;
let config: string;
/** The paths of the recordings in the API, by the title of their items. */
const recordings: Record<string, string> = {};

/** Creates a film of noise of about 30 MB: neither the player nor the connection holds all of it. */
function film(folder: string): Buffer {
  const path = join(folder, 'film.mp4');
  const source = ['-f', 'lavfi', '-i', 'color=gray:size=320x180:rate=10,noise=alls=100:allf=t'];
  const coding = ['-t', `${SECONDS}`, '-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '8', '-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, ...coding, '-movflags', '+faststart', path]);
  return readFileSync(path);
}

beforeAll(async () => {
  config = join(mkdtempSync(join(tmpdir(), 'mediadesk-config-')), 'service.json');
  writeFileSync(config, '{}');
  opened = await openSignedInApp({
    // Without tools for media the service makes no encodings.
    service: { env: { PATH: '' }, config },
    prepare: async ({ folder, direct }) => {
      const bytes = film(folder);
      expect(bytes.length).toBeGreaterThan(20_000_000);
      for (const title of ['Played lecture', 'Paused lecture']) {
        const item = await direct.createItem(title);
        recordings[title] = await direct.upload(item, `${title}.mp4`, bytes);
        await direct.processed(recordings[title]);
      }
    },
  });
  ({ page } = opened);
});
afterAll(async () => {
  await opened?.close();
  rmSync(dirname(config), { recursive: true, force: true });
});

const video = () => page.locator('video');
const timeOf = () => video().evaluate((element: HTMLVideoElement) => element.currentTime);
const player = (title: string) => page.getByRole('dialog', { name: title });

async function play(title: string): Promise<void> {
  await page.getByRole('row').filter({ hasText: title }).first().click();
  await page.getByRole('heading', { name: title }).waitFor();
  await page.getByRole('tab', { name: /^Files/ }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(timeOf).toBeGreaterThan(0.5);
}

/** Returns the status of each answer to a request for stored content since the start of the service. */
const answers = async () => (await requestsOf(opened.service, 'GET', /^\/cdn\//)).map(({ status }) => status);

/**
 * Lets the address in use expire, then kills the service and starts it again: all connections end, and `faults` decide how it
 * answers requests for content.
 */
async function expire(title: string, faults: readonly object[]): Promise<void> {
  const { service, direct } = opened;
  // An address that is signed now expires later than that of the player.
  const { body } = await direct.get(`${recordings[title]}/content?json=1&ttl=${TTL_S}`);
  expect((await fetch(body.location, { method: 'HEAD' })).status).toBe(200);
  const { clock_offset_ms } = await service.control<{ clock_offset_ms: number }>('GET', '/settings');
  await service.control('PATCH', '/settings', { clock_offset_ms: clock_offset_ms + (TTL_S + 1) * 1000 });
  expect((await fetch(body.location, { method: 'HEAD' })).status).toBe(403);
  writeFileSync(config, JSON.stringify({ faults }));
  await service.kill9();
  await service.restart();
}

describe('a recording whose signed address expires', () => {
  it('continues to play with a new address, without a reload and without a jump', async () => {
    await play('Played lecture');
    await video().evaluate((element: HTMLVideoElement) => {
      Object.assign(globalThis, { breaks: [] });
      for (const name of ['seeking', 'emptied', 'error']) {
        element.addEventListener(name, () => (globalThis as unknown as { breaks: string[] }).breaks.push(name));
      }
    });
    const at = await timeOf();
    // The first address is refused, like an address that expires before the request arrives.
    await expire('Played lecture', [{ path: '^/cdn/', times: 1, action: { kind: 'status', status: 403 } }]);
    await video().evaluate((element: HTMLVideoElement) => {
      element.playbackRate = 8;
    });
    await expect.poll(timeOf, { timeout: 300_000 }).toBeGreaterThan(SECONDS - 2);
    expect(at).toBeLessThan(SECONDS / 2);
    expect(await page.evaluate(() => (globalThis as unknown as { breaks: string[] }).breaks)).toEqual([]);
    expect(await page.getByRole('alert').count()).toBe(0);
    const [refused, ...others] = await answers();
    expect(refused).toBe(403);
    expect(others.length).toBeGreaterThan(0);
    expect(new Set(others)).toEqual(new Set([206]));
    await page.keyboard.press('Escape');
    await player('Played lecture').waitFor({ state: 'detached' });
  });

  it('continues at the same second after a pause, and after an outage with “Try again”', async () => {
    await play('Paused lecture');
    await page.keyboard.press('k');
    await player('Paused lecture').getByRole('button', { name: 'Play', exact: true }).waitFor();
    const paused = await timeOf();
    await expire('Paused lecture', [{ path: '^/cdn/', times: null, action: { kind: 'status', status: 403 } }]);
    expect(await timeOf()).toBe(paused);
    await page.keyboard.press('k');
    await video().evaluate((element: HTMLVideoElement) => {
      element.playbackRate = 8;
    });
    const alert = page.getByRole('alert').filter({ hasText: 'This file can’t be played' });
    await alert.waitFor({ timeout: 300_000 });
    const shown = () => page.getByRole('slider', { name: 'Position' }).inputValue().then(Number);
    const stoppedAt = await shown();
    expect(stoppedAt).toBeGreaterThan(paused);
    expect(stoppedAt).toBeLessThan(SECONDS - 5);
    await opened.service.control('DELETE', '/faults');
    await page.getByRole('button', { name: 'Try again' }).click();
    await video().evaluate(
      (element: HTMLVideoElement) =>
        new Promise((resolve) => element.addEventListener('playing', resolve, { once: true })),
    );
    const again = await timeOf();
    expect(again).toBeGreaterThanOrEqual(stoppedAt - 0.1);
    expect(again).toBeLessThan(stoppedAt + 2);
    await expect.poll(timeOf).toBeGreaterThan(again + 1);
    await page.keyboard.press('Escape');
  });
});
