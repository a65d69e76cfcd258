import { resolve } from 'node:path';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { AddUploadsOutput } from '../../../shared/contract/uploads.ts';
import type { Command } from '../command.ts';
import { eachUpload } from '../each-upload.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.ts';
import { afterCommand } from '../next-step.ts';
import { failureText } from '../output.ts';
import { formatBytes, printable } from '../text-format.ts';
import { exitCodeOfOutcome, outcomeOfReceipt, receiptSummary, troubledSkips } from '../upload-outcome.ts';
import { type CommandContext, currentSite } from './context.ts';
import { explainStandstill, workUntilIdle } from './work.ts';

type UploadCommand = Extract<Command, { kind: 'upload' }>;

/**
 * Adds files to the queue and, with `--wait`, sends them. Nothing is asked of the library or the keychain before the files
 * are queued: which collection is meant, and whether the account may use it, are the first steps of the uploads.
 */
export async function upload(context: CommandContext, command: UploadCommand): Promise<ExitCode> {
  const { engine, output } = context;
  const site = await currentSite(context);
  const added = await engine.call('uploads.add', {
    siteId: site.id,
    collectionRef: command.collection,
    paths: command.paths.map((path) => resolve(path)),
    defaults: {
      titleTemplate: command.titleTemplate ?? '{name}',
      tags: command.tags,
      publish: command.publish,
      duplicates: command.duplicates,
      sidecars: command.sidecars,
      source: command.source,
    },
  });
  tellAdded(context, added, command.collection);
  if (command.wait && added.added > 0) return sendBatch(context, added.batchId);

  if (added.added > 0) {
    const obstacle = await knownObstacle(context, site);
    if (obstacle !== null) {
      output.notice(afterCommand(obstacle, 'queue-left'));
      return exitCodeOf(obstacle);
    }
    output.note('Nothing is sent yet: “mediadesk queue resume --wait” sends it, and so does the window.');
  }
  const troubled = troubledSkips(added.skipped.map(({ error }) => error.code));
  return added.added > 0 && troubled === 0 ? EXIT.complete : EXIT.incomplete;
}

/** What will keep the queued uploads from being sent until a person does something, as far as this computer knows. */
async function knownObstacle({ engine }: CommandContext, { id }: Site): Promise<AppErrorData | null> {
  const { keychain } = await engine.call('app.info', null);
  if (keychain.problem !== null) return keychain.problem;
  const site = (await engine.call('sites.list', null)).find((each) => each.id === id);
  return site?.state === 'signed-in' ? null : appError('sign-in.required').toData();
}

function tellAdded({ output }: CommandContext, added: AddUploadsOutput, collectionName: string): void {
  const { batchId, addedBytes, skipped, skippedCount } = added;
  output.record({ batch: { batchId, added: added.added, addedBytes, skippedCount } });
  for (const { path, error } of skipped) {
    output.record({ skipped: { path, error } });
    output.note(`Left out: ${printable(path)}: ${error.message}`);
  }
  if (skippedCount > skipped.length) output.note(`… and ${skippedCount - skipped.length} more left out.`);
  const files = added.added === 1 ? '1 file' : `${added.added} files`;
  output.line(
    `Queued ${files}, ${formatBytes(addedBytes)}, for “${printable(collectionName)}” as batch ${printable(batchId)}.`,
  );
}

async function sendBatch(context: CommandContext, batchId: string): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const ended = await workUntilIdle(context, await engine.call('uploads.totals', null));
  const receipt = await engine.call('uploads.receipt', { batchId });
  output.record({ receipt });
  let asking = 0;
  let isCollectionOpen = false;
  for await (const { state, path, error } of eachUpload(engine, { filter: 'failed', batchId })) {
    if (state === 'failed') output.note(failureText(path, error));
    if (error?.code === 'upload.duplicate') asking += 1;
    if (error?.code.startsWith('collection.')) isCollectionOpen = true;
  }
  if (asking > 0) {
    output.note('“mediadesk duplicates list” shows what the collection has already; skip or upload decides about it.');
  }
  if (isCollectionOpen) {
    output.note(`“mediadesk queue retry --batch ${printable(batchId)} --collection ID” names another collection.`);
  }
  output.line(receiptSummary(receipt));
  if (!ended) return interruption.exitCode() ?? EXIT.interrupted;
  const totals = await engine.call('uploads.totals', null);
  explainStandstill(context, totals);
  const outcome = outcomeOfReceipt(receipt);
  if (outcome.pending > 0 && totals.blockedBy) return exitCodeOf(totals.blockedBy);
  return exitCodeOfOutcome(outcome);
}
