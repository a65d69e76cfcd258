import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, type BrowserWindow, Notification, powerMonitor } from 'electron';
import type { BackgroundPlace, Desktop, ShownPlace } from '../../../shared/contract/desktop.ts';
import type { RunningWork } from '../../../shared/contract/updates.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Clock } from '../../engine/ports/clock.ts';
import type { Logger } from '../../engine/ports/logger.ts';
import { connectSessionBus, type SessionBus } from '../ports/session-bus.ts';
import { createSleepLock } from '../ports/sleep-lock.ts';
import { makeDefaultEntry } from '../ports/xdg-mime.ts';
import type { ShellCalls } from '../shell-calls.ts';
import { type Activity, activityOf, runningWork } from './activity.ts';
import { type ActivityWatch, watchActivity } from './activity-watch.ts';
import { openDesktopPreferences } from './desktop-preferences.ts';
import { createKeepAwake, type KeepAwake } from './keep-awake.ts';
import { createLeaving, type Leaving } from './leaving.ts';
import { appImageMenuEntry, type DesktopMenuEntry } from './menu-entry.ts';
import { startNotices } from './notices.ts';
import { HIDDEN_ARGUMENT, linuxStartAtLogin, type StartAtLogin, systemStartAtLogin } from './start-at-login.ts';
import { createTaskbar, taskbarState } from './taskbar.ts';
import { showTrayIcon, type TrayIcon } from './tray.ts';
import { findTrayHost } from './tray-host.ts';

export interface PresenceOptions {
  platform: NodeJS.Platform;
  profileDir: string;
  iconFile: string;
  /** A picture of 256 pixels. */
  largeIconFile: string;
  /** The AppImage that this program runs from; null: it doesn't. */
  appImage: string | null;
  /** The command that starts this app with this profile. */
  startCommand: readonly string[];
  clock: Clock;
  logger: Logger;
  window(): BrowserWindow | null;
  /** Shows the window; opens one when there is none. */
  show(): void;
  /** The menu of the window shows whether Mediadesk quits when it is finished. */
  onDidChangeMenu(): void;
  /** The work of the engine changed. */
  onDidChangeWork(): void;
  /** Shows the window at a place, such as the uploads. */
  showPlace(place: ShownPlace): void;
}

/** Mediadesk on the desktop outside of its window: tray, taskbar, notifications, the start at login, closing and quitting. */
export interface Presence {
  leaving: Leaving;
  calls: Pick<ShellCalls, 'shell.desktop' | 'shell.setDesktop' | 'shell.setStartAtLogin' | 'shell.setMenuEntry'>;
  /** Follows the work of the engine. */
  follow(engine: Engine): Promise<void>;
  /** The work that a restart would interrupt; null: not known yet. */
  runningWork(): RunningWork | null;
  /** Whether the user can reach Mediadesk without a window. */
  hasIcon(): boolean;
  stop(): void;
}

const NO_ACTIVITY = activityOf({ totals: null, folders: [], edits: null, downloads: [] });

/** Reads the preferences, then looks in the background for what this desktop offers. */
export async function openPresence(options: PresenceOptions): Promise<Presence> {
  const { platform, clock, logger, window } = options;
  const preferences = await openDesktopPreferences(join(options.profileDir, 'desktop.json'));
  const login = startAtLogin(options);
  const entry = menuEntry(options);
  const showOnTaskbar = createTaskbar(window);
  let bus: SessionBus | null = null;
  let hasTray = false;
  let icon: TrayIcon | null = null;
  let awake: KeepAwake | null = null;
  let work: ActivityWatch | null = null;
  let running: Engine | null = null;
  const ends: (() => void)[] = [];

  const activity = (): Activity => work?.activity() ?? NO_ACTIVITY;
  const place = (): BackgroundPlace => {
    if (platform === 'darwin') return 'menu-bar';
    return hasTray ? 'tray' : 'minimized';
  };
  const failed = (error: unknown) => logger.error('shell.desktop-failed', { reason: String(error) });
  const leaving = createLeaving({
    platform,
    window,
    preferences,
    activity,
    place,
    sending: async (limit) => {
      const filter = 'active' as const;
      const answer = await running?.call('uploads.list', { filter, batchId: null, offset: 0, limit: 500 });
      const rows = answer?.rows.filter(({ state }) => state === 'sending') ?? [];
      return { rows: rows.slice(0, limit), total: rows.length };
    },
    onDidChange() {
      icon?.update(trayState());
      options.onDidChangeMenu();
    },
    onFailed: failed,
  });
  const trayState = () => ({ activity: activity(), quitsWhenFinished: leaving.quitsWhenFinished() });

  const setTray = (isShown: boolean) => {
    hasTray = isShown;
    logger.info('shell.tray', { isShown });
    if (!isShown) {
      icon?.destroy();
      icon = null;
      // The window would be out of reach.
      const hidden = window();
      if (hidden !== null && !hidden.isDestroyed() && !hidden.isVisible()) {
        hidden.showInactive();
        hidden.minimize();
      } else if (hidden === null) options.show();
      return;
    }
    icon ??= showTrayIcon(
      {
        iconFile: options.iconFile,
        clock,
        show: options.show,
        quit: () => app.quit(),
        setPaused: (isPaused) =>
          void running?.call(isPaused ? 'uploads.pause' : 'uploads.resume', { kind: 'all' }).catch(failed),
        setQuitWhenFinished: leaving.setQuitWhenFinished,
      },
      trayState(),
    );
  };

  const lookAround = async () => {
    if (platform === 'linux') {
      bus = connectSessionBus(process.env, (reason) => logger.warn('shell.bus-lost', { reason }));
    }
    const host = await findTrayHost(platform, bus);
    ends.push(host.onDidChange.on(setTray), host.close);
    if (host.isShown()) setTray(true);
    awake = createKeepAwake(await createSleepLock(platform, bus), clock, preferences.get().keepAwake);
  };
  const ready = lookAround().catch(failed);
  ends.push(preferences.onDidChange.on(({ keepAwake }) => awake?.setAllowed(keepAwake)));
  powerMonitor.on('shutdown', leaving.consent);
  try {
    login.refresh();
    entry?.refresh();
  } catch (error) {
    failed(error);
  }

  const desktop = (): Desktop => ({
    preferences: preferences.get(),
    background: place(),
    canNotify: Notification.isSupported(),
    canKeepAwake: awake?.isHonored() ?? null,
    login: login.state(),
    entry: entry?.state() ?? null,
  });
  return {
    leaving,
    hasIcon: () => hasTray || platform === 'darwin',
    runningWork: () => (work === null ? null : runningWork(work.facts())),
    calls: {
      async 'shell.desktop'() {
        await ready;
        return desktop();
      },
      async 'shell.setDesktop'({ patch }) {
        preferences.set(patch);
        return desktop();
      },
      async 'shell.setStartAtLogin'({ isOn }) {
        login.set(isOn);
        return desktop();
      },
      async 'shell.setMenuEntry'({ isOn }) {
        await entry?.set(isOn);
        return desktop();
      },
    },
    async follow(engine) {
      running = engine;
      const followed = await watchActivity(engine, clock);
      await ready;
      work = followed;
      const take = (now: Activity) => {
        showOnTaskbar(taskbarState(now));
        icon?.update(trayState());
        leaving.noteActivity(now);
        options.onDidChangeWork();
      };
      take(followed.activity());
      ends.push(
        followed.onDidChange.on(take),
        followed.close,
        engine.on('onDidChangeUploads', ({ totals }) => awake?.note('uploads', totals.sentBytes)),
        engine.on('onDidChangeDownloads', (all) =>
          awake?.note(
            'downloads',
            all.reduce((sum, { doneBytes }) => sum + doneBytes, 0),
          ),
        ),
        startNotices({
          engine,
          work: followed,
          clock,
          preferences,
          isFocused: () => window()?.isFocused() ?? false,
          show: options.showPlace,
          failed,
        }),
      );
    },
    stop() {
      for (const end of ends.splice(0)) end();
      powerMonitor.off('shutdown', leaving.consent);
      awake?.release();
      icon?.destroy();
      icon = null;
      bus?.close();
    },
  };
}

function startAtLogin({ platform, startCommand }: PresenceOptions): StartAtLogin {
  if (platform === 'linux') return linuxStartAtLogin(process.env, homedir(), [...startCommand, HIDDEN_ARGUMENT]);
  return systemStartAtLogin(app, [...startCommand.slice(1), HIDDEN_ARGUMENT]);
}

function menuEntry({ appImage, largeIconFile }: PresenceOptions): DesktopMenuEntry | null {
  if (appImage === null) return null;
  return appImageMenuEntry({
    env: process.env,
    home: homedir(),
    appImage,
    iconFile: largeIconFile,
    makeDefault: makeDefaultEntry,
  });
}
