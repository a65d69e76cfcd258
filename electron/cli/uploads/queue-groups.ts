import { AppError } from '../../../shared/contract/app-error.ts';
import type { AddUploadsOutput } from '../../../shared/contract/uploads.ts';
import type { Output } from '../output/output.ts';
import { countedFiles } from '../output/text-format.ts';

/** Files that become one batch. */
interface QueuedGroup {
  collectionName: string;
  count: number;
  add(): Promise<AddUploadsOutput>;
}

/**
 * Queues groups of files, each as a batch. A group that fails is reported and does not affect the others. `failure`: the first
 * error. Throws it when nothing was queued.
 */
export async function queueGroups(
  groups: readonly QueuedGroup[],
  output: Output,
): Promise<{ added: AddUploadsOutput[]; failure: AppError | null }> {
  const added: AddUploadsOutput[] = [];
  let failure: AppError | null = null;
  for (const { collectionName, count, add } of groups) {
    try {
      added.push(await add());
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      failure ??= thrown;
      const error = thrown.toData();
      output.record({ notQueued: { collection: collectionName, files: count, error } });
      output.failure(`${countedFiles(count)} for “${collectionName}”`, error);
    }
  }
  if (failure !== null && added.length === 0) throw failure;
  return { added, failure };
}
