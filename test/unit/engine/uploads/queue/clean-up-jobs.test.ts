import { expect, it } from 'vitest';
import { CleanUpJobs, type CleanUpTools } from '../../../../../electron/engine/uploads/queue/clean-up-jobs.ts';
import { appError } from '../../../../../shared/contract/app-error.ts';
import { ManualClock } from '../../../../helpers/time/manual-clock.ts';

/** Creates the clean-ups of a queue with one cancelled upload, whose site has no open breaker. */
function cleanUps(clock: ManualClock): CleanUpJobs {
  const tools = {
    clock,
    store: { get: () => ({ siteId: 'site' }) },
    breakers: { isOpen: () => false, halfOpenSites: () => new Set(), sitesThatNeedTheUser: () => [] },
    isDelivering: () => false,
  };
  const lane = { wake() {}, wakeIn() {}, has: () => false, size: 0 };
  return new CleanUpJobs(tools as unknown as CleanUpTools, lane as never);
}

it.each([
  ['the backoff', null, 10_000],
  ['Retry-After, if this is longer than the backoff', 90_000, 90_000],
  ['the backoff, if Retry-After is shorter', 1000, 10_000],
])('a removal that fails is tried again after %s', (_, retryAfterMs, inMs) => {
  const jobs = cleanUps(new ManualClock(0));
  jobs.add('upload');
  const [job] = jobs.due(1);
  if (job === undefined) throw new Error('nothing is due');
  const details = retryAfterMs === null ? {} : { retryAfterMs };
  jobs.record(job, { kind: 'retry', error: appError('api.server-error', { details }).toData() } as never);
  expect(jobs.due(1)).toEqual([]);
  expect(jobs.nextInMs()).toBe(inMs);
});
