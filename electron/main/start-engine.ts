import { app, type BrowserWindow, shell } from 'electron';
import type { Theme } from '../../shared/contract/contract.ts';
import type { WeekStart } from '../../shared/model/calendar/calendar-days.ts';
import type { HourCycle } from '../../shared/model/date-time.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import type { Logger } from '../engine/ports/logger.ts';
import { createSystemKeychain } from '../engine/ports/system/keychain-system.ts';
import { nodeClock } from '../engine/ports/system/node-clock.ts';
import { nodeRandom } from '../engine/ports/system/node-random.ts';
import { playerWindows } from './player-window.ts';
import { embeddedBrowser } from './ports/embedded-browser.ts';
import { startKeytarUtility } from './ports/keytar-utility.ts';
import { createProxyResolver } from './ports/proxy-settings.ts';
import { systemBrowser } from './ports/system-browser.ts';
import { systemSignals } from './ports/system-signals.ts';

export interface StartEngineOptions {
  profileDir: string;
  logger: Logger;
  /** Returns the main window; the sign-in window belongs to it. */
  window(): BrowserWindow | null;
  theme(): Theme;
  hourCycle: HourCycle;
  weekStart: WeekStart;
}

/** Creates the engine with the ports of this desktop. Rejects with the errors of `createEngine`. */
export function startEngine(options: StartEngineOptions): Promise<Engine> {
  const { profileDir, logger, window, theme, hourCycle, weekStart } = options;
  return createEngine({
    profileDir,
    version: app.getVersion(),
    platform: process.platform,
    clock: nodeClock,
    random: nodeRandom,
    keychain: createSystemKeychain({ clock: nodeClock, startProcess: startKeytarUtility }),
    logger,
    theme,
    hourCycle,
    weekStart,
    trash: (path) => shell.trashItem(path),
    signals: systemSignals,
    proxyResolver: createProxyResolver(),
    players: playerWindows(window),
    openers: { embedded: embeddedBrowser(window), system: systemBrowser },
    // An administrator can distribute a shortcut that sets both; the demo does the same.
    presets: { baseUrl: process.env.MEDIADESK_SITE ?? '', clientId: process.env.MEDIADESK_CLIENT_ID ?? '' },
  });
}
