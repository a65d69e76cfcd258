import type { UploadTotals } from '../../../shared/contract/uploads.ts';
import type { EngineContext } from '../command-base/context.ts';
import { localTime } from '../output/local-time.ts';
import { afterCommand } from '../output/next-step.ts';
import { whenAborted } from '../session/interruption.ts';
import { drawOnScreen, printChanges } from './progress-view.ts';

/**
 * Works on the queue until no upload can continue by itself, and shows the progress. Returns false when the user interrupted
 * it; the uploads are then still in the queue.
 */
export async function workUntilIdle(context: EngineContext, start: UploadTotals): Promise<boolean> {
  const { engine, output, screen, interruption } = context;
  const view = screen ? drawOnScreen(engine, screen, start) : printChanges(engine, output, start);
  try {
    engine.startUploads();
    await Promise.race([engine.whenUploadsIdle(), whenAborted(interruption.signal)]);
  } finally {
    await view.stop();
  }
  return !interruption.signal.aborted;
}

/** Prints why the whole queue is idle: it is blocked, paused, or its bandwidth limit is 0. */
export function explainIdleQueue(
  { output }: EngineContext,
  { paused, pausedUntil, limitBytesPerSecond, blockedBy }: UploadTotals,
): void {
  if (blockedBy) {
    const { message, nextStep } = afterCommand(blockedBy, 'queue-left');
    output.note([message, nextStep].filter(Boolean).join(' '));
  } else if (pausedUntil !== null) {
    const until = localTime(pausedUntil);
    output.note(`The queue is paused until ${until}. To resume now, run “mediadesk queue resume --wait”.`);
  } else if (limitBytesPerSecond === 0) {
    output.note('Your speed limit is 0, so nothing is sent. To change it, run “mediadesk settings limit=none”.');
  } else if (paused) output.note('The queue is paused. To resume, run “mediadesk queue resume --wait”.');
}
