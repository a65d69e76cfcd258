import { describe, expect, it } from 'vitest';
import { busyReason, updateHint, updateTitle } from '../../../../../renderer/features/settings/updates/updates-text.ts';
import type { Updates } from '../../../../../shared/contract/updates.ts';

const IDLE = { uploads: 0, downloads: 0, edits: 0, sweeps: 0 };
const of = (changes: Partial<Updates>): Updates => ({
  version: '0.1.0',
  installer: 'app',
  isAutomatic: true,
  phase: 'unknown',
  checkedAt: null,
  offer: null,
  progress: null,
  problem: null,
  running: IDLE,
  ...changes,
});
const offer = { version: '0.2.0', notes: '', sizeBytes: 80_000_000 };

describe('the line about updates', () => {
  it.each([
    [of({}), 'Not checked yet', 'Mediadesk hasn’t looked for updates yet.'],
    [
      of({ phase: 'available', offer }),
      'Version 0.2.0 is available',
      '80 MB to download. Nothing is installed before you restart.',
    ],
    [
      of({ phase: 'available', installer: 'package-manager', offer: { ...offer, sizeBytes: null } }),
      'Version 0.2.0 is available',
      'Your system’s package manager installs it, with its other updates.',
    ],
    [
      of({ phase: 'ready', offer }),
      'Version 0.2.0 is ready',
      'The download was verified. The restart takes a few seconds.',
    ],
    [of({ phase: 'ready', offer, running: { ...IDLE, edits: 2 } }), 'Version 0.2.0 is ready', 'Waits for 2 edits.'],
    [of({ phase: 'failed' }), 'The check failed', 'Mediadesk hasn’t looked for updates yet.'],
    [of({ phase: 'failed', offer }), 'The update failed', 'Mediadesk hasn’t looked for updates yet.'],
    [of({ installer: 'nobody' }), 'This build can’t update itself', 'Get new versions from where you got this one.'],
  ])('says what is so and what follows (%#)', (updates, title, hint) => {
    expect([updateTitle(updates), updateHint(updates)]).toEqual([title, hint]);
  });
});

describe('the reason why a restart waits', () => {
  it('names all work with its number, and what helps', () => {
    expect(busyReason({ uploads: 3, downloads: 1, edits: 0, sweeps: 2 })).toBe(
      'Waits for 3 uploads, 1 download, the check of 2 folders. Pause the uploads to update earlier.',
    );
    expect(busyReason({ ...IDLE, sweeps: 1 })).toBe('Waits for the check of 1 folder.');
  });

  it('is none when nothing runs, and the start while nothing is known', () => {
    expect(busyReason(IDLE)).toBeNull();
    expect(busyReason(null)).toBe('Mediadesk is still starting.');
  });
});
