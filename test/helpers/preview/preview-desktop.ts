import type { CallInput } from '../../../shared/contract/contract.ts';
import { type Desktop, desktopPreferencesSchema } from '../../../shared/contract/desktop.ts';

const DESKTOP: Desktop = {
  preferences: desktopPreferencesSchema.parse({}),
  ...{ background: 'tray', canNotify: true, canKeepAwake: true, login: { isOn: false, file: null } },
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
  'shell.dragDownload': () => null,
  'shell.takeAsks': () => [],
  'shell.faults': () => [],
  'shell.dismissFaults': () => null,
};
