// The only user of electron-updater. It downloads through the network of the engine, and installs on macOS and Windows. It never
// reads a feed: it gets what was verified. Its own way to replace an AppImage deletes the old file first, so that way is not used.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppUpdater, BaseUpdater } from 'electron-updater';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { Logger } from '../../engine/ports/logger.ts';
import type { AppInstaller, Offer } from './app-installer.ts';
import { asDiskError, fetchUpdateFile, type OpenAddress } from './fetch-update.ts';
import { hashOf, putAside, removeAside, replaceByAside, requireReplaceable } from './replace-file.ts';

export interface ElectronInstallerOptions {
  platform: NodeJS.Platform;
  version: string;
  /** The AppImage that runs; null on other systems. */
  appImage: string | null;
  /** The folder for downloads, in the profile. */
  folder: string;
  open: OpenAddress;
  logger: Logger;
  quit(): void;
  /** Starts this file when the app has ended. */
  relaunch(program: string): void;
}

/** The file that each system installs. */
export const EXTENSIONS = { darwin: '.zip', win32: '.exe', linux: '.appimage' } as const;

/** Below the folder of the installer. */
const DOWNLOADS = 'files';

/** How long macOS may take to check and unpack the new app. */
const MAC_INSTALL_MS = 3 * 60_000;

/** Creates the installer of a system: the app itself replaces its files. electron-updater is loaded when it is needed. */
export function createElectronInstaller(options: ElectronInstallerOptions): AppInstaller {
  const { platform, appImage, folder, relaunch } = options;
  let prepared: { updater: AppUpdater; path: string; offer: Offer } | null = null;
  return {
    async requireReplaceable() {
      if (appImage !== null) await requireReplaceable(appImage);
    },
    async prepare(offer, onProgress, signal) {
      prepared = null;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const updater = await updaterFor(options, offer, onProgress, signal);
        const found = await updater.checkForUpdates();
        if (found?.isUpdateAvailable !== true) throw appError('update.not-available');
        const [path = ''] = await updater.downloadUpdate();
        if (appImage !== null) await putAside(path, appImage, offer.file.sha512);
        prepared = { updater, path, offer };
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof AppError ? error : asDiskError(error, folder);
      }
    },
    async tidy() {
      prepared = null;
      if (appImage !== null) await removeAside(appImage);
      await rm(join(folder, DOWNLOADS), { recursive: true, force: true });
    },
    async install() {
      if (prepared === null) throw appError('update.not-available');
      const { updater, path, offer } = prepared;
      if (appImage !== null) {
        await replaceByAside(appImage);
        relaunch(appImage);
        return;
      }
      if ((await hashOf(path)) !== offer.file.sha512) throw appError('update.file-differs', { details: { path } });
      if (platform === 'darwin') await installOnMac(updater);
      // Silent, and the new version is started afterwards.
      else if (!(updater as BaseUpdater).install(true, true)) throw appError('update.not-installed');
    },
  };
}

/** Returns an updater that knows one version, and fetches its file through `open`. */
async function updaterFor(
  { platform, version, folder, open, logger, quit }: ElectronInstallerOptions,
  offer: Offer,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<AppUpdater> {
  const { default: library } = await import('electron-updater');
  const { AppImageUpdater, MacUpdater, NsisUpdater, Provider } = library;
  const info = {
    version: offer.version,
    files: [{ ...offer.file }],
    path: offer.file.url,
    sha512: offer.file.sha512,
    releaseDate: offer.signedAt,
  };
  class VerifiedProvider extends Provider<typeof info> {
    // The library creates it with (options, updater, runtimeOptions).
    constructor(...args: unknown[]) {
      super(args[2] as never);
    }
    override getLatestVersion = async () => info;
    override resolveFiles = () => [{ url: offer.url, info: { ...offer.file } }];
  }
  const configuration = join(folder, 'electron-updater.yml');
  // The name of its folder for downloads, which is in `baseCachePath`.
  await writeFile(configuration, `updaterCacheDirName: ${DOWNLOADS}\n`, { mode: 0o600 });
  const adapter = {
    version,
    name: 'mediadesk',
    isPackaged: true,
    appUpdateConfigPath: configuration,
    userDataPath: folder,
    baseCachePath: folder,
    quit,
    whenReady: async () => undefined,
    relaunch: () => undefined,
    onQuit: () => undefined,
  };
  const Updater = { darwin: MacUpdater, win32: NsisUpdater, linux: AppImageUpdater }[platform as 'linux'];
  const updater: AppUpdater = new Updater(null, adapter);
  const download = async (url: URL, path: string) => {
    const report = (bytes: number) => onProgress(bytes / offer.file.size);
    await fetchUpdateFile({ open, url, file: offer.file, path, signal, onProgress: report });
    return path;
  };
  // With an adapter the library makes no executor of its own, whose requests would use other certificates and proxies.
  Object.assign(updater, { httpExecutor: { download } });
  const log = (message: unknown) => logger.debug('update.library', { message: String(message).slice(0, 500) });
  updater.logger = { info: log, warn: log, error: log, debug: log };
  updater.setFeedURL({ provider: 'custom', updateProvider: VerifiedProvider as never });
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowPrerelease = false;
  // After everything that could switch it on.
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  // A part of a file would come through another way than `download`.
  updater.disableDifferentialDownload = true;
  updater.isUpdateSupported = (found) => found.version === offer.version;
  // Decided before, with the id of this installation.
  updater.isUserWithinRollout = () => true;
  return updater;
}

/** Squirrel takes the file, checks its signature and ends the app. Rejects when it refuses the file. */
function installOnMac(updater: AppUpdater): Promise<void> {
  return new Promise((_resolve, reject) => {
    updater.once('error', reject);
    setTimeout(() => reject(new Error('The system did not install the update in time.')), MAC_INSTALL_MS);
    updater.quitAndInstall();
  });
}
