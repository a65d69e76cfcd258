// Changes of the files of an item: adding, replacing, captions and thumbnails, in the real app with the real service.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dropFiles } from '../../../build/demo/window-steps.ts';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { whenOverlayFocused } from '../../helpers/desktop/window-actions.ts';
import { effectsOf, journalOf } from '../../helpers/service/journal.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';
import { png, srt } from '../../helpers/service/service-samples.ts';

let opened: SignedInApp;
let folder: string;
let service: ServiceProcess;
let direct: ServiceClient;
let page: Page;
/** The path of the item in the API. */
let lecture: string;

/**
 * Creates a film of six seconds with ten frames a second. Each frame has a different gray, by which `frameOfGray` identifies it.
 */
function film(): Buffer {
  const path = join(folder, 'film.mp4');
  const source = ['-f', 'lavfi', '-i', "color=size=320x180:rate=10,geq=lum='16+3.6*N':cb=128:cr=128"];
  const coding = [
    '-t',
    '6',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
  ];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, ...coding, path]);
  return readFileSync(path);
}

/** The number of the film's frame with this value of red, green and blue. */
const frameOfGray = (gray: number) => Math.round((gray * 219) / 255 / 3.6);

/** Writes a local file; returns its path. */
function put(name: string, contents: string | Buffer): string {
  const path = join(folder, 'local', name);
  writeFileSync(path, contents);
  return path;
}

beforeAll(async () => {
  opened = await openSignedInApp({
    // Without tools for media the service makes no encodings, which would take minutes on a busy machine.
    service: { env: { PATH: '' } },
    prepare: async (library) => {
      ({ folder, direct } = library);
      mkdirSync(join(folder, 'local'));
      lecture = await direct.createItem('Lecture on optics');
      await direct.processed(await direct.upload(lecture, 'optics.mp4', film()));
    },
  });
  ({ service, page } = opened);
  await page.getByRole('row').filter({ hasText: 'Lecture on optics' }).first().click();
  await page.getByRole('tab', { name: /^Files/ }).click();
});
afterAll(() => opened?.close());

// A test that fails with an open dialog must not fail the others.
afterEach(async () => {
  await service.control('DELETE', '/faults');
  // A dialog hides the one below it from this query, so the number of open dialogs is not known.
  for (let tries = 5; tries > 0 && (await page.getByRole('dialog').count()) > 0; tries -= 1) {
    await page.keyboard.press('Escape');
  }
});

/** Returns the names of the item's files from the library. */
async function storedNames(): Promise<string[]> {
  const { body } = await direct.get(`${lecture}/files`);
  return body.items.map((file: { display_name: string }) => file.display_name).sort();
}

/** Returns the id of the item's file with this name in the library. */
async function idOf(name: string): Promise<number> {
  const { body } = await direct.get(`${lecture}/files`);
  return Number(body.items.find((file: { display_name: string }) => file.display_name === name).id);
}

/** Returns when the new file was stored and processed and the old one was deleted, in the order of the service. */
async function orderOf(oldId: number, newId: number): Promise<string[]> {
  const effects = (await journalOf(service)).flatMap((entry) => entry.effects);
  const isOf = ({ name, file_id: id }: (typeof effects)[number]) =>
    id === (name === 'file-deleted' ? oldId : newId) &&
    ['bytes-stored', 'file-complete', 'file-deleted'].includes(name);
  return effects.filter(isOf).map(({ name }) => name);
}

const soon = <T>(read: () => Promise<T> | T) => expect.poll(read, { timeout: 60_000 });
const beingAdded = () => page.getByRole('list', { name: 'Being added' });

/** Runs the action that opens the picker of the system, and chooses files in it. */
async function choosing(paths: string | string[], open: () => Promise<void>): Promise<void> {
  const picker = page.waitForEvent('filechooser');
  await open();
  await (await picker).setFiles(paths);
}

/** Opens the menu “Add” by mouse and chooses an entry. */
async function add(entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

/** Opens a menu by its button and chooses its entry, with keys only. */
async function withKeys(button: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).press('Enter');
  const wanted = page.getByRole('menuitem', { name: entry });
  await wanted.waitFor();
  for (let count = 0; count < 12; count += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

/** Chooses an entry of the context menu of the item's row. */
async function rowMenu(entry: string, by: 'mouse' | 'keyboard'): Promise<void> {
  const item = page.getByRole('menuitem', { name: entry });
  if (by === 'mouse') {
    await page.getByRole('row').filter({ hasText: 'Lecture on optics' }).first().click({ button: 'right' });
    await item.click();
    return;
  }
  await page.getByRole('grid', { name: 'Items' }).focus();
  await page.keyboard.press('Shift+F10');
  await item.waitFor();
  await item.press('Enter');
}

/** Moves to a position, and presses the button for a thumbnail during the seek; returns the number of the frame that is offered. */
async function frameTakenAt(second: number): Promise<number> {
  const player = page.getByRole('dialog', { name: 'Lecture on optics' });
  // There is no such button before the length of the video is known.
  await player.getByRole('button', { name: 'Use this frame as the thumbnail' }).waitFor();
  await player.getByRole('slider', { name: 'Position' }).evaluate((slider, value) => {
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    setValue?.call(slider, String(value));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    const label = '[aria-label="Use this frame as the thumbnail"]';
    const button = document.querySelector<HTMLButtonElement>(label);
    // The focus returns here when the dialog closes.
    button?.focus();
    button?.click();
  }, second);
  const canvas = page.getByRole('dialog', { name: 'Set thumbnail' }).locator('canvas');
  const { gray, size } = await canvas.evaluate((element: HTMLCanvasElement) => ({
    gray: element.getContext('2d')?.getImageData(160, 90, 1, 1).data[0] ?? 0,
    size: [element.width, element.height],
  }));
  expect(size).toEqual([320, 180]);
  return frameOfGray(gray);
}

describe('an item', () => {
  it('gets files by mouse, by keyboard and by drop, with visible progress', async () => {
    await service.control('PATCH', '/settings', { processing: { delay_ms: 1500 } });
    await choosing([put('slides.png', png(80, 60)), put('notes.png', png(60, 60))], () => add('Add files…'));
    await beingAdded().getByText('slides.png').waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await page.getByRole('list', { name: 'Files' }).getByText('slides.png').waitFor();
    await beingAdded().waitFor({ state: 'detached' });
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
    await choosing(put('handout.png', png(50, 60)), () => withKeys('Add', 'Add files…'));
    await page.getByRole('list', { name: 'Files' }).getByText('handout.png').waitFor();
    const dropped = put('dropped.png', png(40, 60));
    const namesItem = () => page.getByTestId('drop-overlay').getByText('Lecture on optics').waitFor();
    await dropFiles(page, [dropped], namesItem, { x: 0.9, y: 0.5 });
    await soon(storedNames).toEqual(['dropped.png', 'handout.png', 'notes.png', 'optics.mp4', 'slides.png']);
    await page.getByRole('list', { name: 'Files' }).getByText('dropped.png').waitFor();
    await beingAdded().waitFor({ state: 'detached' });
  });

  it('gets files and captions from the context menu of its row, by mouse and by keyboard', async () => {
    const row = page.getByRole('row').filter({ hasText: 'Lecture on optics' }).first();
    await page.getByRole('tab', { name: 'Details' }).click();
    await choosing(put('from menu.png', png(30, 60)), async () => {
      await row.click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Add files…' }).click();
    });
    const files = page.getByRole('list', { name: 'Files' });
    await files.getByText('from menu.png').waitFor();
    await beingAdded().waitFor({ state: 'detached' });
    await page.getByRole('grid', { name: 'Items' }).focus();
    await page.keyboard.press('Shift+F10');
    const entry = page.getByRole('menuitem', { name: 'Add captions…' });
    await entry.waitFor();
    await entry.press('Enter');
    await page.getByRole('dialog', { name: 'Add captions' }).waitFor();
    await whenOverlayFocused(page);
    await page.keyboard.press('Escape');
    await withKeys('More for from menu.png', 'Delete…');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete file' }).press('Enter');
    await files.getByText('from menu.png').waitFor({ state: 'detached' });
  });

  it('gets its thumbnail from the context menu of its row, by mouse and by keyboard', async () => {
    const stored = async () => (await effectsOf(service, 'thumb-stored')).length;
    const before = await stored();
    const dialog = page.getByRole('dialog', { name: 'Set thumbnail' });
    await rowMenu('Set thumbnail…', 'mouse');
    await choosing(put('row 1.png', png(70, 60)), () => dialog.getByRole('button', { name: 'Choose…' }).click());
    await dialog.getByText('70 × 60 pixels').waitFor();
    await dialog.getByRole('button', { name: 'Set thumbnail' }).click();
    await soon(stored).toBe(before + 1);
    await rowMenu('Set thumbnail…', 'keyboard');
    await choosing(put('row 2.png', png(71, 60)), () => dialog.getByRole('button', { name: 'Choose…' }).press('Enter'));
    await dialog.getByText('71 × 60 pixels').waitFor();
    await dialog.getByRole('button', { name: 'Set thumbnail' }).press('Enter');
    await soon(stored).toBe(before + 2);
    expect((await effectsOf(service, 'thumb-stored')).at(-1)).toMatchObject({
      resource: 'media',
      resource_id: Number(lecture.split('/').at(-1)),
    });
  });

  it('gets web videos from the context menu of its row, by mouse and by keyboard', async () => {
    const dialog = page.getByRole('dialog', { name: 'Add web video' });
    await rowMenu('Add web video…', 'mouse');
    await dialog.getByRole('textbox', { name: 'Web address' }).fill('https://video.example.org/mouse');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('By mouse');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await soon(storedNames).toContain('By mouse');
    await dialog.waitFor({ state: 'detached' });
    await rowMenu('Add web video…', 'keyboard');
    await dialog.waitFor();
    // The field for the address has the focus when the dialog opens.
    await page.keyboard.type('https://video.example.org/keys');
    await page.keyboard.press('Tab');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await soon(storedNames).toContain('By keyboard');
    await dialog.waitFor({ state: 'detached' });
    const { body } = await direct.get(`${lecture}/files`);
    for (const name of ['By mouse', 'By keyboard']) {
      const { id } = body.items.find((file: { display_name: string }) => file.display_name === name);
      expect(await direct.delete(`${lecture}/files/${id}`)).toMatchObject({ status: 204 });
    }
  });

  it('gets a file replaced after the user confirms it: the old file is deleted when the new one is processed', async () => {
    const [slides, notes] = [await idOf('slides.png'), await idOf('notes.png')];
    await choosing(put('slides 2.png', png(81, 60)), async () => {
      await page.getByRole('button', { name: 'More for slides.png' }).click();
      await page.getByRole('menuitem', { name: 'Replace…' }).click();
    });
    const question = page.getByRole('alertdialog', { name: 'Replace “slides.png”?' });
    expect(await question.textContent()).toContain('uploads “slides 2.png” first');
    expect(await axeFindings(page, 'all')).toEqual([]);
    await question.getByRole('button', { name: 'Replace file' }).click();
    await soon(storedNames).toEqual(['dropped.png', 'handout.png', 'notes.png', 'optics.mp4', 'slides 2.png']);
    await choosing(put('notes 2.png', png(61, 60)), () => withKeys('More for notes.png', 'Replace…'));
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace file' }).press('Enter');
    await soon(storedNames).toEqual(['dropped.png', 'handout.png', 'notes 2.png', 'optics.mp4', 'slides 2.png']);
    const order = ['bytes-stored', 'file-complete', 'file-deleted'];
    expect(await orderOf(slides, await idOf('slides 2.png'))).toEqual(order);
    expect(await orderOf(notes, await idOf('notes 2.png'))).toEqual(order);
  });

  it('gets captions with a label and a language; the captions can be changed and deleted', async () => {
    await add('Add captions…');
    const dialog = page.getByRole('dialog', { name: 'Add captions' });
    await dialog.locator('button:focus', { hasText: 'Choose…' }).waitFor();
    await choosing(put('talk.de.vtt', png()), () => page.keyboard.press('Enter'));
    await dialog.getByText('This file doesn’t contain captions.').waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await choosing(put('talk.de.srt', srt), () => dialog.getByRole('button', { name: 'Choose…' }).press('Enter'));
    await dialog.getByText('talk.de.srt').waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Language' }).inputValue()).toBe('German');
    await dialog.getByRole('textbox', { name: 'Label' }).fill('Simple/German');
    await dialog.getByText('It is saved as “Simple German”.').waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Label' }).fill('Simple German');
    await dialog.getByText('It is saved as').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Add captions' }).click();
    await dialog.waitFor({ state: 'detached' });
    await soon(storedNames).toContain('Simple German.de.srt');

    const captions = page.getByRole('list', { name: 'Captions', exact: true });
    await captions.getByText('Simple German (German)').waitFor();
    await withKeys('More for Simple German (German)', 'Edit label and language…');
    const editing = page.getByRole('dialog', { name: 'Edit captions' });
    await editing.getByRole('combobox', { name: 'Language' }).fill('Klingonese');
    await page.keyboard.press('Tab');
    await editing.getByRole('button', { name: 'Save' }).press('Enter');
    await editing.getByText('Choose a language, or type a language tag such as pt-BR.').waitFor();
    // A complete name shows only the languages that contain it.
    await editing.getByRole('combobox', { name: 'Language' }).fill('German');
    await expect.poll(() => page.getByRole('option').allTextContents()).not.toContain('Afrikaans');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await editing.getByRole('combobox', { name: 'Language' }).inputValue()).toContain('German');
    await editing.getByRole('combobox', { name: 'Language' }).fill('de-AT');
    await page.keyboard.press('Tab');
    await editing.getByRole('textbox', { name: 'Label' }).fill('');
    await editing.getByRole('button', { name: 'Save' }).press('Enter');
    await editing.waitFor({ state: 'detached' });
    await soon(storedNames).toContain('Austrian German.de-AT.srt');
    await soon(storedNames).not.toContain('Simple German.de.srt');

    await captions.getByText('Austrian German').waitFor();
    await captions.getByRole('button', { name: 'More for Austrian German' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    expect(await page.getByRole('alertdialog').textContent()).toContain('The recording stays.');
    await page.getByRole('button', { name: 'Delete file' }).click();
    await captions.waitFor({ state: 'detached' });
  });

  it('shows that the library couldn’t process its captions, and gets another captions file instead', async () => {
    await service.control('PATCH', '/settings', { processing: { outcome: 'error' } });
    await add('Add captions…');
    const dialog = page.getByRole('dialog', { name: 'Add captions' });
    await choosing(put('talk.fr.srt', srt), () => dialog.getByRole('button', { name: 'Choose…' }).click());
    await dialog.getByRole('button', { name: 'Add captions' }).click();
    await beingAdded().getByText('The library received the file but couldn’t process it.', { exact: false }).waitFor();
    await service.control('PATCH', '/settings', { processing: { outcome: 'auto' } });
    await beingAdded().getByRole('button', { name: 'Choose another file…' }).click();
    await dialog.getByText('The library received the file but couldn’t process it.', { exact: false }).waitFor();
    await choosing(put('better.fr.srt', srt), () => dialog.getByRole('button', { name: 'Choose…' }).click());
    await dialog.getByRole('button', { name: 'Add captions' }).click();
    await soon(async () => (await storedNames()).some((name) => name.endsWith('.fr.srt'))).toBe(true);
    await beingAdded().waitFor({ state: 'detached' });
  });

  it('gets its thumbnail from a picture and from a frame of the video', async () => {
    const stored = async () => (await effectsOf(service, 'thumb-stored')).length;
    const before = await stored();
    await add('Set thumbnail…');
    const dialog = page.getByRole('dialog', { name: 'Set thumbnail' });
    await choosing(put('cover.png', Buffer.from('no picture')), () =>
      dialog.getByRole('button', { name: 'Choose…' }).click(),
    );
    await dialog.getByText('A thumbnail must be a PNG or JPEG picture.').waitFor();
    await choosing(put('cover.png', png(2400, 1350)), () =>
      dialog.getByRole('button', { name: 'Choose…' }).press('Enter'),
    );
    await dialog.getByText('1920 × 1080 pixels').waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await dialog.getByRole('button', { name: 'Set thumbnail' }).click();
    await soon(stored).toBe(before + 1);

    await page.getByRole('button', { name: 'Play', exact: true }).click();
    for (const second of [3.05, 0.25, 5.75, 1.55, 4.45]) {
      expect(await frameTakenAt(second)).toBe(Math.floor(second * 10));
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    // A hidden window may draw no frames of the video. The right frame is offered nevertheless.
    const hide = (isHidden: boolean) =>
      opened.desktop.app.evaluate(({ BrowserWindow }, hides) => {
        const [window] = BrowserWindow.getAllWindows();
        if (hides) window?.hide();
        else window?.show();
        return window?.isVisible();
      }, isHidden);
    expect(await hide(true)).toBe(false);
    expect(await frameTakenAt(2.35)).toBe(23);
    expect(await hide(false)).toBe(true);
    expect(await axeFindings(page, 'all')).toEqual([]);
    await dialog.getByRole('button', { name: 'Set thumbnail' }).press('Enter');
    await soon(stored).toBe(before + 2);
    await page.keyboard.press('Escape');
  });

  it('gets a web video, which can be changed and deleted', async () => {
    await add('Add web video…');
    const dialog = page.getByRole('dialog', { name: 'Add web video' });
    await dialog.getByRole('textbox', { name: 'Web address' }).fill('javascript:alert(1)');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('Enter a web address that begins with https:// or http://.').waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Web address' }).fill('https://video.example.org/watch?v=1');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Interview');
    await dialog.getByRole('button', { name: 'Add' }).press('Enter');
    await soon(storedNames).toContain('Interview');
    await withKeys('More for Interview', 'Change web address…');
    const changing = page.getByRole('dialog', { name: 'Change web address' });
    const address = changing.getByRole('textbox', { name: 'Web address' });
    await soon(() => address.inputValue()).toBe('https://video.example.org/watch?v=1');
    await address.fill('https://video.example.org/watch?v=2');
    await changing.getByRole('textbox', { name: 'Name' }).fill('Second interview');
    await changing.getByRole('button', { name: 'Save' }).press('Enter');
    await soon(storedNames).toContain('Second interview');
    // The API can't change an address: first a new file is created, then the old one is deleted.
    await soon(storedNames).not.toContain('Interview');
    await page.getByRole('button', { name: 'More for Second interview' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    expect(await page.getByRole('alertdialog').textContent()).toContain('stays on its website');
    await page.getByRole('button', { name: 'Delete file' }).click();
    await soon(storedNames).not.toContain('Second interview');
  });

  it('gets no thumbnail from a picture whose header says 100 megapixels', async () => {
    const huge = png(8, 8);
    // The header says 12,500 × 8,000 pixels; the data after it are those of a small picture.
    huge.writeUInt32BE(12_500, 16);
    huge.writeUInt32BE(8000, 20);
    await add('Set thumbnail…');
    const dialog = page.getByRole('dialog', { name: 'Set thumbnail' });
    await choosing(put('huge.png', huge), () => dialog.getByRole('button', { name: 'Choose…' }).click());
    await dialog.getByText('This picture has 100 megapixels, which is too much for a thumbnail.').waitFor();
  });
});
