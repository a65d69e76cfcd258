import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { UploadSelection } from '../../../shared/contract/uploads.ts';
import type { EngineContext } from '../command-base/context.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { afterCommand } from '../output/next-step.ts';

/** A selection without unknown uploads, and the error that names the unknown ones; null when all are known. */
interface KnownSelection {
  selection: UploadSelection;
  error: AppError | null;
}

/** Throws `upload.unknown`, which names the ids, when the queue has no upload of the selection. */
export async function knownSelection(context: EngineContext, selection: UploadSelection): Promise<KnownSelection> {
  if (selection.kind === 'ids') {
    const { known, error } = await knownIds(context, selection.ids);
    if (error !== null && known.length === 0) throw error;
    return { selection: { kind: 'ids', ids: known }, error };
  }
  if (selection.kind !== 'all' && selection.batchId !== undefined) await requireBatch(context, selection.batchId);
  return { selection, error: null };
}

/** Returns the ids in the queue, in their order, and the error that names the others. */
export async function knownIds(
  { engine }: EngineContext,
  ids: readonly string[],
): Promise<{ known: string[]; error: AppError | null }> {
  const unknown = new Set((await engine.call('uploads.unknown', { ids: [...ids] })).ids);
  const known = ids.filter((id) => !unknown.has(id));
  return { known, error: unknown.size === 0 ? null : unknownError('upload', [...unknown]) };
}

/** Throws `upload.unknown`, which names the id, when there is no such batch. */
export async function requireBatch({ engine }: EngineContext, batchId: string | null): Promise<void> {
  if (batchId === null || (await engine.call('uploads.batch', { batchId })) !== null) return;
  throw unknownError('batch', [batchId]);
}

/** Prints the error about unknown uploads after the rest was done; returns the exit code of the command. */
export function afterKnown({ output }: EngineContext, error: AppError | null, code: ExitCode): ExitCode {
  if (error === null) return code;
  output.error(afterCommand(error.toData(), 'command-ended'));
  return code === EXIT.complete ? EXIT.incomplete : code;
}

function unknownError(what: 'upload' | 'batch', ids: readonly string[]): AppError {
  const names = ids.map((id) => `“${id}”`).join(', ');
  return appError('upload.unknown', { message: `Unknown ${what}: ${names}`, details: { ids } });
}
