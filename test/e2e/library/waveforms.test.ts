// Waveforms of recordings in the real app, with the real service and files of real programs.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Worker } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask, dropFiles, openView } from '../../../build/demo/window-steps.ts';
import { contentAddress } from '../../../shared/contract/content-address.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { chooseCollectionInForm } from '../../helpers/desktop/window-actions.ts';
import { sendForm } from '../../helpers/service/service-client.ts';
import { png } from '../../helpers/service/service-samples.ts';

let opened: SignedInApp;
let folder: string;
let page: Page;
let podcastId: string;

const ffmpeg = (...options: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...options]);

/** 20 seconds: a loud tone that clips, silence from 8 to 16 seconds, and a quiet tone. */
function talk(): string {
  const path = join(folder, 'talk.wav');
  const loud = 'sine=frequency=300:sample_rate=44100:duration=8';
  const quiet = 'sine=frequency=500:sample_rate=44100:duration=4';
  const silence = 'anullsrc=r=44100:cl=mono:d=8';
  const graph = '[0]volume=40dB[a];[2]volume=-6dB[c];[a][1][c]concat=n=3:v=0:a=1';
  const inputs = [loud, silence, quiet].flatMap((source) => ['-f', 'lavfi', '-i', source]);
  ffmpeg(...inputs, '-filter_complex', graph, '-c:a', 'pcm_s16le', path);
  return path;
}

beforeAll(async () => {
  opened = await openSignedInApp({
    // Without tools for media the service makes no encodings.
    service: { env: { PATH: '' } },
    prepare: async (library) => {
      ({ folder } = library);
      const { direct } = library;
      const add = async (title: string, name: string, bytes: Buffer, fields = {}) => {
        const item = await direct.createItem(title, fields);
        await direct.processed(await direct.upload(item, name, bytes));
      };
      const wav = talk();
      const mp3 = join(folder, 'talk.mp3');
      ffmpeg('-i', wav, '-c:a', 'libmp3lame', '-q:a', '4', mp3);
      const whole = readFileSync(mp3);
      // A square picture.
      const { location } = await direct.post('/api2/collections', { parent_id: '1', display_name: 'Podcast' });
      const picture = png(300, 300);
      const size = { upload_name: 'cover.png', upload_size: picture.length };
      const { body } = await direct.post(`${location}/thumbs`, size);
      expect((await sendForm(body.upload, 'cover.png', picture)).status).toBeLessThan(300);
      podcastId = location.split('/').at(-1) ?? '';
      await add('7 Broken off', 'broken.mp3', whole);
      await add('6 Episode', 'episode.mp3', whole, { collection_id: podcastId });
      await add('5 Slow', 'slow.mp3', whole);
      await add('4 Never opened', 'never.mp3', whole);
      await add('3 Cut off', 'cut.mp3', whole.subarray(0, Math.round(whole.length * 0.4)));
      await add('2 Other talk', 'talk.wav', readFileSync(wav));
      await add('1 Talk', 'talk.mp3', whole);
    },
  });
  ({ page } = opened);
});
afterAll(() => opened?.close());
afterEach(async () => {
  await opened.service.control('DELETE', '/faults');
  for (let presses = 0; presses < 4 && (await page.getByRole('dialog').count()) > 0; presses += 1) {
    await page.keyboard.press('Escape');
  }
});

const soon = <T>(read: () => Promise<T> | T, timeout = 30_000) => expect.poll(read, { timeout });
const grid = () => page.getByRole('grid', { name: 'Items' });
const position = () => page.getByRole('slider', { name: 'Position' });
const timeOf = () => page.locator('video').evaluate((element: HTMLVideoElement) => element.currentTime);

/** What the library does from now on with each request for the bytes of a file, until the end of the test. */
const failFiles = (action: object) =>
  opened.service.control('POST', '/faults', { path: '^/cdn/', times: null, action });

const waveform = () => page.getByRole('dialog').locator('canvas').first();
const next = () => page.getByRole('dialog').getByRole('button', { name: 'Next item' }).click();

/** Returns the identifiers of the item with this title. */
async function refOf(title: string): Promise<{ siteId: string; mediaId: string }> {
  const { body } = await opened.direct.get('/api2/media');
  const mediaId = body.items.find((item: { title: string }) => item.title === title)?.id ?? 'none';
  const [site] = await ask<{ id: string }[]>(page, 'sites.list', null);
  return { siteId: site?.id ?? '', mediaId };
}

async function open(title: string): Promise<void> {
  await grid().getByRole('row').filter({ hasText: title }).first().dblclick();
  await page.getByRole('dialog', { name: title }).waitFor();
}

/** Returns the color of a pixel of the waveform, at a part of its width and in the middle of its height. */
const colorAt = (layer: number, share: number) =>
  page
    .getByRole('dialog')
    .locator('canvas')
    .nth(layer)
    .evaluate((element, at) => {
      const canvas = element as HTMLCanvasElement;
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      const scale = canvas.width / canvas.clientWidth;
      // A bar begins at each third pixel.
      const x = Math.floor((canvas.clientWidth * at) / 3) * 3;
      return [...context.getImageData(Math.floor((x + 0.5) * scale), Math.floor(canvas.height / 2), 1, 1).data].join(
        ' ',
      );
    }, share);

describe('the player', () => {
  it('draws the waveform of a recording, and names its silences and its clipped sound', async () => {
    await open('1 Talk');
    await page.getByText('1 long silence · Clipped sound is marked').waitFor();
    const [clipped, silence, quiet] = [await colorAt(0, 0.2), await colorAt(0, 0.6), await colorAt(0, 0.9)];
    expect(new Set([clipped, silence, quiet, '0 0 0 0']).size).toBe(4);
    expect(await colorAt(1, 0.2)).not.toBe(clipped);
    expect(await colorAt(1, 0.9)).not.toBe(quiet);
    // A recording without captions is one for axe, too.
    const findings = await axeFindingsInThemes(page);
    expect(findings.filter((finding) => !finding.includes('video-caption'))).toEqual([]);
  });

  it('changes the colors of the waveform with the theme, and uses those of the system in high contrast', async () => {
    await open('1 Talk');
    await waveform().waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    const light = '169 167 161 255';
    await soon(() => colorAt(0, 0.9)).toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await soon(() => colorAt(0, 0.9)).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    await soon(() => colorAt(0, 0.9)).toBe('0 0 0 255');
    await page.emulateMedia({ colorScheme: null, forcedColors: null });
  });

  it('jumps to the place that is clicked on the waveform, follows a drag, and moves with the arrow keys', async () => {
    await open('1 Talk');
    await waveform().waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const box = (await waveform().boundingBox()) as { x: number; y: number; width: number; height: number };
    const pointAt = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const;
    await page.mouse.click(...pointAt(0.5));
    await soon(timeOf).toBeCloseTo(10, 0);
    await page.mouse.move(...pointAt(0.5));
    await page.mouse.down();
    for (const share of [0.55, 0.6, 0.75]) await page.mouse.move(...pointAt(share));
    await soon(timeOf).toBeCloseTo(15, 0);
    await page.mouse.up();
    expect(Math.abs((await timeOf()) - 15)).toBeLessThan(0.2);
    await position().focus();
    await page.keyboard.press('ArrowLeft');
    await soon(timeOf).toBeCloseTo(10, 0);
    expect(await position().getAttribute('aria-valuetext')).toBe('0:10 of 0:20');
  });

  it('moves the position in every frame while the recording plays', async () => {
    await open('1 Talk');
    await waveform().waitFor();
    await soon(timeOf).toBeGreaterThan(0.3);
    const places = await page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const played = document.querySelectorAll('[role="dialog"] canvas')[1]?.parentElement as HTMLElement;
          const found: string[] = [];
          const look = () => {
            found.push(played.style.clipPath);
            if (found.length < 30) requestAnimationFrame(look);
            else resolve(found);
          };
          look();
        }),
    );
    // The position of the element itself is reported four times per second.
    expect(new Set(places).size).toBeGreaterThan(10);
  });

  it('shows the stored waveform again without reading the file a second time', async () => {
    await open('2 Other talk');
    await page.getByText('1 long silence').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    ({ page } = await opened.reopen());
    await grid().getByRole('row').filter({ hasText: '2 Other talk' }).first().waitFor();
    await failFiles({ kind: 'status', status: 503 });
    await open('2 Other talk');
    await page.getByText('1 long silence').waitFor();
  });

  it('shows how much of a damaged recording the waveform covers', async () => {
    await open('3 Cut off');
    await page.getByText(/Waveform of the first 0:\d\d only: the file is damaged or incomplete/).waitFor();
  });

  it('says why there is no waveform, and tries again only when the item is opened again', async () => {
    await failFiles({ kind: 'status', status: 503 });
    await open('4 Never opened');
    await page.getByText('No waveform: the file couldn’t be read from the library.').waitFor();
    await soon(() => page.workers().length).toBe(0);
    await opened.service.control('DELETE', '/faults');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await open('4 Never opened');
    await page.getByText('Clipped sound is marked').waitFor();
  });

  it('reads a waveform again whose connection broke after the head, when the item is opened again', async () => {
    await failFiles({ kind: 'truncate', afterBytes: 0 });
    await open('7 Broken off');
    await page.getByText('No waveform: the file couldn’t be read from the library.').waitFor();
    expect(await isStored('7 Broken off')).toBe(false);
    await opened.service.control('DELETE', '/faults');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await open('7 Broken off');
    await page.getByText('1 long silence · Clipped sound is marked').waitFor();
  });

  it('has a worker that ends its requests at its time limit, and says nothing about the file', async () => {
    await failFiles({ kind: 'delay', ms: 300_000 });
    const { siteId, mediaId } = await refOf('5 Slow');
    const { files } = await ask<{ files: { id: string }[] }>(page, 'library.media', { siteId, mediaId });
    const address = contentAddress({ kind: 'media', siteId, mediaId, fileId: files[0]?.id ?? '' });
    const report = await page.evaluate(
      (from) =>
        new Promise<unknown>((resolve, reject) => {
          const worker = new Worker('/assets/waveform-worker.js', { type: 'module' });
          worker.addEventListener('error', () => reject(new Error('the worker failed')));
          worker.addEventListener('message', ({ data }) => {
            worker.terminate();
            resolve(data);
          });
          const limits = { bytes: 1e9, seconds: 1e5, ms: 500 };
          worker.postMessage({ source: { address: from }, limits, knownSeconds: 20 });
        }),
      address,
    );
    expect(report).toEqual({ kind: 'end', result: { kind: 'none', reason: 'unreachable' }, receivedBytes: 0 });
  });

  it('ends the reading when the user goes to the next item', async () => {
    await open('1 Talk');
    await failFiles({ kind: 'delay', ms: 300_000 });
    for (let steps = 0; steps < 4; steps += 1) await next();
    await page.getByRole('dialog', { name: '5 Slow' }).waitFor();
    await soon(() => page.workers().length).toBe(1);
    await page.keyboard.press('Escape');
    await soon(() => page.workers().length).toBe(0);
  });
});

describe('the grid and the list', () => {
  it('show the waveforms of visible recordings, which are read one at a time', async () => {
    const running = new Set<Worker>();
    const counts: number[] = [];
    const count = (worker: Worker) => {
      running.add(worker);
      worker.on('close', () => running.delete(worker));
      counts.push(running.size);
    };
    // Two readings at a time would overlap.
    await failFiles({ kind: 'delay', ms: 400 });
    page.on('worker', count);
    await page.getByTitle('Grid').click();
    await soon(() => grid().locator('canvas').count(), 60_000).toBe(7);
    page.off('worker', count);
    expect(counts.length).toBeGreaterThan(1);
    expect(Math.max(...counts)).toBe(1);
    // The picture of the collection is shown whole, with the waveform in front of it.
    const episode = grid().getByRole('gridcell').filter({ hasText: '6 Episode' });
    const shown = () =>
      episode.locator('img[data-shown="true"]').evaluate((image) => getComputedStyle(image).objectFit);
    await soon(shown).toBe('contain');
    expect(await episode.locator('canvas').count()).toBe(1);
    await page.getByTitle('List').click();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Picture' }).click();
    await page.keyboard.press('Escape');
    await soon(() => grid().locator('canvas').count()).toBe(7);
    await grid().getByRole('row').filter({ hasText: '1 Talk' }).first().click();
    await page.getByRole('region', { name: 'Inspector' }).locator('canvas').waitFor();
  });

  it('show one waveform when the picture of the collection is replaced and can’t be loaded', async () => {
    await page.getByTitle('Grid').click();
    const episode = grid().getByRole('gridcell').filter({ hasText: '6 Episode' });
    await episode.locator('img[data-shown="true"]').waitFor();
    const path = join(folder, 'new-cover.png');
    writeFileSync(path, png(320, 320));
    const fault = { method: 'GET', path: '/thumbs$', times: null, action: { kind: 'status', status: 503 } };
    await opened.service.control('POST', '/faults', fault);
    const { siteId } = await refOf('6 Episode');
    await ask(page, 'files.setCollectionThumbnail', { siteId, collectionId: podcastId, picture: { path } });
    await episode.locator('img').waitFor({ state: 'detached' });
    expect(await episode.locator('canvas').count()).toBe(1);
    await page.getByTitle('List').click();
  });
});

/** Returns whether this computer has the waveform of the item with this title. */
const isStored = async (title: string) => (await ask(page, 'waveforms.read', await refOf(title))) !== null;

describe('the sheet before adding', () => {
  it('shows length and waveform of a few dropped recordings, and says when one is silent', async () => {
    const silent = join(folder, 'silent.wav');
    ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono:d=65', '-c:a', 'pcm_s16le', silent);
    await dropFiles(page, [silent, join(folder, 'talk.wav'), join(folder, 'talk.mp3')]);
    const list = page.getByRole('list', { name: 'Waveforms of the recordings' });
    const line = (name: string) => list.getByRole('listitem').filter({ hasText: name });
    await line('silent.wav').getByText('This recording is silent.').waitFor();
    await line('silent.wav').getByText('1:05').waitFor();
    await line('talk.mp3').locator('canvas').waitFor();
    await line('talk.wav').getByText('0:20').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(3);
    expect(await axeFindingsInThemes(page)).toEqual([]);
  });

  it('shows them also of recordings that are chosen in the picker', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const picker = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add uploads' }).click();
    await page.getByRole('menuitem', { name: 'Files…' }).click();
    await (await picker).setFiles([join(folder, 'talk.wav'), join(folder, 'talk.mp3')]);
    const list = page.getByRole('list', { name: 'Waveforms of the recordings' });
    await expect.poll(() => list.locator('canvas').count()).toBe(2);
    await list.getByText('0:20').first().waitFor();
  });

  it('keeps the waveform for the item that the file becomes, so that the library need not send it', async () => {
    const path = join(folder, 'fresh.mp3');
    copyFileSync(join(folder, 'talk.mp3'), path);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await dropFiles(page, [path]);
    await page.getByRole('list', { name: 'Waveforms of the recordings' }).locator('canvas').waitFor();
    await chooseCollectionInForm(page, 'Podcast');
    await page.getByRole('button', { name: 'Add to the queue' }).click();
    // Nothing reads the file from the library: neither the player nor a list with pictures is open.
    await soon(() => isStored('fresh'), 120_000).toBe(true);
    await failFiles({ kind: 'status', status: 503 });
    await openView(page, 'All items');
    await open('fresh');
    await page.getByText('1 long silence · Clipped sound is marked').waitFor();
  });
});
