import type { AdminJob, AdminJobKind } from '../../../../shared/contract/admin/admin-jobs.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { counted, reportFailed } from '../../admin/admin-outcome.ts';
import { refusalOfContinuing } from '../../admin/confirm-deletion.ts';
import { type Columns, printList } from '../../admin/print-list.ts';
import { noOperands, onlyOperand } from '../../arguments/options.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { CHANGING_INTERRUPTED, defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';
import { localTime } from '../../output/local-time.ts';
import { Progress } from '../../output/progress.ts';

/** What each kind of command does, and to what. */
const KINDS: Readonly<Record<AdminJobKind, { text: (subject: string) => string; one: string }>> = {
  deletePeople: { text: () => 'delete users', one: 'user' },
  mergeTags: { text: (subject) => `merge tags into “${subject}”`, one: 'tag' },
  importPeople: { text: (subject) => `import the users of ${subject}`, one: 'step' },
  importMembers: { text: (subject) => `import the memberships of ${subject}`, one: 'membership' },
  importGroups: { text: (subject) => `import the groups of ${subject}`, one: 'group' },
  importRoles: { text: (subject) => `import the roles of ${subject}`, one: 'role' },
};

const COLUMNS: Columns<AdminJob> = {
  ID: ({ id }) => id,
  GIVEN: ({ givenAt }) => localTime(Date.parse(givenAt)),
  COMMAND: ({ kind, subject }) => KINDS[kind].text(subject),
  DONE: ({ done, total }) => `${done} of ${total}`,
  FAILED: ({ failed }) => String(failed),
};

export const adminJobsListCommand = defineEngineCommand({
  name: 'admin jobs list',
  operands: '',
  summary: 'List the deletions, merges and imports that were interrupted, with what was done of them.',
  options: {},
  read: (_values, operands) => noOperands(operands),
  async run(context) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const jobs = await engine.call('admin.jobs', { siteId });
    printList(output, { name: 'job', columns: COLUMNS }, jobs);
    return EXIT.complete;
  },
});

export const adminJobsContinueCommand = defineEngineCommand({
  name: 'admin jobs continue',
  operands: 'JOB',
  summary: 'Show what is left of an interrupted command, ask, and do it. Each step is checked again.',
  options: { yes: { value: null, help: 'Continue without asking.' } },
  read: (values, operands) => ({ jobId: onlyOperand(operands, 'Enter the ID of a job.'), isYes: values.yes === true }),
  interruptedText: 'Stopping. A command that has begun is completed; to stop it now, press Ctrl-C again.',
  async run(context, { jobId, isYes }) {
    const { engine, output, screen, interruption } = context;
    const { id: siteId } = await currentSite(context);
    const job = await findJob(context, siteId, jobId);
    const { text, one } = KINDS[job.kind];
    const left = job.total - job.done - job.failed;
    output.record({ job });
    output.line(
      `To ${text(job.subject)}: ${job.done} of ${counted(job.total, one)} done, ${job.failed} failed, ${left} left.`,
    );
    const more = left > job.next.length ? '; …' : '';
    if (left > 0) output.line(`Left: ${job.next.join('; ')}${more}.`);
    const unconfirmed = await refusalOfContinuing(context, { action: `Continue with ${counted(left, one)}`, isYes });
    if (unconfirmed !== null) return unconfirmed;
    const progress = new Progress({ output, screen });
    progress.show(`Continuing with ${counted(left, one)}…`);
    const outcome = await engine.call('admin.continueJob', { siteId, jobId: job.id }).finally(() => progress.end());
    output.record({ continued: outcome });
    output.line(`Done: ${outcome.done} of ${counted(outcome.total, one)}, ${outcome.failed.length} failed.`);
    const code = reportFailed(output, outcome.failed);
    if (outcome.savedAs !== '') output.note(`What was deleted is in ${outcome.savedAs}.`);
    return interruption.exitCode() ?? code;
  },
});

export const adminJobsDiscardCommand = defineEngineCommand({
  name: 'admin jobs discard',
  operands: 'JOB',
  summary: 'Forget what is left of an interrupted command. What it did stays.',
  options: {},
  read: (_values, operands) => ({ jobId: onlyOperand(operands, 'Enter the ID of a job.') }),
  interruptedText: CHANGING_INTERRUPTED,
  async run(context, { jobId }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const job = await findJob(context, siteId, jobId);
    await engine.call('admin.discardJob', { siteId, jobId: job.id });
    output.record({ discarded: job });
    const left = counted(job.total - job.done - job.failed, KINDS[job.kind].one);
    output.line(`Forgotten: ${left}. What was done before stays.`);
    return EXIT.complete;
  },
});

async function findJob({ engine }: Pick<EngineContext, 'engine'>, siteId: string, jobId: string): Promise<AdminJob> {
  const job = (await engine.call('admin.jobs', { siteId })).find(({ id }) => id === jobId.trim());
  if (job === undefined) throw appError('admin.job-gone', { details: { jobId } });
  return job;
}
