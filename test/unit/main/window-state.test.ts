import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStored, writeStored } from '../../../electron/main/stored-json.ts';
import {
  DEFAULT_SIZE,
  freshWindowState,
  isReachable,
  placeWindow,
  storedWindowState,
  type WindowState,
} from '../../../electron/main/window-state.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1080 };

describe('the position of the window', () => {
  it('is the saved position', () => {
    const was = { x: 100, y: 80, width: 1200, height: 800 };
    expect(placeWindow(was, [screen])).toEqual(was);
  });

  it('is the saved position on the second screen, and on the first screen when the second is disconnected', () => {
    const was = { x: 2000, y: 80, width: 1200, height: 800 };
    const second = { x: 1920, y: 0, width: 1920, height: 1080 };
    expect(placeWindow(was, [screen, second])).toEqual(was);
    expect(placeWindow(was, [screen])).toEqual({ width: 1200, height: 800 });
  });

  it('comes with a size that is never larger than the screen and never too small to use', () => {
    expect(placeWindow({ x: 0, y: 0, width: 9000, height: 9000 }, [screen])).toMatchObject({
      width: 1920,
      height: 1080,
    });
    expect(placeWindow({ x: 0, y: 0, width: 10, height: 10 }, [screen])).toMatchObject({ width: 720, height: 500 });
    expect(placeWindow(null, [{ x: 0, y: 0, width: 1024, height: 700 }])).toEqual({ width: 1024, height: 700 });
  });

  it('is one from which the user can move the window only while the middle of its title bar is on a screen', () => {
    const window = { x: 1100, y: 800, width: 800, height: 600 };
    expect(isReachable(window, [screen])).toBe(true);
    expect(isReachable(window, [{ x: 0, y: 0, width: 1024, height: 768 }])).toBe(false);
    expect(isReachable({ ...window, y: -40 }, [screen])).toBe(false);
    expect(isReachable(window, [])).toBe(false);
  });

  it('has a default when no screen is known', () => {
    expect(placeWindow(null, [])).toEqual(DEFAULT_SIZE);
  });
});

describe('the stored window state', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mediadesk-window-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is read as it was written, and leaves no temporary file', async () => {
    const state: WindowState = {
      bounds: { x: 1, y: 2, width: 3, height: 4 },
      maximized: true,
      theme: 'dark',
      zoom: 1.5,
      spelling: { isOn: true, languages: ['de'] },
    };
    writeStored(storedWindowState(join(folder, 'new', 'window.json')), state);
    expect(await readStored(storedWindowState(join(folder, 'new', 'window.json')))).toEqual(state);
    expect(await readdir(join(folder, 'new'))).toEqual(['window.json']);
  });

  it.each(['', '{', '[]', '{"bounds":{"x":"1"}}', '{"bounds":null,"maximized":"yes","theme":"pink","zoom":40}'])(
    'has its default when the file is damaged: %j',
    async (text) => {
      await writeFile(join(folder, 'window.json'), text);
      expect(await readStored(storedWindowState(join(folder, 'window.json')))).toEqual(freshWindowState);
    },
  );

  it('has the actual size when a version without a zoom wrote the file', async () => {
    await writeFile(join(folder, 'window.json'), '{"bounds":null,"maximized":true,"theme":"dark"}');
    const read = await readStored(storedWindowState(join(folder, 'window.json')));
    expect(read).toEqual({
      bounds: null,
      maximized: true,
      theme: 'dark',
      zoom: 1,
      spelling: { isOn: false, languages: [] },
    });
  });

  it('has the default for members that this version can’t read', async () => {
    await writeFile(join(folder, 'window.json'), '{"bounds":null,"maximized":true,"theme":"pink","zoom":1.5}');
    expect(await readStored(storedWindowState(join(folder, 'window.json')))).toEqual({
      ...freshWindowState,
      maximized: true,
      zoom: 1.5,
    });
  });

  it('keeps members of a newer version, byte for byte, when it is written', async () => {
    const file = join(folder, 'window.json');
    const newer =
      '{"panel":{"open":[1]},"bounds":{"x":1,"y":2,"width":900,"height":600,"screen":"B"},"maximized":false,' +
      '"theme":"sepia","zoom":1,"spelling":{"isOn":true,"languages":["de"],"words":["x"]}}';
    await writeFile(file, newer);
    const read = await readStored(storedWindowState(file));
    writeStored(storedWindowState(file), read);
    expect(await readFile(file, 'utf8')).toBe(newer);
    writeStored(storedWindowState(file), { ...read, zoom: 1.25, bounds: { x: 5, y: 2, width: 900, height: 600 } });
    expect(await readFile(file, 'utf8')).toBe(newer.replace('"zoom":1,', '"zoom":1.25,').replace('"x":1,', '"x":5,'));
    writeStored(storedWindowState(file), { ...read, theme: 'dark' });
    expect(await readStored(storedWindowState(file))).toMatchObject({ theme: 'dark', zoom: 1 });
  });

  it('replaces a file that contains no JSON', async () => {
    const file = join(folder, 'window.json');
    await writeFile(file, '{"bounds":');
    writeStored(storedWindowState(file), { ...freshWindowState, theme: 'dark' });
    expect(await readStored(storedWindowState(file))).toEqual({ ...freshWindowState, theme: 'dark' });
  });

  it('has its default when there is no file', async () => {
    expect(await readStored(storedWindowState(join(folder, 'none.json')))).toEqual(freshWindowState);
  });
});
