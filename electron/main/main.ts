import '../engine/ports/system/small-heap.ts';
import '../engine/ports/system/wide-thread-pool.ts';
import '../engine/ports/system/named-time-zone.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, crashReporter, dialog, Menu } from 'electron';
import { type AppError, appError, toAppError } from '../../shared/contract/app-error.ts';
import { Emitter } from '../engine/common/emitter.ts';
import { nodeClock } from '../engine/ports/system/node-clock.ts';
import { prepareProfile } from '../engine/store/prepare-profile.ts';
import { registerAppScheme } from './app-protocol.ts';
import { createFaultReports } from './faults/fault-reports.ts';
import { createFaults } from './faults/faults.ts';
import { printError } from './main-output.ts';
import { createFileLogger } from './ports/file-logger.ts';
import { writeOpenedList } from './presence/opened-list.ts';
import { HIDDEN_ARGUMENT } from './presence/start-at-login.ts';
import { chooseProfileDir } from './profile.ts';
import { isRefusedWithoutSandbox } from './sandbox.ts';
import { lockDown } from './security.ts';
import { startShell } from './shell.ts';
import { shortArguments } from './short-arguments.ts';
import { claimSingleInstance, type SingleInstance } from './single-instance.ts';
import { texts } from './texts.ts';
import { ownAppImage } from './updates/update-source.ts';
import { readableOrigin } from './web-address.ts';

// The steps before Electron is ready, in this order; everything else is in shell.ts. Chromium can't sandbox its processes when
// started by root (containers, CI); this call would override --no-sandbox and the app would not start. For every other user it
// enables the sandbox, see also `isRefusedWithoutSandbox`.
const isRefused = isRefusedWithoutSandbox({
  platform: process.platform,
  userId: process.getuid?.(),
  // Asked before the next line, which removes this switch.
  isSwitchedOff: app.commandLine.hasSwitch('no-sandbox'),
});
if (process.getuid?.() !== 0) app.enableSandbox();
app.setName('Mediadesk');
// Prevents Electron from building a default menu that the app replaces.
Menu.setApplicationMenu(null);

const profileDir = chooseProfileDir({
  argv: process.argv.slice(1),
  env: process.env,
  appDataDir: app.getPath('appData'),
  workingDir: process.cwd(),
});
try {
  prepareProfile(profileDir);
} catch (thrown) {
  // Without a profile there is no log, and no folder for Chromium: nothing else can start.
  const { message, nextStep, details } = toAppError(thrown);
  const reason = [message, details?.path, details?.reason, nextStep].filter(Boolean).join('\n');
  printError(`Mediadesk can't start: ${reason}`);
  dialog.showErrorBox(texts.dialogs.title, reason);
  app.exit(1);
}
// Chromium's files get a separate folder, so that the profile stays readable.
app.setPath('userData', profileDir);
app.setPath('sessionData', join(profileDir, 'browser'));

const logger = createFileLogger({
  folder: join(profileDir, 'logs'),
  clock: nodeClock,
  level: app.isPackaged ? 'info' : 'debug',
  ...(app.isPackaged ? {} : { echo: printError }),
});
process.on('exit', () => logger.flush());

// Dumps of crashes stay in the profile; nothing is sent.
const dumps = join(profileDir, 'browser', 'crashes');
mkdirSync(dumps, { recursive: true, mode: 0o700 });
app.setPath('crashDumps', dumps);
crashReporter.start({ uploadToServer: false, submitURL: '' });
const reports = createFaultReports({
  folder: join(profileDir, 'faults'),
  dumps,
  logFile: join(profileDir, 'logs', 'mediadesk.log'),
  facts: {
    version: app.getVersion(),
    electron: process.versions.electron,
    node: process.versions.node,
    system: `${process.platform} ${process.getSystemVersion()} ${process.arch}`,
  },
  onFailed: (error) => printError(`The report about a fault can't be written: ${String(error)}`),
});
const onDidReportFault = new Emitter<null>();
const handleFault = createFaults({
  reports,
  now: Date.now,
  notify: () => onDidReportFault.emit(null),
  restart() {
    app.relaunch({ args: process.argv.slice(1).filter((argument) => argument !== HIDDEN_ARGUMENT) });
    process.emit('SIGTERM');
  },
});
process.on('uncaughtException', (error) => {
  logger.error('shell.fault', { reason: String(error) });
  handleFault('uncaught exception', error);
});
process.on('unhandledRejection', (error) => {
  logger.error('shell.fault', { reason: String(error) });
  handleFault('unhandled rejection', error);
});

registerAppScheme();
lockDown((what, address) => logger.warn('shell.refused', { what, origin: readableOrigin(address) }));

const shorter = shortArguments(process.argv.slice(1));
const instance = isRefused || shorter !== null ? null : claimSingleInstance();
if (isRefused) {
  void app.whenReady().then(() => reportFailedStart(appError('app.no-sandbox')));
} else if (shorter !== null) {
  // The files follow in a list in the profile.
  const list = writeOpenedList(profileDir, { args: process.argv.slice(1), workingDir: process.cwd() });
  app.relaunch({ args: [...shorter, list] });
  app.exit(0);
} else if (instance === null) {
  app.quit();
} else {
  reports.beginRun();
  process.on('exit', () => reports.endRun());
  // Not a top-level await: Electron becomes ready only after this module has finished.
  void app.whenReady().then(() => start(instance));
}

async function start(instance: SingleInstance): Promise<void> {
  try {
    await startShell({
      profileDir,
      bundleDir: import.meta.dirname,
      instance,
      startCommand: startCommand(),
      logger,
      faults: { reports, onDidReport: onDidReportFault },
    });
    globalThis.__mediadeskReady = true;
    const { electron, node, chrome } = process.versions;
    logger.info('shell.ready', {
      version: app.getVersion(),
      electron,
      node,
      chrome,
      afterMs: Math.round(process.uptime() * 1000),
    });
  } catch (thrown) {
    await reportFailedStart(toAppError(thrown));
  }
}

/**
 * Returns the command that starts this app again with this profile. An AppImage is started by its own file, because the path of its
 * program is new each time. Without a package, the folder of the app follows the program.
 */
function startCommand(): string[] {
  const program = ownAppImage({ program: process.execPath, environment: process.env }) ?? process.execPath;
  const given = process.argv.slice(1);
  const folder = app.isPackaged || process.defaultApp !== true ? [] : [app.getAppPath()];
  const isOwnProfile = given.some((argument) => argument === '--profile' || argument.startsWith('--profile='));
  return [program, ...folder, ...(isOwnProfile ? [`--profile=${profileDir}`] : [])];
}

/** Shows why no window opens, and ends with the exit code that the command line uses for the same error. */
async function reportFailedStart(error: AppError): Promise<void> {
  logger.error('shell.start-failed', { code: error.code, reason: error.message, cause: String(error.cause ?? '') });
  printError(`Mediadesk can't start: ${error.code}: ${error.message}`);
  const exitCode = error.code === 'profile.in-use' ? 4 : error.code === 'profile.disk-full' ? 5 : 1;
  // Applies to every way to close the message below: its button or a signal.
  app.on('will-quit', () => app.exit(exitCode));
  // The message during the wait for the profile has shown this error already.
  if (error.code === 'profile.in-use') return app.exit(exitCode);
  // A window without an engine is useless. This listener prevents that closing it ends the app before the message.
  app.on('window-all-closed', () => undefined);
  for (const window of BrowserWindow.getAllWindows()) window.destroy();
  const detail = [error.nextStep, error.details ? JSON.stringify(error.details, null, 1) : null];
  await dialog.showMessageBox({
    type: 'error',
    title: texts.dialogs.title,
    message: error.message,
    detail: detail.filter((line) => line !== null).join('\n\n'),
  });
  app.exit(exitCode);
}
