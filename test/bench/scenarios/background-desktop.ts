// The built app behind its closed window: many uploads, the lock against sleep, a lost panel, a crashing page, a computer that
// wakes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '../../../build/demo/window-steps.ts';
import { closeWindow, limitSpeed, totals, windowState } from '../../helpers/desktop/background-steps.ts';
import {
  startLoginManager,
  startNotificationDaemon,
  startSessionManager,
  startTrayPanel,
} from '../../helpers/desktop/fake-bus-desktop.ts';
import { hasLauncherLibrary, startLauncher } from '../../helpers/desktop/fake-launcher.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { clearJournal, effectsOf } from '../../helpers/service/journal.ts';
import { inDesktopSession } from '../desktop-session.ts';
import { addPaths, sleep, until } from '../desktop-steps.ts';
import { isQuick, MIB } from '../peers.ts';
import { atMost, figure, median, type Row, report } from '../report.ts';
import { makeSmallFiles } from '../small-files.ts';

const COUNT = isQuick ? 500 : 10_000;
/** So many files are removed before they are sent: they need the user. */
const REMOVED = 3;
const CRASHES = 20;

const hasEnded = async ({ page }: SignedInApp, count: number) => {
  const { counts } = await totals(page);
  const { complete = 0, failed = 0 } = counts as Record<string, number | undefined>;
  return complete + failed >= count;
};

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-background-'));
  const files = makeSmallFiles(COUNT, 200);
  const notifications = await startNotificationDaemon();
  const awake = await startSessionManager();
  const computer = await startLoginManager(folder);
  const launcher = hasLauncherLibrary ? await startLauncher() : null;
  const panel = await startTrayPanel();
  const opened = await openSignedInApp({
    launch: { asksUser: true, env: { DBUS_SYSTEM_BUS_ADDRESS: computer.address } },
  });
  const rows: Row[] = [];
  try {
    await ask(opened.page, 'shell.setDesktop', { patch: { whenClosed: 'background' } });
    await until(() => panel.items().length === 1);
    rows.push(...(await manyUploads(opened, files.paths, notifications.shown, launcher?.states ?? null)));
    rows.push(await sleepLock(opened, folder, awake));
    rows.push(await wake(opened, folder, computer));
    rows.push(...(await crashes(opened)));

    await closeWindow(opened);
    await until(async () => (await windowState(opened))?.isVisible === false);
    panel.close();
    rows.push(
      atMost(
        'from a lost panel to the window',
        await until(async () => (await windowState(opened))?.isVisible === true),
        1000,
        'ms',
        0,
      ),
    );
    report({ scenario: 'background-desktop', about: `the built app behind its closed window, ${COUNT} files`, rows });
  } finally {
    await opened.desktop.kill();
    await opened.close();
    panel.close();
    launcher?.close();
    notifications.close();
    awake.close();
    await computer.close();
    files.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All files while the window is hidden. */
async function manyUploads(
  opened: SignedInApp,
  paths: readonly string[],
  shown: readonly { title: string; body: string }[],
  states: readonly { progress: number | null; count: number | null }[] | null,
): Promise<Row[]> {
  const { desktop } = opened;
  await desktop.app.evaluate(() => {
    const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    Object.assign(globalThis, { __delay: delay, __cpu: process.cpuUsage() });
  });
  const startedAt = performance.now();
  await addPaths(opened, paths);
  for (const path of paths.slice(-REMOVED)) rmSync(path);
  await closeWindow(opened);
  await until(() => hasEnded(opened, paths.length), 2000);
  const seconds = (performance.now() - startedAt) / 1000;
  const { cpu, p99 } = await desktop.app.evaluate(() => {
    const { __delay: delay, __cpu } = globalThis as unknown as {
      __delay: { percentile(at: number): number };
      __cpu: NodeJS.CpuUsage;
    };
    const { user, system } = process.cpuUsage(__cpu);
    return { cpu: (user + system) / 1e6, p99: delay.percentile(99) / 1e6 };
  });
  // As long as a second notification could follow.
  await sleep(65_000);
  for (const path of paths.slice(-REMOVED)) writeFileSync(path, 'again');
  console.error(JSON.stringify({ shown, last: states?.at(-1) }));
  return [
    figure('uploads in the background', seconds, 's', 0),
    atMost('notifications about them', shown.length, 1, '', 0),
    ...(states === null
      ? []
      : [
          atMost('number on the icon, wrong by', Math.abs((states.at(-1)?.count ?? 0) - REMOVED), 0, '', 0),
          atMost('changes of the icon in a second', states.length / seconds, 2, '', 2),
        ]),
    figure('CPU of the main process, for each file', (cpu / paths.length) * 1000, 'ms', 2),
    figure('CPU of the main process, of one core', (cpu / seconds) * 100, '%', 0),
    figure('event-loop delay of the main process, p99', p99, 'ms', 1),
  ];
}

async function sleepLock(
  opened: SignedInApp,
  folder: string,
  awake: { held(): number; releasedAtMs(): number | null },
): Promise<Row> {
  const path = join(folder, 'long.bin');
  writeFileSync(path, Buffer.alloc(5 * MIB, 'a'));
  await limitSpeed(opened, MIB);
  await until(() => awake.held() === 0);
  await opened.page.evaluate(() => {
    const { mediadesk } = window as unknown as {
      mediadesk: { on(name: string, listener: (data: { totals: { sentBytes: number } }) => void): () => void };
    };
    const seen = { sentBytes: -1, atMs: 0 };
    Object.assign(globalThis, { __last: seen });
    mediadesk.on('onDidChangeUploads', ({ totals: { sentBytes } }) => {
      if (sentBytes === seen.sentBytes) return;
      Object.assign(seen, { sentBytes, atMs: Date.now() });
    });
  });
  await addPaths(opened, [path]);
  await until(() => awake.held() === 1);
  await until(() => awake.held() === 0);
  const lastByteAtMs = await opened.page.evaluate(
    () => (globalThis as unknown as { __last: { atMs: number } }).__last.atMs,
  );
  await limitSpeed(opened, null);
  return atMost(
    'from the last byte to the end of the lock against sleep',
    (awake.releasedAtMs() ?? 0) - lastByteAtMs,
    4000,
    'ms',
    0,
  );
}

/** The library was out of reach while the computer slept. */
async function wake(opened: SignedInApp, folder: string, computer: { sleep(): void; wake(): void }): Promise<Row> {
  const path = join(folder, 'slept.bin');
  writeFileSync(path, Buffer.alloc(5 * MIB, 'b'));
  await opened.service.kill9();
  await addPaths(opened, [path]).catch(() => undefined);
  // Long enough for the longer waits between attempts.
  await sleep(isQuick ? 5000 : 45_000);
  computer.sleep();
  await opened.service.restart();
  await clearJournal(opened.service);
  computer.wake();
  const ms = await until(async () => (await effectsOf(opened.service, 'bytes-stored')).length > 0);
  return atMost('from waking up to a delivered file of 5 MiB', ms, 5000, 'ms', 0);
}

async function crashes({ desktop }: SignedInApp): Promise<Row[]> {
  const times = await desktop.app.evaluate(async ({ BrowserWindow, dialog }, count) => {
    Object.assign(dialog, { showMessageBox: async () => ({ response: 0, checkboxChecked: false }) });
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) throw new Error('There is no window.');
    window.show();
    const contents = window.webContents;
    const found: number[] = [];
    for (let crash = 0; crash < count; crash += 1) {
      const loaded = new Promise<void>((done) => contents.once('did-finish-load', () => done()));
      const startedAt = performance.now();
      contents.forcefullyCrashRenderer();
      await loaded;
      await contents.executeJavaScript(`new Promise((done) => {
        const look = () => document.documentElement.dataset.ready ? done() : setTimeout(look, 5);
        look();
      })`);
      found.push(performance.now() - startedAt);
    }
    return found;
  }, CRASHES);
  return [
    atMost(`from a crash of the page to a usable window, longest of ${CRASHES}`, Math.max(...times), 1500, 'ms', 0),
    figure('the same, median', median(times), 'ms', 0),
  ];
}

await inDesktopSession(run);
