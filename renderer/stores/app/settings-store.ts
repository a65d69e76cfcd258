import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { Settings, SettingsPatch } from '../../../shared/contract/settings.ts';
import { call } from '../../bridge/bridge.ts';
import { toErrorData } from '../../text/errors.ts';
import { attempt } from './messages-store.ts';

interface SettingsState {
  /** As they are in force, with changes that are on their way; null while they are not known. */
  settings: Settings | null;
  error: AppErrorData | null;
}

export const useSettings = create<SettingsState>(() => ({ settings: null, error: null }));

/** As the engine told them last. */
let inForce: Settings | null = null;
/** Changes that wait for their answer: until the last has come, an answer is of a state before what is shown. */
let underWay = 0;
let begun = 0;
/** The latest change whose answer has come: an answer to one before it is older. */
let answered = 0;

export function takeSettings(settings: Settings): void {
  inForce = settings;
  if (underWay === 0) useSettings.setState({ settings, error: null });
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
    const mine = ++begun;
    underWay += 1;
    try {
      const settings = await call('settings.set', { patch });
      if (mine > answered) inForce = settings;
      answered = Math.max(answered, mine);
    } finally {
      underWay -= 1;
      if (underWay === 0 && inForce !== null) useSettings.setState({ settings: inForce, error: null });
    }
  });
}
