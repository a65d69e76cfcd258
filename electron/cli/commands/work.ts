import type { UploadTotals } from '../../../shared/contract/uploads.ts';
import { whenAborted } from '../interruption.ts';
import { afterCommand } from '../next-step.ts';
import { drawOnTerminal, printChanges } from '../progress-view.ts';
import { printable } from '../text-format.ts';
import type { CommandContext } from './context.ts';

/**
 * Works on the queue until nothing can go on by itself, and shows how it goes. False when the person interrupted it;
 * the uploads are then still in the queue.
 */
export async function workUntilIdle(context: CommandContext, start: UploadTotals): Promise<boolean> {
  const { engine, output, terminal, interruption } = context;
  const view = terminal && !output.json ? drawOnTerminal(engine, terminal, start) : printChanges(engine, output, start);
  try {
    engine.startUploads();
    await Promise.race([engine.whenUploadsIdle(), whenAborted(interruption.signal)]);
  } finally {
    await view.stop();
  }
  return !interruption.signal.aborted;
}

/** Says why the queue as a whole stands still, if it does. */
export function explainStandstill(
  { output }: CommandContext,
  { paused, pausedUntil, limitBytesPerSecond, blockedBy }: UploadTotals,
): void {
  if (blockedBy) {
    const { message, nextStep } = afterCommand(blockedBy, 'queue-left');
    output.note(printable([message, nextStep].filter(Boolean).join(' ')));
  } else if (pausedUntil !== null) {
    const until = new Date(pausedUntil).toLocaleString();
    output.note(`The queue is paused until ${until}. “mediadesk queue resume --wait” goes on now.`);
  } else if (limitBytesPerSecond === 0) {
    output.note('By the bandwidth limit nothing is sent now: see “mediadesk settings”.');
  } else if (paused) output.note('The queue is paused. “mediadesk queue resume --wait” goes on.');
}
