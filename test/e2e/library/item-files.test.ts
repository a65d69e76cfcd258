// The files of items in the inspector: playing, showing and changing them, in the real app with the real service.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { answerNativeDialogs, runInPalette } from '../../helpers/desktop/window-actions.ts';
import { requestsOf } from '../../helpers/service/journal.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';
import { pdf, png, srt } from '../../helpers/service/service-samples.ts';

let opened: SignedInApp;
let folder: string;
let service: ServiceProcess;
let desktop: DesktopApp;
let direct: ServiceClient;
let page: Page;

/** Creates a film of 60 seconds with sound, large enough that a player doesn't load it completely at the start. */
function film(): Buffer {
  const path = join(folder, 'film.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10', '-f', 'lavfi', '-i', 'sine=frequency=300'];
  const coding = ['-t', '60', '-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '400k', '-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, ...coding, '-c:a', 'aac', '-movflags', '+faststart', path]);
  return readFileSync(path);
}

beforeAll(async () => {
  opened = await openSignedInApp({
    // Without tools for media the service makes no encodings, which would take minutes on a busy machine.
    service: { env: { PATH: '' } },
    prepare: async (library) => {
      ({ folder, direct } = library);
      const lecture = await direct.createItem('Lecture on optics');
      const bytes = film();
      const recording = await direct.upload(lecture, 'optics.mp4', bytes);
      await direct.processed(recording);
      const encoded_from_id = recording.split('/').at(-1);
      await direct.processed(await direct.upload(lecture, 'optics.de.srt', Buffer.from(srt), { encoded_from_id }));
      // A player keeps loaded data, so each test of lost connections has a separate recording.
      for (const title of ['Cut lecture', 'Lost lecture']) {
        const item = await direct.createItem(title);
        await direct.processed(await direct.upload(item, `${title}.mp4`, bytes));
      }
      const paper = await direct.createItem('Paper on optics');
      await direct.processed(await direct.upload(paper, 'paper.pdf', pdf()));
      const picture = await direct.createItem('Picture of a lens');
      await direct.processed(await direct.upload(picture, 'lens.png', png(1200, 800)));
      const elsewhere = await direct.createItem('Film of another site');
      await direct.post(`${elsewhere}/files`, {
        upload_name: 'Foreign film',
        upload_size: 0,
        upload_type: 'video',
        embed_url: 'https://video.example.org/watch?v=1',
      });
    },
  });
  ({ service, desktop, page } = opened);
});
afterAll(() => opened?.close());

// A test that fails with an open dialog must not fail the others.
afterEach(async () => {
  await service.control('DELETE', '/faults');
  for (let open = await page.getByRole('dialog').count(); open > 0; open -= 1) await page.keyboard.press('Escape');
});

const player = (title: string) => page.getByRole('dialog', { name: title });
const position = () => page.getByRole('slider', { name: 'Position' });
const video = () => page.locator('video');
const timeOf = () => video().evaluate((element: HTMLVideoElement) => element.currentTime);

/** Polls with a long timeout, because a player on a busy machine needs some time for its first picture. */
const soon = <T>(read: () => Promise<T> | T, timeout = 10_000) => expect.poll(read, { timeout });

/** Returns the number of white pixels in the window of a document. */
function whitePixelsOf({ app }: DesktopApp): Promise<number> {
  return app.evaluate(async ({ BrowserWindow }) => {
    const windows = BrowserWindow.getAllWindows();
    const shown = windows.find(({ webContents }) => webContents.getURL().startsWith('app://documents'));
    const picture = await shown?.webContents.capturePage();
    const pixels = new Uint32Array(new Uint8Array(picture?.toBitmap() ?? []).buffer);
    return pixels.filter((pixel) => pixel === 0xffffffff).length;
  });
}

/** Selects an item and opens its files. */
async function openFiles(title: string): Promise<void> {
  await page.getByRole('row').filter({ hasText: title }).first().click();
  await page.getByRole('heading', { name: title }).waitFor();
  await page.getByRole('tab', { name: /^Files/ }).click();
}

describe('the app', () => {
  it('plays a video by mouse and by keyboard, with captions and speed', async () => {
    await openFiles('Lecture on optics');
    await page.getByRole('list', { name: 'Files' }).getByText('optics.mp4').first().waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await player('Lecture on optics').waitFor();
    await soon(timeOf).toBeGreaterThan(0.5);
    await page.keyboard.press('k');
    await player('Lecture on optics').getByRole('button', { name: 'Play', exact: true }).waitFor();
    await position().fill('42');
    await soon(timeOf).toBeCloseTo(42, 0);
    await page.keyboard.press('j');
    await soon(timeOf).toBeCloseTo(32, 0);
    expect(await position().getAttribute('aria-valuetext')).toBe('0:32 of 1:00');
    await page.keyboard.press('>');
    await soon(() => video().evaluate((element: HTMLVideoElement) => element.playbackRate)).toBe(1.25);
    await page.keyboard.press('<');
    await soon(() => video().evaluate((element: HTMLVideoElement) => element.textTracks[0]?.cues?.length)).toBe(2);
    expect(await video().evaluate((element: HTMLVideoElement) => element.textTracks[0]?.label)).toBe('optics (German)');
    await page.keyboard.press('c');
    await soon(() => video().evaluate((element: HTMLVideoElement) => element.textTracks[0]?.mode)).toBe('disabled');
    expect(await axeFindings(page, 'all')).toEqual([]);
    await page.keyboard.press('Escape');
    await player('Lecture on optics').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Play', exact: true }).press('Enter');
    await soon(timeOf).toBeGreaterThan(0.1);
    await page.keyboard.press('Escape');
  });

  it('plays an item from the picture above its details, by mouse and by keyboard', async () => {
    await openFiles('Lecture on optics');
    await page.getByRole('tab', { name: 'Details' }).click();
    const picture = page.getByRole('button', { name: 'Play Lecture on optics' });
    await picture.click();
    await player('Lecture on optics').waitFor();
    await page.keyboard.press('Escape');
    await player('Lecture on optics').waitFor({ state: 'detached' });
    await picture.press('Enter');
    await soon(timeOf).toBeGreaterThan(0.1);
    await page.keyboard.press('Escape');
  });

  it('plays in full screen, by key and by mouse, and Escape leaves full screen before it closes the player', async () => {
    const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
    await openFiles('Lecture on optics');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await player('Lecture on optics').waitFor();
    await page.keyboard.press('f');
    await soon(isFull).toBe(true);
    await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
    await page.keyboard.press('Escape');
    await soon(isFull).toBe(false);
    await page.getByRole('button', { name: 'Full screen', exact: true }).click();
    await soon(isFull).toBe(true);
    await page.keyboard.press('Escape');
    await soon(isFull).toBe(false);
    await page.keyboard.press('Escape');
    await player('Lecture on optics').waitFor({ state: 'detached' });
  });

  it('continues a video without an error when the connection to the stored file is lost', async () => {
    await openFiles('Cut lecture');
    await service.control('POST', '/faults', {
      path: '^/cdn/',
      times: 2,
      action: { kind: 'truncate', afterBytes: 400_000 },
    });
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await soon(timeOf).toBeGreaterThan(0.2);
    await video().evaluate((element: HTMLVideoElement) => {
      element.playbackRate = 8;
    });
    await soon(timeOf, 20_000).toBeGreaterThan(15);
    const cut = (await requestsOf(service, 'GET', /^\/cdn\//)).filter(({ fault }) => fault === 'truncate');
    expect(cut.length).toBe(2);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Escape');
    await service.control('DELETE', '/faults');
  });

  it('says why a file can’t be played, and plays it with “Try again”', async () => {
    await openFiles('Lost lecture');
    await service.control('POST', '/faults', { path: '^/cdn/', times: null, action: { kind: 'status', status: 404 } });
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'This file can’t be played' });
    await alert.waitFor({ timeout: 60_000 });
    expect(await alert.textContent()).toContain('didn’t hand it out');
    // This recording has no captions in the library, which axe can't know.
    const findings = await axeFindings(page, 'all');
    expect(findings.filter((finding) => !finding.startsWith('review video-caption'))).toEqual([]);
    await service.control('DELETE', '/faults');
    await page.getByRole('button', { name: 'Try again' }).click();
    await soon(timeOf).toBeGreaterThan(0.2);
    await page.keyboard.press('Escape');
  });

  it('shows a picture in the player', async () => {
    await openFiles('Picture of a lens');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const picture = player('Picture of a lens').getByRole('img', { name: 'Picture of Picture of a lens' });
    await soon(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200);
    expect(await axeFindings(page, 'all')).toEqual([]);
    await player('Picture of a lens').getByRole('button', { name: 'Close' }).click();
    await player('Picture of a lens').waitFor({ state: 'detached' });
  });

  it('shows a PDF in a window that can’t reach the engine', async () => {
    await openFiles('Paper on optics');
    const opened = desktop.app.waitForEvent('window');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const paper = await opened;
    await soon(() => paper.url()).toMatch(/^app:\/\/documents\/content\/document\//);
    expect(await paper.evaluate(() => 'mediadesk' in globalThis)).toBe(false);
    await soon(() => paper.evaluate(() => document.contentType)).toBe('application/pdf');
    // The viewer, which is a separate frame, has painted the page. Screenshots slow the viewer down, so the test takes only a
    // few.
    await expect.poll(() => whitePixelsOf(desktop), { timeout: 60_000, interval: 1500 }).toBeGreaterThan(100_000);
    await paper.close();
  });

  it('deletes a file after a confirmation', async () => {
    const item = await direct.createItem('Item with two files');
    await direct.processed(await direct.upload(item, 'keep.png', png()));
    await direct.processed(await direct.upload(item, 'remove.png', png(80, 60)));
    await page.keyboard.press('F5');
    await openFiles('Item with two files');
    await page.getByRole('button', { name: 'More for remove.png' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await page.getByRole('button', { name: 'Delete file' }).click();
    await page.getByText('remove.png', { exact: true }).waitFor({ state: 'detached' });
    const { body } = await direct.get(`${item}/files`);
    expect(body.items.map((file: { display_name: string }) => file.display_name)).toEqual(['keep.png']);
  });

  it('downloads a file by mouse and all files of an item by keyboard', async () => {
    const to = join(folder, 'downloads');
    mkdirSync(to);
    // Replaces the user's choice in the picker of the system.
    await desktop.app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    }, to);
    await openFiles('Lecture on optics');
    await page.getByRole('button', { name: 'More for optics.mp4' }).click();
    await page.getByRole('menuitem', { name: 'Download…' }).click();
    const list = page.getByRole('list', { name: 'Downloads' });
    await list.getByText(/^Downloaded · /).waitFor();
    await page.getByRole('button', { name: 'Download', exact: true }).press('Enter');
    await soon(() => readdirSync(to).sort()).toEqual(['optics (2).mp4', 'optics.de.srt', 'optics.mp4']);
    expect(readFileSync(join(to, 'optics.mp4'))).toEqual(readFileSync(join(folder, 'film.mp4')));
    expect(await axeFindings(page, 'all')).toEqual([]);
    await soon(() => list.getByText(/^Downloaded · /).count()).toBe(3);
    // Other items don't show downloads that have ended.
    await openFiles('Picture of a lens');
    await page.getByRole('heading', { name: 'Picture of a lens' }).waitFor();
    await list.waitFor({ state: 'detached' });
    await openFiles('Lecture on optics');
    await soon(() => list.getByText(/^Downloaded · /).count()).toBe(3);
    await page.getByRole('button', { name: 'Clear ended' }).click();
    await list.waitFor({ state: 'detached' });
  });

  it('downloads the files of several items by mouse and by keyboard, with their progress beside the list', async () => {
    const to = join(folder, 'several');
    mkdirSync(to);
    await answerNativeDialogs(desktop, to);
    const lecture = page.getByRole('row').filter({ hasText: 'Lecture on optics' }).first();
    await lecture.click();
    await page
      .getByRole('row')
      .filter({ hasText: 'Picture of a lens' })
      .click({ modifiers: ['Control'] });
    await lecture.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Download files…' }).click();
    const list = page.getByRole('list', { name: 'Downloads' });
    await soon(() => readdirSync(to).length).toBe(3);
    await soon(() => list.getByText(/^Downloaded · /).count()).toBe(3);
    await page.getByRole('button', { name: 'Clear ended' }).click();
    await page.getByRole('grid', { name: 'Items' }).focus();
    await runInPalette(page, 'Selected items: Download files…');
    await soon(() => readdirSync(to).length).toBe(6);
    await soon(() => list.getByText(/^Downloaded · /).count()).toBe(3);
    await page.getByRole('button', { name: 'Clear ended' }).press('Enter');
  });

  it('plays an item from its context menu by mouse, and the shown one from the palette', async () => {
    const row = page.getByRole('row').filter({ hasText: 'Lecture on optics' }).first();
    const shown = player('Lecture on optics');
    const hasKeyboard = () => soon(() => shown.evaluate((it) => it.contains(document.activeElement))).toBe(true);
    // The click selects this item alone, because one of several selected items has the menu of all of them.
    await row.click();
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Play or open' }).click();
    await hasKeyboard();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Lecture on optics' }).waitFor();
    await runInPalette(page, 'Shown item: Play or open');
    await hasKeyboard();
    await page.keyboard.press('Escape');
    // After keys, the button with the focus shows its tooltip, which the first Escape hides.
    if ((await shown.count()) > 0) await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
  });

  it('leaves no signed address in the profile or in the log', async () => {
    expect((await requestsOf(service, 'GET', /^\/cdn\//)).length).toBeGreaterThan(3);
    expect(desktop.output()).not.toContain('/cdn/');
    for (const entry of readdirSync(desktop.profileDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      // The journal of the service has no signatures, so every signed address is searched for.
      const text = readFileSync(join(entry.parentPath, entry.name), 'latin1');
      expect(text.includes('/cdn/'), entry.name).toBe(false);
    }
  });
});
