import { expect, it } from 'vitest';
import { syncText } from '../../../../../renderer/shell/sidebar/sync-text.ts';
import type { SyncStatus } from '../../../../../shared/contract/library-sync.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const error = { code: 'network.unreachable', message: 'No network.', nextStep: null, details: null };

function status(over: Partial<SyncStatus>): SyncStatus {
  return {
    siteId: 'a',
    phase: 'ready',
    isRunning: false,
    items: 100_000,
    total: 100_000,
    syncedAt: NOW,
    error: null,
    vanished: 0,
    ...over,
  } as SyncStatus;
}

it.each<[string, Partial<SyncStatus>, string | null]>([
  ['there is no copy', { phase: 'none', syncedAt: null }, null],
  ['the first sync runs', { phase: 'first-sync', isRunning: true, items: 12_300 }, 'Syncing 12,300 of 100,000'],
  ['the total is unknown', { phase: 'first-sync', isRunning: true, items: 1, total: null }, 'Syncing · 1 item'],
  [
    'more items were read than the library had counted',
    { phase: 'first-sync', isRunning: true, items: 7, total: 5 },
    'Syncing 7 of 7',
  ],
  ['the first sync was interrupted', { phase: 'first-sync', error }, 'Syncing resumes when the library responds'],
  ['the copy is new', { syncedAt: NOW - 30_000 }, 'Library up to date'],
  ['the copy is two minutes old', { syncedAt: NOW - 120_000 }, 'Library up to date · 2 min ago'],
  ['the library does not respond', { syncedAt: NOW - 7_200_000, error }, 'Library last updated 2 h ago'],
])('the status line shows the state of the copy when %s', (_name, over, text) => {
  expect(syncText(status(over), true, NOW)).toBe(text);
});

it('the status line does not say “up to date” when the library can’t be reached', () => {
  expect(syncText(status({ syncedAt: NOW - 30_000 }), false, NOW)).toBe('Library not up to date');
  expect(syncText(status({ syncedAt: NOW - 120_000 }), false, NOW)).toBe('Library last updated 2 min ago');
});
