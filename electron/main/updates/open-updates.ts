import { join } from 'node:path';
import { app, type BrowserWindow } from 'electron';
import { toAppError } from '../../../shared/contract/app-error.ts';
import type { RunningWork, UPDATE_CALLS, Updates } from '../../../shared/contract/updates.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Logger } from '../../engine/ports/logger.ts';
import { nodeClock } from '../../engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../engine/ports/system/node-random.ts';
import type { ShellCalls } from '../shell-calls.ts';
import { createElectronInstaller, EXTENSIONS } from './electron-installer.ts';
import { restartArguments } from './restart-arguments.ts';
import { openUpdateMemory } from './update-memory.ts';
import { ownAppImage, updateInstaller, updateSource } from './update-source.ts';
import { createUpdates } from './updates.ts';

export interface OpenUpdatesOptions {
  profileDir: string;
  /** The command that starts this app with this profile. */
  startCommand: readonly string[];
  engine: Promise<Engine>;
  logger: Logger;
  window(): BrowserWindow | null;
  running(): RunningWork | null;
  onDidChange(updates: Updates): void;
  /** Quits without a question. */
  quit(): void;
}

/** Updates of the app on this system. */
export interface ShellUpdates {
  calls: Pick<ShellCalls, keyof typeof UPDATE_CALLS>;
  start(): void;
  noteWork(): void;
  stop(): void;
  /** Installs the update that the user chose, after the engine has ended. Does nothing when there is none. Never rejects. */
  finish(): Promise<void>;
}

/** Reads what is known about updates, and creates the calls. Nothing is asked before `start`. */
export async function openUpdates(options: OpenUpdatesOptions): Promise<ShellUpdates> {
  const { profileDir, startCommand, engine, logger, window } = options;
  const { platform, arch, env: environment } = process;
  const source = updateSource({ built: __MEDIADESK_UPDATES__, isPackaged: app.isPackaged, environment });
  const facts = { platform, hasSource: source !== null, program: process.execPath, environment };
  const who = updateInstaller(facts);
  const folder = join(profileDir, 'updates');
  const memory = await openUpdateMemory(join(profileDir, 'updates.json'), () => nodeRandom.uuid());
  const open: Engine['open'] = async (...request) => (await engine).open(...request);
  const relaunch = (program: string) =>
    app.relaunch({ execPath: program, args: restartArguments(startCommand, process.argv.slice(1)) });
  const installer = createElectronInstaller({
    platform,
    folder,
    open,
    logger,
    relaunch,
    version: app.getVersion(),
    appImage: platform === 'linux' ? ownAppImage(facts) : null,
    quit: () => app.quit(),
  });
  const extension = EXTENSIONS[platform as keyof typeof EXTENSIONS];
  let isChosen = false;
  const updates = createUpdates({
    version: app.getVersion(),
    platform,
    arch,
    source,
    who,
    memory,
    open,
    logger,
    clock: nodeClock,
    installer: who === 'app' ? { extension, of: installer } : null,
    running: options.running,
    isShown: () => window()?.isVisible() === true,
    onDidChange: options.onDidChange,
    restart() {
      isChosen = true;
      options.quit();
    },
  });
  return {
    calls: {
      'shell.updates': async () => updates.state(),
      'shell.checkForUpdates': () => updates.check(true),
      'shell.downloadUpdate': () => updates.download(),
      async 'shell.installUpdate'() {
        updates.install();
        return null;
      },
      'shell.setUpdates': async ({ isAutomatic }) => updates.setAutomatic(isAutomatic),
    },
    start: updates.start,
    noteWork: updates.noteWork,
    stop: updates.stop,
    async finish() {
      if (!isChosen) return;
      try {
        await installer.install();
      } catch (thrown) {
        const error = toAppError(thrown);
        logger.error('update.not-installed', { code: error.code, cause: String(error.cause ?? '') });
        updates.noteNotInstalled(error);
        relaunch(startCommand[0] ?? process.execPath);
      }
    },
  };
}
