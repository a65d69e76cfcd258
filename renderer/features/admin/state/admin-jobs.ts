import { create } from 'zustand';
import type { AdminJob } from '../../../../shared/contract/admin/admin-jobs.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { useApp } from '../../common/state/app-store.ts';
import { attempt, dismissMessage, notify, warnWithAction } from '../../common/state/messages-store.ts';
import { useAdmin } from './admin-store.ts';
import { texts } from './texts.ts';

export type JobOutcome = CallOutput<'admin.continueJob'>;

interface AdminJobsState {
  siteId: string | null;
  /** The interrupted commands of that account. */
  jobs: readonly AdminJob[];
  /** The command that is being continued. */
  runningId: string | null;
  /** What became of the command that was continued last, when some of its steps failed. */
  outcome: JobOutcome | null;
}

/** The interrupted commands of the account that is shown. */
export const useAdminJobs = create<AdminJobsState>(() => ({ siteId: null, jobs: [], runningId: null, outcome: null }));

/** How long the message about interrupted commands is shown. */
const OFFER_MS = 20_000;
/** The messages about interrupted commands, by their keys. */
const offers = new Set<number>();
const reads = latestOnly();

/** Reads the interrupted commands of an account. */
export async function loadAdminJobs(siteId: string): Promise<readonly AdminJob[]> {
  const read = reads.begin();
  const jobs = await call('admin.jobs', { siteId });
  if (read.accept()) {
    const { siteId: before, outcome } = useAdminJobs.getState();
    useAdminJobs.setState({ siteId, jobs, outcome: before === siteId ? outcome : null });
  }
  return jobs;
}

/** Says at the start, and when another account is shown, that a command of it was interrupted. */
export async function offerAdminJobs(): Promise<void> {
  const { siteId } = useApp.getState();
  if (siteId === null) return;
  await attempt(async () => {
    const [job] = await loadAdminJobs(siteId);
    if (job === undefined || useApp.getState().view === 'admin') return;
    const run = () => useApp.setState({ view: 'admin' });
    offers.add(warnWithAction(texts.jobs.offer[job.kind], { ...texts.jobs.show, run }, OFFER_MS));
  });
}

/** Removes the messages: the view shows the interrupted commands. */
export function endOffers(): void {
  for (const key of offers) dismissMessage(key);
  offers.clear();
}

/** Continues an interrupted command. Each of its steps is checked again. */
export async function continueJob({ id }: AdminJob): Promise<void> {
  const { siteId } = useAdmin.getState();
  if (siteId === null || useAdminJobs.getState().runningId !== null) return;
  useAdminJobs.setState({ runningId: id, outcome: null });
  try {
    await attempt(async () => {
      const outcome = await call('admin.continueJob', { siteId, jobId: id });
      if (outcome.failed.length === 0) notify(texts.jobs.done(outcome.done, outcome.total));
      else useAdminJobs.setState({ outcome });
    });
  } finally {
    useAdminJobs.setState({ runningId: null });
    await attempt(async () => void (await loadAdminJobs(siteId)));
  }
}

/** Forgets what is left of an interrupted command. */
export async function discardJob({ id }: AdminJob): Promise<void> {
  const { siteId } = useAdmin.getState();
  if (siteId === null) return;
  await attempt(async () => {
    await call('admin.discardJob', { siteId, jobId: id });
    await loadAdminJobs(siteId);
  });
}

export function closeJobOutcome(): void {
  useAdminJobs.setState({ outcome: null });
}
