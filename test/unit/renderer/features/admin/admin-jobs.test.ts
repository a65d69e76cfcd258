// What the window says about administrative commands that were interrupted.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endOffers, offerAdminJobs, useAdminJobs } from '../../../../../renderer/features/admin/state/admin-jobs.ts';
import { useApp } from '../../../../../renderer/features/common/state/app-store.ts';
import { useMessages } from '../../../../../renderer/features/common/state/messages-store.ts';
import type { AdminJob, AdminJobKind } from '../../../../../shared/contract/admin/admin-jobs.ts';
import { HeldBridge } from '../../../../helpers/desktop/held-bridge.ts';

const jobOf = (kind: AdminJobKind): AdminJob => ({
  id: '1',
  kind,
  givenAt: '2026-05-01T10:00:00Z',
  subject: '/crew.csv',
  total: 3,
  done: 1,
  failed: 0,
  next: ['line 3, Crew', 'line 4, Light'],
});
const sentences = () => useMessages.getState().messages.map(({ text }) => text);

let bridge: HeldBridge;
beforeEach(() => {
  // The messages end by timers, which do not run here.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  bridge = new HeldBridge();
  useApp.setState({ siteId: 's', view: 'library' });
  useMessages.setState({ messages: [] });
  useAdminJobs.setState({ siteId: null, jobs: [], outcome: null });
});
afterEach(() => vi.useRealTimers());

it('an interrupted command is offered in a message, which goes when the view shows the command', async () => {
  const offered = offerAdminJobs();
  await bridge.take('admin.jobs').answer([jobOf('importGroups')]);
  await offered;
  expect(sentences()).toEqual(['An import of groups was interrupted.']);
  endOffers();
  expect(sentences()).toEqual([]);
  expect(useAdminJobs.getState().jobs).toHaveLength(1);
});

it('nothing is offered without an interrupted command, or while the view is open', async () => {
  for (const [view, jobs] of [
    ['library', []],
    ['admin', [jobOf('importRoles')]],
  ] as const) {
    useApp.setState({ view });
    const offered = offerAdminJobs();
    await bridge.take('admin.jobs').answer([...jobs]);
    await offered;
  }
  expect(sentences()).toEqual([]);
});
