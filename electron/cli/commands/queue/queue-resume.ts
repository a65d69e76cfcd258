import type { UploadRow, UploadSelection } from '../../../../shared/contract/uploads.ts';
import { asksAboutDuplicate, asksAboutItem } from '../../../../shared/model/uploads/upload-machine.ts';
import { isEnded } from '../../../../shared/model/uploads/upload-states.ts';
import { WAIT_OPTION } from '../../arguments/options.ts';
import { readSelection, SELECTION_OPTIONS } from '../../arguments/selection.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand, SENDING_INTERRUPTED } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../../output/exit-codes.ts';
import { countedUploads } from '../../output/text-format.ts';
import { printChanged } from '../../uploads/changed-uploads.ts';
import { DUPLICATES_HINT, ITEMS_HINT } from '../../uploads/decision-hints.ts';
import { eachUpload } from '../../uploads/each-upload.ts';
import { failedFollowUps } from '../../uploads/follow-up-report.ts';
import { afterKnown, knownSelection } from '../../uploads/known-uploads.ts';
import { exitCodeOfOutcome, isQuietSkip } from '../../uploads/upload-outcome.ts';
import { explainIdleQueue, workUntilIdle } from '../../uploads/work-until-idle.ts';

interface ResumeInput {
  selection: UploadSelection;
  wait: boolean;
}

export const queueResumeCommand = defineEngineCommand<ResumeInput>({
  name: 'queue resume',
  operands: '[UPLOAD…]',
  summary: 'Resume uploads. Default: all. With --wait, send them.',
  options: { ...SELECTION_OPTIONS, wait: WAIT_OPTION },
  read: (values, ids) => ({ selection: readSelection(values, ids, { kind: 'all' }), wait: values.wait === true }),
  run: resumeQueue,
  interruptedText: SENDING_INTERRUPTED,
});

async function resumeQueue(context: EngineContext, { selection: given, wait }: ResumeInput): Promise<ExitCode> {
  const { engine, output } = context;
  const { selection, error } = await knownSelection(context, given);
  const answer = await engine.call('uploads.resume', selection);
  if (wait) return afterKnown(context, error, await sendQueue(context));
  printChanged(output, 'resume', 'Resumed', answer);
  output.note('Nothing is sent yet. To send, add --wait or open the Mediadesk window.');
  return afterKnown(context, error, EXIT.complete);
}

function isTrouble(state: UploadRow['state'], code: string | null): boolean {
  return state === 'failed' || state === 'cancelled' || (state === 'skipped' && !isQuietSkip(code));
}

/** Sends the uploads in the queue; the exit code is about the uploads that were open at the start. */
async function sendQueue(context: EngineContext): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const open = new Set<string>();
  for await (const row of eachUpload(context.engine, { filter: 'all', batchId: null })) {
    if (!isEnded(row.state)) open.add(row.id);
  }
  const before = await engine.call('uploads.totals', null);
  const { left } = await engine.call('uploads.leftovers', null);
  if (open.size === 0 && left === 0 && before.followUps.pending === 0) {
    output.line('There is nothing to upload.');
    output.record({ outcome: { complete: 0, failed: 0, cancelled: 0, pending: 0 } });
    return EXIT.complete;
  }
  const ended = await workUntilIdle(context, before);

  const rows: UploadRow[] = [];
  for await (const row of eachUpload(context.engine, { filter: 'all', batchId: null }))
    if (open.has(row.id)) rows.push(row);
  const count = (...states: UploadRow['state'][]) => rows.filter(({ state }) => states.includes(state)).length;
  const pending = rows.filter(({ state }) => !isEnded(state));
  const outcome = { complete: count('complete'), failed: count('failed'), cancelled: count('cancelled', 'skipped') };
  output.record({ outcome: { ...outcome, pending: pending.length } });
  const hasFailedLater = reportFailed(context, rows);
  const asking = rows.filter(asksAboutDuplicate).length;
  output.line(outcomeLine({ ...outcome, failed: outcome.failed - asking, asking, pending: pending.length }));
  if (!ended) return interruption.exitCode() ?? EXIT.interrupted;
  const totals = await engine.call('uploads.totals', null);
  explainIdleQueue(context, totals);
  if (pending.length > 0 && totals.blockedBy) return exitCodeOf(totals.blockedBy);
  const leftoversCode = await printLeftovers(context);
  if (open.size === 0) return leftoversCode;
  const code = exitCodeOfOutcome({
    complete: rows.filter(({ state }) => state === 'complete' || state === 'skipped').length,
    troubled: rows.filter(({ state, error }) => isTrouble(state, error?.code ?? null)).length,
    pending: pending.length,
    pendingCodes: pending.map(({ error }) => error?.code ?? null),
  });
  if (code !== EXIT.complete) return code;
  return hasFailedLater ? EXIT.incomplete : leftoversCode;
}

/** Prints what failed, and the commands for what needs a decision. Returns whether a step after a complete upload failed. */
function reportFailed({ output }: EngineContext, rows: readonly UploadRow[]): boolean {
  for (const row of rows) {
    if (row.state === 'failed' && !asksAboutDuplicate(row)) output.failure(row.path, row.error);
  }
  const failedLater = rows.flatMap(failedFollowUps);
  for (const { what, followUp } of failedLater) output.failure(what, followUp.error);
  if (rows.some(asksAboutDuplicate)) output.warning(DUPLICATES_HINT);
  if (rows.some(asksAboutItem)) output.warning(ITEMS_HINT);
  return failedLater.length > 0;
}

/** Returns the numbers of uploads in one line, such as `3 uploads: 1 complete, 1 failed, 1 in progress.` */
function outcomeLine(counts: Record<'complete' | 'failed' | 'asking' | 'cancelled' | 'pending', number>): string {
  const { complete, failed, asking, cancelled, pending } = counts;
  const total = complete + failed + asking + cancelled + pending;
  const parts = [`${complete} complete`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (asking > 0) parts.push(`${asking} ${asking === 1 ? 'needs' : 'need'} your decision`);
  if (cancelled > 0) parts.push(`${cancelled} cancelled or skipped`);
  if (pending > 0) parts.push(`${pending} in progress`);
  return `${countedUploads(total)}: ${parts.join(', ')}.`;
}

/** Prints how many items of ended uploads are still in the library. Returns `incomplete` while a retry can still remove them. */
async function printLeftovers({ engine, output }: EngineContext): Promise<ExitCode> {
  const { left, pending } = await engine.call('uploads.leftovers', null);
  if (left === 0) return EXIT.complete;
  const items = left === 1 ? 'An item' : `${left} items`;
  output.note(
    pending > 0
      ? `${items} of cancelled or skipped uploads couldn’t be removed from the library yet. To try again, run “mediadesk queue resume --wait”.`
      : `${items} of cancelled or skipped uploads couldn’t be removed from the library. Delete what you don’t need there.`,
  );
  return pending > 0 ? EXIT.incomplete : EXIT.complete;
}
