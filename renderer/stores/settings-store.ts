import { create } from 'zustand';
import type { AppErrorData } from '../../shared/contract/app-error.ts';
import type { Settings, SettingsPatch } from '../../shared/contract/settings.ts';
import { call } from '../bridge/bridge.ts';
import { toErrorData } from '../text/errors.ts';
import { attempt } from './messages-store.ts';

interface SettingsState {
  /** As they are in force; null while they are not known. */
  settings: Settings | null;
  error: AppErrorData | null;
}

export const useSettings = create<SettingsState>(() => ({ settings: null, error: null }));

export function takeSettings(settings: Settings): void {
  useSettings.setState({ settings, error: null });
}

export async function loadSettings(): Promise<void> {
  try {
    takeSettings(await call('settings.get', null));
  } catch (thrown) {
    useSettings.setState({ error: toErrorData(thrown) });
  }
}

/** Changes settings at once. Where the engine refuses, what is shown goes back to what is in force. */
export function changeSettings(patch: SettingsPatch): Promise<void> {
  return attempt(async () => {
    const before = useSettings.getState().settings;
    if (before !== null) useSettings.setState({ settings: { ...before, ...patch } });
    try {
      takeSettings(await call('settings.set', { patch }));
    } catch (thrown) {
      useSettings.setState({ settings: before });
      throw thrown;
    }
  });
}
