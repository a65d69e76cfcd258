import { describe, expect, it } from 'vitest';
import { type Activity, activityOf } from '../../../../electron/main/presence/activity.ts';
import { asksBeforeQuit, closeEffect } from '../../../../electron/main/presence/closing.ts';
import { FRESH_DESKTOP_PREFERENCES } from '../../../../shared/contract/desktop.ts';

const nothing = activityOf({ totals: null, folders: [], edits: null, downloads: [] });
const sending: Activity = { ...nothing, uploads: 3, progress: 0.5 };
const usual = FRESH_DESKTOP_PREFERENCES;

const effect = (facts: Partial<Parameters<typeof closeEffect>[0]>) =>
  closeEffect({ platform: 'linux', preferences: usual, activity: nothing, place: 'tray', ...facts });

describe('closing the window', () => {
  it.each(['linux', 'win32'] as const)('quits on %s when nothing runs, and asks when something does', (platform) => {
    expect(effect({ platform })).toBe('quit');
    for (const part of ['uploads', 'downloads', 'edits', 'folders'] as const) {
      expect(effect({ platform, activity: { ...nothing, [part]: 1 } })).toBe('ask');
    }
  });

  it('closes on a Mac, where programs work on without a window', () => {
    expect(effect({ platform: 'darwin', activity: sending, place: 'menu-bar' })).toBe('close');
  });

  it('hides the window only where an icon leads back to it', () => {
    const preferences = { ...usual, whenClosed: 'background' as const };
    expect(effect({ preferences, activity: sending })).toBe('hide');
    expect(effect({ preferences, activity: sending, place: 'minimized' })).toBe('minimize');
  });

  it('quits when the user chose that, whatever runs', () => {
    expect(effect({ preferences: { ...usual, whenClosed: 'quit' }, activity: sending })).toBe('quit');
  });
});

describe('quitting', () => {
  it('asks only while a transfer is not finished', () => {
    expect(asksBeforeQuit(usual, sending)).toBe(true);
    expect(asksBeforeQuit(usual, { ...nothing, downloads: 1 })).toBe(true);
    expect(asksBeforeQuit(usual, { ...nothing, folders: 2, edits: 5 })).toBe(false);
    expect(asksBeforeQuit({ ...usual, askBeforeQuit: false }, sending)).toBe(false);
  });
});
