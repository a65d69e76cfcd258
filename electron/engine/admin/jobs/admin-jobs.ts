import type { z } from 'zod';
import { ADMIN_JOB_KINDS, type AdminJob, type AdminJobKind } from '../../../../shared/contract/admin/admin-jobs.ts';
import { AppError, type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { endsAll } from '../../../../shared/contract/errors/error-catalog.ts';
import type { Handlers } from '../../common/handlers.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { JobStore, StoredJob } from './job-store.ts';

/** Makes the steps of one run of a command. */
interface StepRunner<Step, Result> {
  /** Looks again, then makes the step. A step that was made before does no harm. Throws why it was not made. */
  run(step: Step): Promise<void>;
  /** Called after the last step. */
  end(): Promise<Result>;
}

/** One run of a command. */
interface OpenedJob<Step, Note> {
  siteId: string;
  note: Note;
  /** The steps that are left. */
  steps: readonly Step[];
  /** Aborted when the command is stopped: the steps after that are not made. */
  signal: AbortSignal;
}

/** A kind of administrative command, with its steps and what they have in common. */
export interface AdminJobDefinition<Step, Note, Result> {
  kind: AdminJobKind;
  step: z.ZodType<Step>;
  note: z.ZodType<Note>;
  /** A step as people see it. */
  nameOf(step: Step): { id: string; name: string };
  /** Begins a run. Throws why none of the steps can be made. */
  open(job: OpenedJob<Step, Note>): Promise<StepRunner<Step, Result>>;
  /** The table of what the command deletes; empty without one. */
  savedAs(note: Note): string;
}

interface JobRun<Step, Result> {
  done: Step[];
  failed: { step: Step; error: AppErrorData }[];
  result: Result;
}

export interface AdminJobs {
  /** Makes a kind known, so that its commands can be continued. */
  register<Step, Note, Result>(kind: AdminJobDefinition<Step, Note, Result>): void;
  /**
   * Stores a command, then makes its steps one by one. A step that fails does not end the others, except by an error that concerns all of
   * them: the steps after it fail with the same error, without a request, and the command can be continued. So it can after a kill.
   */
  start<Step, Note, Result>(
    siteId: string,
    kind: AdminJobDefinition<Step, Note, Result>,
    command: { subject: string; note: Note; steps: readonly Step[] },
  ): Promise<JobRun<Step, Result>>;
  handlers: Pick<Handlers, `admin.${'jobs' | 'continueJob' | 'discardJob' | 'stopJobs'}`>;
  /** Forgets the commands of an account that was signed out. */
  forget(siteId: string): void;
  /** Called when the engine stops: what the steps come to afterwards is not stored, so that they are left. */
  stop(): void;
}

/** The number of names of steps that a list shows. */
const MOST_NAMES = 5;

/** Keeps the administrative commands of many steps until their end. One implementation for all kinds. */
export function createAdminJobs({
  store,
  clock,
  logger,
}: {
  store: JobStore;
  clock: Clock;
  logger: Logger;
}): AdminJobs {
  // biome-ignore lint/suspicious/noExplicitAny: the steps of each kind are checked by its schema when they are read
  const kinds = new Map<AdminJobKind, AdminJobDefinition<any, any, unknown>>();
  /** The commands that run in this process, each with its end. */
  const running = new Map<number, { siteId: string; kind: AdminJobKind; end: AbortController }>();
  let isStopped = false;

  async function run<Step, Note, Result>(
    job: StoredJob,
    { step: schema, note, open }: AdminJobDefinition<Step, Note, Result>,
    isNew: boolean,
  ): Promise<JobRun<Step, Result>> {
    const end = new AbortController();
    running.set(job.id, { siteId: job.siteId, kind: job.kind, end });
    const ran: Omit<JobRun<Step, Result>, 'result'> = { done: [], failed: [] };
    let last: AppErrorData | null = null;
    let isLeft = false;
    try {
      const left = store
        .steps(job.id, 'open')
        .map(({ position, step }) => ({ position, step: schema.parse(JSON.parse(step)) }));
      const steps = left.map(({ step }) => step);
      const parsed = note.parse(JSON.parse(job.note));
      const runner = await open({ siteId: job.siteId, note: parsed, steps, signal: end.signal }).catch(
        (error: unknown) => {
          // Nothing of a new command was begun: it is as if it had not been given.
          if (isNew) store.remove(job.id);
          throw error;
        },
      );
      for (const { position, step } of left) {
        const error: AppErrorData | null =
          last ?? (end.signal.aborted ? appError('admin.stopped').toData() : await errorOf(runner.run(step)));
        if (error === null) ran.done.push(step);
        else ran.failed.push({ step, error });
        if (error !== null && endsAll(error.code)) last = error;
        isLeft ||= last !== null;
        if (last === null && !isStopped) mark(job.id, position, error);
      }
      const result = await runner.end();
      if (!isLeft && !isStopped) store.remove(job.id);
      return { ...ran, result };
    } finally {
      running.delete(job.id);
    }
  }

  function mark(id: number, position: number, error: AppErrorData | null): void {
    store.mark(id, position, error === null ? 'done' : 'failed', error === null ? '' : JSON.stringify(error));
  }

  function toRow(job: StoredJob): AdminJob {
    const steps = store.steps(job.id);
    const count = (state: string) => steps.filter((each) => each.state === state).length;
    const left = steps.filter(({ state }) => state === 'open').slice(0, MOST_NAMES);
    return {
      id: String(job.id),
      kind: job.kind,
      givenAt: new Date(job.givenAt).toISOString(),
      subject: job.subject,
      total: steps.length,
      done: count('done'),
      failed: count('failed'),
      next: left.map(({ step }) => nameOf(job, step).name),
    };
  }

  function nameOf({ kind }: StoredJob, step: string): { id: string; name: string } {
    const known = kinds.get(kind);
    const read = known?.step.safeParse(JSON.parse(step));
    return known !== undefined && read?.success === true ? known.nameOf(read.data) : { id: '', name: '' };
  }

  /** A version of Mediadesk that does not know a kind keeps its commands for one that does. */
  const isKnown = ({ kind }: StoredJob) => ADMIN_JOB_KINDS.includes(kind) && kinds.has(kind);
  const jobOf = (siteId: string, jobId: string) =>
    store.of(siteId).find((job) => String(job.id) === jobId && isKnown(job) && !running.has(job.id));

  async function continued(job: StoredJob): Promise<CallOutput<'admin.continueJob'>> {
    const kind = kinds.get(job.kind);
    if (kind === undefined) throw appError('admin.job-gone', { details: { jobId: job.id } });
    const before = store.steps(job.id);
    const failedBefore = before.flatMap(({ state, step, result }) =>
      state === 'failed' ? [{ ...nameOf(job, step), error: JSON.parse(result) as AppErrorData }] : [],
    );
    const { done, failed } = await run(job, kind, false);
    logger.info('admin.job-continued', { kind: job.kind, steps: before.length, failed: failed.length });
    return {
      total: before.length,
      done: done.length + before.filter(({ state }) => state === 'done').length,
      failed: [...failedBefore, ...failed.map(({ step, error }) => ({ ...kind.nameOf(step), error }))],
      savedAs: kind.savedAs(kind.note.parse(JSON.parse(job.note))),
    };
  }

  return {
    register(kind) {
      kinds.set(kind.kind, kind);
    },
    start(siteId, kind, { subject, note, steps }) {
      const job = { siteId, kind: kind.kind, subject, note: JSON.stringify(note), givenAt: clock.now() };
      const texts = steps.map((step) => JSON.stringify(step));
      return run(store.begin(job, texts), kind, true);
    },
    handlers: {
      async 'admin.jobs'({ siteId }) {
        return store
          .of(siteId)
          .filter((job) => isKnown(job) && !running.has(job.id))
          .map(toRow);
      },
      async 'admin.continueJob'({ siteId, jobId }) {
        const job = jobOf(siteId, jobId);
        if (job === undefined) throw appError('admin.job-gone', { details: { jobId } });
        return continued(job);
      },
      async 'admin.stopJobs'({ siteId, kind }) {
        for (const run of running.values()) if (run.siteId === siteId && run.kind === kind) run.end.abort();
        return null;
      },
      async 'admin.discardJob'({ siteId, jobId }) {
        const job = jobOf(siteId, jobId);
        if (job !== undefined) store.remove(job.id);
        return null;
      },
    },
    forget(siteId) {
      for (const { id } of store.of(siteId)) if (!running.has(id)) store.remove(id);
    },
    stop() {
      isStopped = true;
    },
  };
}

async function errorOf(action: Promise<void>): Promise<AppErrorData | null> {
  try {
    await action;
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.toData();
  }
}
