import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { Settings, SettingsPatch } from '../../../../shared/contract/settings.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { attempt } from './messages-store.ts';

interface SettingsState {
  /** The active settings with the changes that are in flight; null until they are loaded. */
  settings: Settings | null;
  error: AppErrorData | null;
}

export const useSettings = create<SettingsState>(() => ({ settings: null, error: null }));

/** The settings as the engine last reported them. */
let active: Settings | null = null;
const reads = latestOnly();
const changes = latestOnly();
/** The number of changes without an answer. While there are any, the screen shows them, not the engine's settings. */
let inFlight = 0;

/** Stores the settings that the engine reports. */
export function takeSettings(settings: Settings): void {
  reads.cancel();
  storeSettings(settings);
}

function storeSettings(settings: Settings): void {
  active = settings;
  if (inFlight === 0) useSettings.setState({ settings, error: null });
}

export async function loadSettings(): Promise<void> {
  const read = reads.begin();
  try {
    const settings = await call('settings.get', null);
    if (read.accept()) storeSettings(settings);
  } catch (thrown) {
    if (read.accept()) useSettings.setState({ error: toErrorData(thrown) });
  }
}

/** Shows a change immediately and sends it to the engine. When the engine refuses it, the active settings are shown again. */
export function changeSettings(patch: SettingsPatch): Promise<void> {
  return attempt(async () => {
    const before = useSettings.getState().settings;
    if (before !== null) useSettings.setState({ settings: { ...before, ...patch } });
    const change = changes.begin();
    inFlight += 1;
    try {
      const settings = await call('settings.set', { patch });
      if (change.accept()) active = settings;
    } finally {
      inFlight -= 1;
      if (inFlight === 0 && active !== null) useSettings.setState({ settings: active, error: null });
    }
  });
}
