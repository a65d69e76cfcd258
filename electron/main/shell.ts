import { join } from 'node:path';
import { app, type BrowserWindow, dialog, Menu, session, systemPreferences } from 'electron';
import type { AppError } from '../../shared/contract/app-error.ts';
import type { WeekStart } from '../../shared/model/calendar/calendar-days.ts';
import type { HourCycle } from '../../shared/model/date-time.ts';
import { systemHourCycle, systemWeekStart } from '../../shared/model/system-hour-cycle.ts';
import type { Emitter } from '../engine/common/emitter.ts';
import type { Engine } from '../engine/engine.ts';
import type { Logger } from '../engine/ports/logger.ts';
import { nodeClock } from '../engine/ports/system/node-clock.ts';
import { serveApp } from './app-protocol.ts';
import { createChosenPaths } from './chosen-paths.ts';
import { announceEngineEvents, routeCalls } from './engine-bridge.ts';
import type { FaultReports } from './faults/fault-reports.ts';
import { createPageFaults } from './faults/page-faults.ts';
import { serveContract } from './ipc.ts';
import { menuTemplate } from './menu.ts';
import type { FileLogger } from './ports/file-logger.ts';
import { createAsks } from './presence/asks.ts';
import { takeOpenedList } from './presence/opened-list.ts';
import { readStartArguments } from './presence/opened-with.ts';
import { openPresence } from './presence/presence.ts';
import { createShellCalls } from './shell-calls.ts';
import { stopBeforeQuit } from './shut-down.ts';
import type { SingleInstance } from './single-instance.ts';
import { startEngine } from './start-engine.ts';
import { startWhenFree } from './start-when-free.ts';
import { readStored } from './stored-json.ts';
import { texts } from './texts.ts';
import { openUpdates, type ShellUpdates } from './updates/open-updates.ts';
import { ownAppImage } from './updates/update-source.ts';
import { freshWindowState, storedWindowState, type WindowState } from './window-state.ts';
import { type MainWindow, openMainWindow, reveal, shellFiles } from './windows.ts';
import { createZoom } from './zoom.ts';

const stopWithinMs = 8_000;

export interface ShellOptions {
  profileDir: string;
  /** Folder of the running bundle; the preload and the screens are found relative to it. */
  bundleDir: string;
  instance: SingleInstance;
  /** The command that starts this app with this profile. */
  startCommand: readonly string[];
  logger: FileLogger;
  faults: { reports: FaultReports; onDidReport: Emitter<null> };
}

/**
 * Opens the window and starts the engine in parallel, so that the first frame does not wait for the journal; calls of a screen
 * before that wait for the engine. Rejects with the errors of `createEngine`.
 */
export async function startShell(options: ShellOptions): Promise<void> {
  const { profileDir, bundleDir, instance, startCommand, logger } = options;
  const files = shellFiles(bundleDir);
  const stateFile = join(profileDir, 'window.json');
  let main: MainWindow | null = null;
  /** The window that is being opened: a second request meanwhile opens no other one. */
  let opening: Promise<void> | null = null;
  const window = (): BrowserWindow | null => main?.window ?? null;

  let theme: WindowState['theme'] = freshWindowState.theme;
  const quitting = new AbortController();
  app.once('before-quit', () => quitting.abort());
  const engine = startWhenFree({
    start: () => startEngine({ profileDir, logger, window, theme: () => theme, ...timesOfSystem() }),
    showWaiting: (error, signal) => showProfileInUse(error, signal, logger),
    clock: nodeClock,
    signal: quitting.signal,
  });
  // The promise is awaited below; a failure before that must not count as an unhandled rejection.
  engine.catch(() => undefined);
  const asks = createAsks(() => ipc.announce('onDidAsk', null));
  const show = () => {
    if (main !== null) return reveal(main.window);
    void openWindow().then(() => main && reveal(main.window), openFailed);
  };
  const openFailed = (error: unknown) => logger.error('shell.window-not-opened', { reason: String(error) });
  let updates: ShellUpdates | null = null;
  const presence = await openPresence({
    platform: process.platform,
    profileDir,
    iconFile: files.smallIcon,
    largeIconFile: files.icon,
    startCommand,
    clock: nodeClock,
    logger,
    appImage: ownAppImage({ program: process.execPath, environment: process.env }),
    window,
    show,
    onDidChangeMenu: () => buildMenu(),
    onDidChangeWork: () => updates?.noteWork(),
    showPlace(place) {
      asks.add({ kind: 'show', place });
      show();
    },
  });
  const { leaving } = presence;
  updates = await openUpdates({
    profileDir,
    startCommand,
    engine,
    logger,
    window,
    running: presence.runningWork,
    quit: leaving.quitNow,
    onDidChange: (changed) => ipc.announce('onDidChangeUpdates', changed),
  });
  const { calls: updateCalls, finish } = updates;
  stopBeforeQuit({
    mayQuit: leaving.mayQuit,
    onStopping: leaving.consent,
    async stop() {
      presence.stop();
      updates?.stop();
      await stopEngine(engine);
    },
    finish,
    limitMs: stopWithinMs,
    onFailed: (error) => logger.error('shell.stop-failed', { reason: String(error) }),
  });
  // The sender of a signal, such as the end of the session, can't answer a question.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leaving.quitNow);

  const setTheme = (chosen: WindowState['theme']) => {
    theme = chosen;
    buildMenu();
    main?.setTheme(chosen);
    ipc.announce('onDidChangeTheme', { theme });
  };
  const zoom = createZoom({ platform: process.platform, onChange: (factor) => main?.saveZoom(factor) });
  app.on('web-contents-created', (_event, contents) => zoom.attach(contents));
  const chosen = createChosenPaths();
  const shellCalls = createShellCalls({
    window,
    setTheme,
    zoom: zoom.change,
    hourCycle: () => timesOfSystem().hourCycle,
    engine,
    chosen,
    updates: updateCalls,
    presence: { ...presence.calls, 'shell.takeAsks': async () => asks.take() },
    faults: options.faults.reports,
    dragIcon: files.smallIcon,
    spelling: () => main?.spelling() ?? freshWindowState.spelling,
    setSpelling: (spelling) => main?.setSpelling(spelling),
  });
  const ipc = serveContract({ window, handle: routeCalls(engine, shellCalls, chosen), logger });
  options.faults.onDidReport.on(() => ipc.announce('onDidReportFault', null));
  const buildMenu = () => {
    const template = menuTemplate({
      platform: process.platform,
      development: !app.isPackaged,
      theme,
      send: (command) => ipc.announce('onDidMenuCommand', { command }),
      setTheme,
      zoom: zoom.change,
      quitsWhenFinished: leaving.quitsWhenFinished(),
      setQuitWhenFinished: leaving.setQuitWhenFinished,
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };

  const pageFaults = createPageFaults(window, nodeClock, logger, options.faults.reports);
  const openWindow = (how: 'shown' | 'minimized' = 'shown'): Promise<void> => {
    opening ??= createWindow(how).finally(() => {
      opening = null;
    });
    return opening;
  };
  const createWindow = async (how: 'shown' | 'minimized') => {
    const state = await readStored(storedWindowState(stateFile));
    theme = state.theme;
    zoom.set(state.zoom);
    buildMenu();
    main = openMainWindow({
      state,
      stateFile,
      isMinimized: how === 'minimized',
      preload: files.preload,
      iconFile: files.icon,
      ...pageFaults,
      onFrameMissing: () => logger.warn('shell.first-frame-missing'),
      onSaveFailed: (error) => logger.warn('shell.window-state-not-saved', { reason: String(error) }),
    });
    main.window.on('close', leaving.onClose);
    // Windows ends the session without `before-quit`, and soon ends the program: nothing may ask, and the last lines are written.
    main.window.on('session-end', () => {
      leaving.consent();
      logger.flush();
    });
    main.window.once('closed', () => {
      main = null;
    });
    return main.shown;
  };
  /** A start at login opens no window where an icon leads to it; elsewhere the window is minimized. */
  const startHidden = async () => {
    await presence.calls['shell.desktop'](null);
    if (presence.hasIcon()) return;
    await openWindow('minimized');
  };
  await serveApp(session.defaultSession, files.screens, {
    async readThumbnail(ref, signal) {
      const running = await engine;
      return (await running.thumbnail(ref, signal))?.bytes ?? null;
    },
    readContent: async (...request) => (await engine).content(...request),
  });
  const readStart = (args: readonly string[], workingDir: string) => {
    const given = takeOpenedList(profileDir, args) ?? { args, workingDir };
    return readStartArguments({ ...given, ignored: [app.getAppPath(), profileDir] });
  };
  const first = readStart(process.argv.slice(1), process.cwd());
  for (const ask of first.asks) asks.add(ask);
  instance.onSecondStart(({ args, workingDir }) => {
    const again = readStart(args, workingDir);
    for (const ask of again.asks) asks.add(ask);
    if (!again.isHidden) show();
  });
  const shown = first.isHidden ? startHidden() : openWindow();

  const running = await engine;
  announceEngineEvents(running, ipc.announce);
  running.startUploads();
  running.startWatching();
  running.startSyncing();
  await presence.follow(running);
  updates.start();
  await shown;

  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('activate', show);
}

/** Shows a message until the profile is free or the user quits. */
async function showProfileInUse(error: AppError, signal: AbortSignal, logger: Logger): Promise<void> {
  logger.warn('shell.waits-for-profile', { code: error.code });
  await dialog.showMessageBox({
    type: 'info',
    title: texts.dialogs.title,
    message: error.message,
    detail: texts.dialogs.profileInUse,
    buttons: [texts.dialogs.quit],
    signal,
  });
  logger.info(signal.aborted ? 'shell.profile-is-free' : 'shell.gave-up-waiting');
}

/** Returns how the system shows times of day and weeks, read once at the start. */
function timesOfSystem(): { hourCycle: HourCycle; weekStart: WeekStart } {
  const sources = {
    platform: process.platform,
    env: process.env,
    systemLocale: app.getSystemLocale(),
    readMacSetting: (name: string) => systemPreferences.getUserDefault(name, 'boolean'),
  };
  return { hourCycle: systemHourCycle(sources), weekStart: systemWeekStart(sources) };
}

/** Stops the engine. A start that failed has nothing to stop; the caller that awaited it reported the error. */
async function stopEngine(engine: Promise<Engine>): Promise<void> {
  const running = await engine.catch(() => null);
  await running?.stop();
}
