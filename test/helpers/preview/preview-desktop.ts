import type { CallInput } from '../../../shared/contract/contract.ts';
import { type Desktop, desktopPreferencesSchema, FRESH_DESKTOP_PREFERENCES } from '../../../shared/contract/desktop.ts';
import type { Updates } from '../../../shared/contract/updates.ts';

const DESKTOP: Desktop = {
  preferences: FRESH_DESKTOP_PREFERENCES,
  ...{ background: 'tray', canNotify: true, canKeepAwake: true, login: { isOn: false, file: null } },
  entry: null,
};

/** The answers of the shell about a desktop with a tray. */
export const DESKTOP_HANDLERS = {
  'shell.desktop': () => DESKTOP,
  'shell.setDesktop': ({ patch }: CallInput<'shell.setDesktop'>) => ({
    ...DESKTOP,
    preferences: desktopPreferencesSchema.parse({ ...DESKTOP.preferences, ...patch }),
  }),
  'shell.setStartAtLogin': ({ isOn }: CallInput<'shell.setStartAtLogin'>) => ({
    ...DESKTOP,
    login: { ...DESKTOP.login, isOn },
  }),
  'shell.setMenuEntry': () => DESKTOP,
  'shell.dragDownload': () => null,
  'shell.takeAsks': () => [],
  'shell.faults': () => [],
  'shell.dismissFaults': () => null,
};

const UPDATES: Updates = {
  ...{ version: '0.1.0', installer: 'nobody', isAutomatic: true, phase: 'unknown' },
  ...{ checkedAt: null, offer: null, progress: null, problem: null, running: null },
};

/** The answers of the shell about updates: a build without a server for them. */
export const UPDATE_HANDLERS = {
  'shell.updates': () => UPDATES,
  'shell.checkForUpdates': () => UPDATES,
  'shell.downloadUpdate': () => UPDATES,
  'shell.installUpdate': () => null,
  'shell.setUpdates': ({ isAutomatic }: CallInput<'shell.setUpdates'>) => ({ ...UPDATES, isAutomatic }),
  'shell.about': () => ({ electron: '45.4.1', node: '24.0.0', notices: null }),
};
