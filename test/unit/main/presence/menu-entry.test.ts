import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appImageMenuEntry } from '../../../../electron/main/presence/menu-entry.ts';

let home: string;
let defaults: string[][];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mediadesk-menu-'));
  defaults = [];
  writeFileSync(join(home, 'icon.png'), 'a picture');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = (appImage = '/home/a/Mediadesk.AppImage', makeDefault?: () => Promise<void>) =>
  appImageMenuEntry({
    env: {},
    home,
    appImage,
    iconFile: join(home, 'icon.png'),
    makeDefault: makeDefault ?? (async (...given) => void defaults.push(given)),
  });
const file = () => join(home, '.local', 'share', 'applications', 'org.mediadesk.Mediadesk.desktop');

describe('the entry of an AppImage in the menu', () => {
  it('is made with an icon, opens links with the file, and leaves nothing when it is removed', async () => {
    const entry = open('/home/a/My "apps" 100%/Mediadesk.AppImage');
    expect(entry.state()).toEqual({ isOn: false, file: file() });
    await entry.set(true);
    const text = readFileSync(file(), 'utf8');
    expect(text).toContain('Exec="/home/a/My \\\\"apps\\\\" 100%%/Mediadesk.AppImage" %U\n');
    expect(text).toContain('MimeType=x-scheme-handler/mediadesk;\n');
    expect(defaults).toEqual([['org.mediadesk.Mediadesk.desktop', 'x-scheme-handler/mediadesk']]);
    expect(entry.state().isOn).toBe(true);
    await entry.set(false);
    const left = readdirSync(join(home, '.local'), { recursive: true, withFileTypes: true });
    expect(left.filter((each) => each.isFile())).toEqual([]);
    expect(entry.state().isOn).toBe(false);
  });

  it('follows an AppImage that was moved, and is not made by a start', async () => {
    open('/new/Mediadesk.AppImage').refresh();
    expect(existsSync(file())).toBe(false);
    await open('/old/Mediadesk.AppImage').set(true);
    open('/new/Mediadesk.AppImage').refresh();
    expect(readFileSync(file(), 'utf8')).toContain('Exec="/new/Mediadesk.AppImage" %U\n');
  });

  it('reports a desktop without xdg-mime', async () => {
    const entry = open('/a', () => Promise.reject(new Error('spawn xdg-mime ENOENT')));
    await expect(entry.set(true)).rejects.toMatchObject({ code: 'desktop.entry-not-registered' });
  });
});
