import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, Menu } from 'electron';
import { toAppError } from '../../shared/contract/app-error.ts';
import { registerAppScheme } from './app-protocol.ts';
import { chooseProfileDir } from './profile.ts';
import { lockDown } from './security.ts';
import { startShell } from './shell.ts';
import { claimSingleInstance, type SingleInstance } from './single-instance.ts';

// What must happen before Electron is ready, in this order; everything else is in shell.ts.
// Chromium can't sandbox its processes when started by root (containers, CI); this call would override --no-sandbox and
// nothing would start. For everyone else it makes the sandbox certain, whatever the command line says.
if (process.getuid?.() !== 0) app.enableSandbox();
app.setName('Mediadesk');
// The default menu would be built and thrown away at every start.
Menu.setApplicationMenu(null);

const profileDir = chooseProfileDir({
  argv: process.argv.slice(1),
  env: process.env,
  appDataDir: app.getPath('appData'),
  workingDir: process.cwd(),
});
mkdirSync(profileDir, { recursive: true, mode: 0o700 });
// Chromium's own files stay apart from ours, so that the profile can be read by a person.
app.setPath('userData', profileDir);
app.setPath('sessionData', join(profileDir, 'browser'));

registerAppScheme();
lockDown((what, address) => console.error(`Refused ${what}: ${address.slice(0, 200)}`));

const instance = claimSingleInstance();
if (instance === null) {
  app.quit();
} else {
  // Not a top-level await: Electron gets ready only after this module has run to its end.
  void app.whenReady().then(() => start(instance));
}

async function start(instance: SingleInstance): Promise<void> {
  try {
    await startShell({ profileDir, bundleDir: import.meta.dirname, instance });
    globalThis.__mediadeskReady = true;
  } catch (thrown) {
    const error = toAppError(thrown);
    console.error(`Mediadesk can't start: ${error.code}: ${error.message}`, error.cause ?? '');
    const detail = [error.nextStep, error.details ? JSON.stringify(error.details, null, 1) : null];
    await dialog.showMessageBox({
      type: 'error',
      title: 'Mediadesk',
      message: error.message,
      detail: detail.filter((line) => line !== null).join('\n\n'),
    });
    app.exit(error.code === 'profile.in-use' ? 4 : 1);
  }
}
