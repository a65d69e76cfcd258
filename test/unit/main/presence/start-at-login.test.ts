import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  autostartEntry,
  linuxStartAtLogin,
  systemStartAtLogin,
} from '../../../../electron/main/presence/start-at-login.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mediadesk-login-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const file = () => join(home, '.config', 'autostart', 'org.mediadesk.Mediadesk.desktop');
const open = (command: readonly string[] = ['/opt/mediadesk', '--hidden']) => linuxStartAtLogin({}, home, command);

describe('the start at login on Linux', () => {
  it('is what the file says, also after the user changed it elsewhere', () => {
    const login = open();
    expect(login.state()).toEqual({ isOn: false, file: file() });
    login.set(true);
    expect(login.state().isOn).toBe(true);
    writeFileSync(file(), `${readFileSync(file(), 'utf8')}Hidden=true\n`);
    expect(login.state().isOn).toBe(false);
    login.refresh();
    expect(login.state().isOn).toBe(false);
    login.set(false);
    expect(existsSync(file())).toBe(false);
  });

  it('follows a program that was moved', () => {
    open(['/old/mediadesk', '--hidden']).set(true);
    const moved = open(['/new place/mediadesk', '--hidden']);
    moved.refresh();
    expect(readFileSync(file(), 'utf8')).toContain('Exec="/new place/mediadesk" "--hidden"\n');
  });

  it('escapes what has a meaning in a desktop file', () => {
    const [line] = autostartEntry(['/a "b" $c `d` 100% \\e'])
      .split('\n')
      .filter((each) => each.startsWith('Exec='));
    expect(line).toBe('Exec="/a \\\\"b\\\\" \\\\$c \\\\`d\\\\` 100%% \\\\\\\\e"');
  });

  it.skipIf(process.getuid?.() === 0)('reports a folder that can’t be written', () => {
    chmodSync(home, 0o500);
    expect(() => open().set(true)).toThrow(expect.objectContaining({ code: 'desktop.login-not-registered' }));
    chmodSync(home, 0o700);
  });
});

describe('the start at login on Windows and macOS', () => {
  it('reports a system that did not register it', () => {
    const refused = systemStartAtLogin(
      { getLoginItemSettings: () => ({ openAtLogin: false }), setLoginItemSettings: () => undefined },
      ['--hidden'],
    );
    expect(() => refused.set(true)).toThrow(expect.objectContaining({ code: 'desktop.login-not-registered' }));
    expect(refused.state()).toEqual({ isOn: false, file: null });
  });
});
