// The app as it is shipped: packed, with its fuses set, started as a user starts it. Playwright can't attach to it, on purpose,
// so the test observes it from the outside.
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { type DesktopApp, launchApp, projectDir } from '../../helpers/desktop/desktop-app.ts';
import { makeFeedKeys } from '../../helpers/updates/feed-server.ts';

const runFile = promisify(execFile);
let output: string;
let folder: string;
let program: string;

const WINDOW_LISTER = '/usr/bin/xwininfo';

/** The windows on this screen with their names and classes, as X11 lists them. */
async function windowClass(): Promise<string> {
  const { stdout } = await runFile(WINDOW_LISTER, ['-root', '-tree']);
  return stdout;
}

/** Packs the app into a folder, and returns the folder of the packed app. */
async function pack(into: string, ...settings: string[]): Promise<string> {
  const script = join(projectDir, 'build', 'package.ts');
  const args = [script, '--test-build', '--linux', 'dir', `-c.directories.output=${into}`, ...settings];
  await runFile(process.execPath, args, { cwd: projectDir });
  return join(into, 'linux-unpacked');
}

/** The start of an MP3 file with one tag: an ID3v2.3 frame, then frames of silence at 128 kbit/s. */
function taggedMp3(title: string): Buffer {
  const text = Buffer.from(`\0${title}`, 'latin1');
  const frame = Buffer.concat([Buffer.from('TIT2'), Buffer.alloc(6), text]);
  frame.writeUInt32BE(text.length, 4);
  const header = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, frame.length >> 7, frame.length & 127]);
  const silence = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]);
  return Buffer.concat([header, frame, ...Array.from({ length: 50 }, () => silence)]);
}

beforeAll(async () => {
  output = await mkdtemp(join(tmpdir(), 'mediadesk-package-'));
  folder = await pack(join(output, 'as-shipped'));
  program = join(folder, 'mediadesk-desktop');
});
afterAll(() => rm(output, { recursive: true, force: true }));

describe('the packed app', () => {
  it('has each Electron fuse set as required', async () => {
    const { version: _version, resetAdHocDarwinSignature: _signature, ...fuses } = await getCurrentFuseWire(program);
    expect(fuses).toMatchObject({
      [FuseV1Options.RunAsNode]: FuseState.DISABLE,
      [FuseV1Options.EnableCookieEncryption]: FuseState.ENABLE,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: FuseState.DISABLE,
      [FuseV1Options.EnableNodeCliInspectArguments]: FuseState.DISABLE,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: FuseState.ENABLE,
      [FuseV1Options.OnlyLoadAppFromAsar]: FuseState.ENABLE,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: FuseState.DISABLE,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: FuseState.DISABLE,
    });
  });

  it('contains the bundles and the two native modules, and nothing of the service, the tests or the tools', async () => {
    const asar = join(projectDir, 'node_modules', '.bin', 'asar');
    const { stdout } = await runFile(asar, ['list', join(folder, 'resources', 'app.asar')]);
    const files = stdout.trim().split('\n');
    const packages = new Set(files.map((file) => /^\/node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(file)?.[1]));
    packages.delete(undefined);
    packages.delete('@photostructure');
    expect([...packages].sort()).toEqual(['@photostructure/sqlite', 'keytar', 'node-gyp-build']);
    const tops = new Set(files.map((file) => file.split('/')[1]));
    expect([...tops].sort()).toEqual(['build', 'node_modules', 'out', 'package.json']);
    expect(files.filter((file) => /\.(ts|tsx|map)$/.test(file))).toEqual([]);
    expect(files.filter((file) => /-command-|nodemailer|\/(cli|service)\//.test(file))).toEqual([]);
  });

  it('starts, creates its database, opens its window, and ends with exit code 0 after SIGTERM', async () => {
    const profileDir = await mkdtemp(join(tmpdir(), 'mediadesk-profile-'));
    const log = join(profileDir, 'logs', 'mediadesk.log');
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const child = spawn(program, [...sandbox, '--profile', profileDir], { stdio: 'ignore' });
    const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
    try {
      await expect
        .poll(() => existsSync(log) && readFileSync(log, 'utf8'), { timeout: 60_000 })
        .toContain('"event":"shell.ready"');
      expect(existsSync(join(profileDir, 'queue.db'))).toBe(true);
      // The desktop finds the entry of a window, and with it the icon, by this name. A developer's desktop may lack the tool that
      // lists windows; the virtual desktop has it.
      if (existsSync(WINDOW_LISTER)) await expect.poll(windowClass, { timeout: 60_000 }).toContain('"mediadesk"');
      else console.warn(`${WINDOW_LISTER} is not installed: the class of the window was not checked.`);
      child.kill('SIGTERM');
      expect(await gone).toBe(0);
    } finally {
      child.kill('SIGKILL');
      await gone;
      await rm(profileDir, { recursive: true, force: true });
    }
  });
});

describe('the packed app, with a debugger', () => {
  let app: DesktopApp;
  beforeAll(async () => {
    const inspected = await pack(join(output, 'inspected'), '-c.electronFuses.enableNodeCliInspectArguments=true');
    app = await launchApp({
      launcher: () => join(inspected, 'mediadesk-desktop'),
      env: { MEDIADESK_UPDATE_FEED: 'http://127.0.0.1:9/', MEDIADESK_UPDATE_KEYS: makeFeedKeys().publicKey },
    });
  });
  afterAll(() => app?.close());

  it('reads tags inside files in a thread, whose program is in the archive', async () => {
    const file = join(output, 'talk.mp3');
    await writeFile(file, taggedMp3('Wave optics'));
    const [facts] = await ask<CallOutput<'mediaFacts.read'>>(app.window, 'mediaFacts.read', { paths: [file] });
    expect(facts).toMatchObject({ problem: null, mediaTags: { title: 'Wave optics' } });
  });

  it('shows the licenses of what it contains', async () => {
    const { notices: text } = await ask<CallOutput<'shell.about'>>(app.window, 'shell.about', null);
    for (const name of ['Electron ', 'react-dom ', 'electron-updater 6.8.10 (MIT)', 'got '])
      expect(text).toContain(name);
  });

  it('takes no server for updates from its environment: this build has none', async () => {
    const updates = await ask<CallOutput<'shell.updates'>>(app.window, 'shell.updates', null);
    expect(updates).toMatchObject({ installer: 'nobody', phase: 'unknown' });
    await expect(ask(app.window, 'shell.checkForUpdates', null)).rejects.toThrow('update.not-available');
  });
});
