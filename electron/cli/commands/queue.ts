import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { isEnded } from '../../../shared/model/upload-states.ts';
import type { Command } from '../command.ts';
import { eachUpload } from '../each-upload.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts';
import { failureText } from '../output.ts';
import { restDetail } from '../progress-text.ts';
import { formatBytes, table } from '../text-format.ts';
import { exitCodeOfOutcome, isQuietSkip } from '../upload-outcome.ts';
import type { CommandContext } from './context.ts';
import { afterKnown, knownSelection, requireBatch } from './known-uploads.ts';
import { explainStandstill, workUntilIdle } from './work.ts';

const NOT_SENT_YET = 'Nothing is sent yet: “mediadesk queue resume --wait” sends it, and so does the window.';
const DONE_WORDS = { pause: 'Paused', resume: 'Resumed', retry: 'Queued again', cancel: 'Cancelled' } as const;

export async function listQueue(
  context: CommandContext,
  { filter, batchId }: Extract<Command, { kind: 'queue-list' }>,
): Promise<ExitCode> {
  const { output } = context;
  await requireBatch(context, batchId);
  const rows: string[][] = [];
  let isOpen = false;
  for await (const row of eachUpload(context.engine, { filter, batchId })) {
    output.record({ upload: row });
    if (!output.json) rows.push([row.id, row.fileName, formatBytes(row.sizeBytes), restDetail(row)]);
    if (!isEnded(row.state) && row.state !== 'paused') isOpen = true;
  }
  for (const line of table(rows)) output.line(line);
  if (rows.length === 0) output.note('No uploads.');
  else {
    explainStandstill(context, await context.engine.call('uploads.totals', null));
    if (isOpen) output.note(NOT_SENT_YET);
  }
  return EXIT.complete;
}

export async function changeQueue(
  context: CommandContext,
  { action, selection: meant }: Extract<Command, { kind: 'queue-change' }>,
): Promise<ExitCode> {
  const { selection, error } = await knownSelection(context, meant);
  const { changed } = await context.engine.call(`uploads.${action}`, selection);
  tellChanged(context, action, changed);
  if (action === 'retry' && changed > 0) context.output.note(NOT_SENT_YET);
  if (action === 'cancel' && (await context.engine.call('uploads.leftovers', null)).left > 0) {
    context.output.note(
      'What they left in the library is removed by “mediadesk queue resume --wait”, or by the window.',
    );
  }
  return afterKnown(context, error, EXIT.complete);
}

/** Retries what failed in a batch because the library does not know its collection, with another collection. */
export async function retryIn(
  context: CommandContext,
  { batchId, collection }: Extract<Command, { kind: 'queue-retry-in' }>,
): Promise<ExitCode> {
  const { changed } = await context.engine.call('uploads.chooseCollection', { batchId, collectionRef: collection });
  tellChanged(context, 'retry', changed);
  if (changed > 0) context.output.note(NOT_SENT_YET);
  return EXIT.complete;
}

export async function resumeQueue(
  context: CommandContext,
  { selection: meant, wait }: Extract<Command, { kind: 'queue-resume' }>,
): Promise<ExitCode> {
  const { engine, output } = context;
  const { selection, error } = await knownSelection(context, meant);
  const { changed } = await engine.call('uploads.resume', selection);
  if (!wait) {
    tellChanged(context, 'resume', changed);
    output.note('Nothing is sent yet: add --wait to send it, or open the window.');
    return afterKnown(context, error, EXIT.complete);
  }
  return afterKnown(context, error, await sendQueue(context));
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
  const before = await engine.call('uploads.totals', null);
  const { left } = await engine.call('uploads.leftovers', null);
  if (open.size === 0 && left === 0 && before.followUps.pending === 0) {
    output.line('Nothing is left to do.');
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
  const unclean = await tellLeftovers(context);
  if (open.size === 0) return unclean;
  const code = exitCodeOfOutcome({
    complete: rows.filter(({ state }) => state === 'complete' || state === 'skipped').length,
    troubled: rows.filter(({ state, error }) => isTrouble(state, error?.code ?? null)).length,
    pending: pending.length,
    pendingCodes: pending.map(({ error }) => error?.code ?? null),
  });
  return code === EXIT.complete ? unclean : code;
}

/** Tells what of ended uploads is still in the library. It is incomplete as long as another try can change that. */
async function tellLeftovers({ engine, output }: CommandContext): Promise<ExitCode> {
  const { left, pending } = await engine.call('uploads.leftovers', null);
  if (left === 0) return EXIT.complete;
  const items = left === 1 ? 'An item' : `${left} items`;
  output.note(
    pending > 0
      ? `${items} of cancelled or skipped uploads could not be removed from the library yet; “mediadesk queue resume --wait” tries again.`
      : `${items} of cancelled or skipped uploads could not be removed from the library; remove what is not wanted there.`,
  );
  return pending > 0 ? EXIT.incomplete : EXIT.complete;
}
