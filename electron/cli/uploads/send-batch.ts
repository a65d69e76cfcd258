import type { EngineContext } from '../command-base/context.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../output/exit-codes.ts';
import { DUPLICATES_HINT, ITEMS_HINT } from './decision-hints.ts';
import { eachUpload } from './each-upload.ts';
import { reportFollowUps } from './follow-up-report.ts';
import { exitCodeOfOutcome, outcomeOfReceipt, receiptSummary } from './upload-outcome.ts';
import { explainIdleQueue, workUntilIdle } from './work-until-idle.ts';

/** Sends the queue until no upload can continue by itself, then prints the receipt of one batch. */
export async function sendBatch(context: EngineContext, batchId: string): Promise<ExitCode> {
  const { engine, output, interruption } = context;
  const ended = await workUntilIdle(context, await engine.call('uploads.totals', null));
  const receipt = await engine.call('uploads.receipt', { batchId });
  output.record({ receipt });
  let hasItemToChoose = false;
  let isCollectionUnclear = false;
  for await (const { path, error } of eachUpload(engine, { filter: 'failed', batchId })) {
    output.failure(path, error);
    if (error?.code.startsWith('collection.')) isCollectionUnclear = true;
    if (error?.code === 'upload.may-exist') hasItemToChoose = true;
  }
  for (const { fileName, guessed } of receipt.lines.flatMap(({ followUps }) => followUps)) {
    if (guessed !== undefined) output.note(guessText(fileName, guessed));
  }
  const isAllDone = await reportFollowUps(context, batchId);
  if (receipt.totals.asks > 0) output.warning(DUPLICATES_HINT);
  if (hasItemToChoose) output.warning(ITEMS_HINT);
  if (isCollectionUnclear) {
    output.note(`To use another collection, run “mediadesk queue retry --batch ${batchId} --collection ID”.`);
  }
  output.line(receiptSummary(receipt));
  if (!ended) return interruption.exitCode() ?? EXIT.interrupted;
  const totals = await engine.call('uploads.totals', null);
  explainIdleQueue(context, totals);
  const outcome = outcomeOfReceipt(receipt);
  if (outcome.pending > 0 && totals.blockedBy) return exitCodeOf(totals.blockedBy);
  const code = exitCodeOfOutcome(outcome);
  return code === EXIT.complete && !isAllDone ? EXIT.incomplete : code;
}

function guessText(fileName: string, encoding: string): string {
  return `${fileName} doesn’t say its encoding. Mediadesk guessed ${encoding}: check the letters in the library. If they are wrong, use “mediadesk captions add ITEM FILE --encoding NAME”.`;
}
