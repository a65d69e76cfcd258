import { create } from 'zustand';
import type { Desktop, DesktopPreferencesPatch } from '../../../../shared/contract/desktop.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { attempt } from '../../common/state/messages-store.ts';

/** How Mediadesk behaves on this desktop; null until it is loaded. */
export const useDesktop = create<{ desktop: Desktop | null }>(() => ({ desktop: null }));

const answers = latestOnly();

function take(request: () => Promise<Desktop>): Promise<void> {
  return attempt(async () => {
    const answer = answers.begin();
    const desktop = await request();
    if (answer.accept()) useDesktop.setState({ desktop });
  });
}

export function loadDesktop(): Promise<void> {
  return take(() => call('shell.desktop', null));
}

/** Changes preferences; the shell stores them. */
export function changeDesktop(patch: DesktopPreferencesPatch): Promise<void> {
  return take(() => call('shell.setDesktop', { patch }));
}

/** Makes the entry in the menu of the desktop, or removes it. */
export function setMenuEntry(isOn: boolean): Promise<void> {
  return take(() => call('shell.setMenuEntry', { isOn }));
}

/** Registers the start at login with the system, or removes the registration. */
export function setStartAtLogin(isOn: boolean): Promise<void> {
  return take(() => call('shell.setStartAtLogin', { isOn }));
}
