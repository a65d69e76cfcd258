import { create } from 'zustand';
import type { Updates } from '../../../../shared/contract/updates.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { openPanel, showSettings, useApp } from '../../common/state/app-store.ts';
import { attempt } from '../../common/state/messages-store.ts';

/** Updates of the app; null until they are loaded. */
export const useUpdates = create<{ updates: Updates | null }>(() => ({ updates: null }));

/** Stores the state that the shell reports. */
export function takeUpdates(updates: Updates): void {
  useUpdates.setState({ updates });
}

export function loadUpdates(): Promise<void> {
  return attempt(async () => takeUpdates(await call('shell.updates', null)));
}

/** Shows updates, above the sign-in page if there is no account, and looks for a newer version. */
export function openUpdates(): void {
  if (useApp.getState().siteId === null) openPanel('updates');
  else showSettings('updates');
  const { updates } = useUpdates.getState();
  const isFree = updates === null || !['downloading', 'installing', 'ready'].includes(updates.phase);
  if (isFree && updates?.installer !== 'nobody') void checkForUpdates();
}

export function checkForUpdates(): Promise<void> {
  return attempt(async () => takeUpdates(await call('shell.checkForUpdates', null)));
}

export function downloadUpdate(): Promise<void> {
  return attempt(async () => takeUpdates(await call('shell.downloadUpdate', null)));
}

/** Ends Mediadesk and starts the new version. */
export function installUpdate(): Promise<void> {
  return attempt(async () => {
    await call('shell.installUpdate', null);
  });
}

/** Turns the daily check on or off. */
export function setUpdates(isAutomatic: boolean): Promise<void> {
  return attempt(async () => takeUpdates(await call('shell.setUpdates', { isAutomatic })));
}
