import { useEffect } from 'react';
import type { AdminJob } from '../../../shared/contract/admin/admin-jobs.ts';
import { Button } from '../../kit/components/button.tsx';
import { attempt } from '../common/state/messages-store.ts';
import styles from './admin.module.css';
import {
  closeJobOutcome,
  continueJob,
  discardJob,
  endOffers,
  type JobOutcome,
  loadAdminJobs,
  useAdminJobs,
} from './state/admin-jobs.ts';
import { useAdmin } from './state/admin-store.ts';
import { texts } from './texts.ts';

const words = texts.jobs;
/** The number of failures that are listed. */
const MOST_FAILED = 50;

/** The commands of this account that were interrupted, to continue them or to forget what is left. */
export function InterruptedJobs() {
  const siteId = useAdmin((state) => state.siteId);
  const jobs = useAdminJobs((state) => (state.siteId === siteId ? state.jobs : NONE));
  const outcome = useAdminJobs((state) => (state.siteId === siteId ? state.outcome : null));
  useEffect(endOffers, []);
  useEffect(() => {
    if (siteId !== null) void attempt(async () => void (await loadAdminJobs(siteId)));
  }, [siteId]);
  if (jobs.length === 0 && outcome === null) return null;
  return (
    <section className={`${styles.problem} ${styles.jobs}`} aria-label={words.title}>
      {jobs.map((job) => (
        <Job key={job.id} job={job} />
      ))}
      {outcome === null ? null : <Outcome outcome={outcome} />}
    </section>
  );
}

const NONE: readonly AdminJob[] = [];

function Job({ job }: { job: AdminJob }) {
  const runningId = useAdminJobs((state) => state.runningId);
  const { kind, subject, total, done, failed, next } = job;
  return (
    <div className={styles.job}>
      <div className={styles.grow}>
        <p>{words.text[kind](subject)}</p>
        <p className={styles.note}>{words.counts(done, total, failed)}</p>
        {next.length === 0 ? null : <p className={styles.note}>{words.next(next, total - done - failed)}</p>}
      </div>
      <Button variant="primary" isBusy={runningId === job.id} onPress={() => void continueJob(job)}>
        {words.continue}
      </Button>
      <Button isDisabled={runningId !== null} onPress={() => void discardJob(job)}>
        {words.discard}
      </Button>
    </div>
  );
}

function Outcome({ outcome: { total, done, failed } }: { outcome: JobOutcome }) {
  return (
    <div className={styles.job} role="status">
      <div className={styles.grow}>
        <p>{words.partly(done, total, failed.length)}</p>
        <ul className={`${styles.choices} ${styles.lines}`}>
          {failed.slice(0, MOST_FAILED).map(({ id, name, error }) => (
            <li key={`${id} ${name}`}>{words.failed(name, error.message)}</li>
          ))}
          {failed.length > MOST_FAILED ? (
            <li className={styles.more}>{words.more(failed.length - MOST_FAILED)}</li>
          ) : null}
        </ul>
      </div>
      <Button onPress={closeJobOutcome}>{words.close}</Button>
    </div>
  );
}
