import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { isEnded } from '../../../shared/model/upload-states.ts';
import type { Command } from '../command.ts';
import { eachUpload } from '../each-upload.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts';
import { failureText } from '../output.ts';
import { rowDetail } from '../progress-text.ts';
import { formatBytes, table } from '../text-format.ts';
import { exitCodeOfOutcome, isQuietSkip } from '../upload-outcome.ts';
import type { CommandContext } from './context.ts';
import { explainStandstill, workUntilIdle } from './work.ts';

const DONE_WORDS = { pause: 'Paused', resume: 'Resumed', retry: 'Queued again', cancel: 'Cancelled' } as const;

export async function listQueue(
  context: CommandContext,
  { filter, batchId }: Extract<Command, { kind: 'queue-list' }>,
): Promise<ExitCode> {
  const { output } = context;
  const rows: string[][] = [];
  for await (const row of eachUpload(context.engine, { filter, batchId })) {
    output.record({ upload: row });
    if (!output.json) rows.push([row.id, row.fileName, formatBytes(row.sizeBytes), rowDetail(row, Date.now())]);
  }
  for (const line of table(rows)) output.line(line);
  if (rows.length === 0) output.note('No uploads.');
  else explainStandstill(context, await context.engine.call('uploads.totals', null));
  return EXIT.complete;
}

export async function changeQueue(
  context: CommandContext,
  { action, selection }: Extract<Command, { kind: 'queue-change' }>,
): Promise<ExitCode> {
  const { changed } = await context.engine.call(`uploads.${action}`, selection);
  tellChanged(context, action, changed);
  return EXIT.complete;
}

/** Retries what failed in a batch because the library does not know its collection, with another collection. */
export async function retryIn(
  context: CommandContext,
  { batchId, collection }: Extract<Command, { kind: 'queue-retry-in' }>,
): Promise<ExitCode> {
  const { changed } = await context.engine.call('uploads.chooseCollection', { batchId, collectionRef: collection });
  tellChanged(context, 'retry', changed);
  return EXIT.complete;
}

export async function resumeQueue(
  context: CommandContext,
  { selection, wait }: Extract<Command, { kind: 'queue-resume' }>,
): Promise<ExitCode> {
  const { engine, output } = context;
  const { changed } = await engine.call('uploads.resume', selection);
  if (!wait) {
    tellChanged(context, 'resume', changed);
    output.note('Nothing is sent yet: add --wait to send it, or open the window.');
    return EXIT.complete;
  }
  return sendQueue(context);
}

function tellChanged({ output }: CommandContext, action: keyof typeof DONE_WORDS, changed: number): void {
  output.record({ [action]: { changed } });
  output.line(`${DONE_WORDS[action]}: ${changed} ${changed === 1 ? 'upload' : 'uploads'}.`);
}

function isTrouble(state: UploadRow['state'], code: string | null): boolean {
  return state === 'failed' || state === 'cancelled' || (state === 'skipped' && !isQuietSkip(code));
}

/** Sends what is in the queue; the exit code tells about the uploads that were open when it began. */
async function sendQueue(context: CommandContext): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const open = new Set<string>();
  for await (const row of eachUpload(context.engine, { filter: 'all', batchId: null })) {
    if (!isEnded(row.state)) open.add(row.id);
  }
  if (open.size === 0) {
    output.line('Nothing is left to do.');
    output.record({ outcome: { complete: 0, failed: 0, cancelled: 0, pending: 0 } });
    return EXIT.complete;
  }
  const ended = await workUntilIdle(context, await engine.call('uploads.totals', null));

  const rows: UploadRow[] = [];
  for await (const row of eachUpload(context.engine, { filter: 'all', batchId: null }))
    if (open.has(row.id)) rows.push(row);
  const count = (...states: UploadRow['state'][]) => rows.filter(({ state }) => states.includes(state)).length;
  const pending = rows.filter(({ state }) => !isEnded(state));
  const outcome = { complete: count('complete'), failed: count('failed'), cancelled: count('cancelled', 'skipped') };
  output.record({ outcome: { ...outcome, pending: pending.length } });
  for (const { state, path, error } of rows) {
    if (state === 'failed') output.note(failureText(path, error));
  }
  output.line(
    `${open.size} uploads: ${outcome.complete} complete, ${outcome.failed} failed, ` +
      `${outcome.cancelled} cancelled, ${pending.length} pending.`,
  );
  if (!ended) return interruption.exitCode() ?? EXIT.interrupted;
  const totals = await engine.call('uploads.totals', null);
  explainStandstill(context, totals);
  if (pending.length > 0 && totals.blockedBy) return exitCodeOf(totals.blockedBy);
  return exitCodeOfOutcome({
    complete: rows.filter(({ state }) => state === 'complete' || state === 'skipped').length,
    troubled: rows.filter(({ state, error }) => isTrouble(state, error?.code ?? null)).length,
    pending: pending.length,
    pendingCodes: pending.map(({ error }) => error?.code ?? null),
  });
}
