import type { BackgroundPlace, DesktopPreferences } from '../../../shared/contract/desktop.ts';
import { type Activity, isAppAtWork, isTransferring } from './activity.ts';

/**
 * What happens when the user closes the window.
 * - `close`: the window closes; on a Mac, Mediadesk works on
 * - `hide`: the window disappears, the icon in the tray stays
 * - `minimize`: the window stays in the taskbar
 */
export type CloseEffect = 'close' | 'hide' | 'minimize' | 'ask' | 'quit';

export interface CloseFacts {
  platform: NodeJS.Platform;
  preferences: DesktopPreferences;
  activity: Activity;
  place: BackgroundPlace;
}

/** Decides what closing the window does. Nothing that would be hard to find again is hidden. */
export function closeEffect({ platform, preferences, activity, place }: CloseFacts): CloseEffect {
  if (platform === 'darwin') return 'close';
  if (preferences.whenClosed === 'background') return backgroundEffect(place);
  return isAppAtWork(activity) && preferences.whenClosed === 'ask' ? 'ask' : 'quit';
}

/** Returns how a window goes to the background. */
export function backgroundEffect(place: BackgroundPlace): 'hide' | 'minimize' {
  return place === 'minimized' ? 'minimize' : 'hide';
}

/** Returns whether quitting needs the user's consent: transfers would start again from their first byte. */
export function asksBeforeQuit(preferences: DesktopPreferences, activity: Activity): boolean {
  return preferences.askBeforeQuit && isTransferring(activity);
}
