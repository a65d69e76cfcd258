import type { EngineContext } from '../command-base/context.ts';
import { Progress } from '../output/progress.ts';

/** Runs a call that reads many items, and shows how many of them are read. `begin`: the line until the first of them are read. */
export async function withReadProgress<T>(context: EngineContext, begin: string, call: () => Promise<T>): Promise<T> {
  const progress = new Progress(context);
  const stop = context.engine.on('onDidProgressEditPlan', ({ read, total }) => {
    progress.show(total === null ? `Reading items: ${read}.` : `Reading items: ${read} of ${total}.`);
  });
  progress.show(begin);
  try {
    return await call();
  } finally {
    stop();
    progress.end();
  }
}
