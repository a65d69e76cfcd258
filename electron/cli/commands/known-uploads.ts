import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { UploadSelection } from '../../../shared/contract/uploads.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { CommandContext } from './context.ts';

/** A selection without what is not there, and the error that names that; null when all of it is there. */
export interface KnownSelection {
  selection: UploadSelection;
  error: AppError | null;
}

/** Throws `upload.unknown`, which names the ids, when nothing of the selection is there. */
export async function knownSelection(context: CommandContext, selection: UploadSelection): Promise<KnownSelection> {
  if (selection.kind === 'ids') {
    const { known, error } = await knownIds(context, selection.ids);
    if (error !== null && known.length === 0) throw error;
    return { selection: { kind: 'ids', ids: known }, error };
  }
  if (selection.kind !== 'all' && selection.batchId !== undefined) await requireBatch(context, selection.batchId);
  return { selection, error: null };
}

/** Those of the ids that are there, in their order, and the error that names the others. */
export async function knownIds(
  { engine }: CommandContext,
  ids: readonly string[],
): Promise<{ known: string[]; error: AppError | null }> {
  const unknown = new Set((await engine.call('uploads.unknown', { ids: [...ids] })).ids);
  const known = ids.filter((id) => !unknown.has(id));
  return { known, error: unknown.size === 0 ? null : noSuch('upload', [...unknown]) };
}

/** Throws `upload.unknown`, which names the id, when there is no such batch. */
export async function requireBatch({ engine }: CommandContext, batchId: string | null): Promise<void> {
  if (batchId === null || (await engine.call('uploads.batch', { batchId })) !== null) return;
  throw noSuch('batch', [batchId]);
}

/** Reports what was not there after the rest was done; answers the exit code of the command. */
export function afterKnown({ output }: CommandContext, error: AppError | null, code: ExitCode): ExitCode {
  if (error === null) return code;
  output.error(error.toData());
  return code === EXIT.complete ? EXIT.incomplete : code;
}

function noSuch(what: 'upload' | 'batch', ids: readonly string[]): AppError {
  const names = ids.map((id) => `“${id}”`).join(', ');
  return appError('upload.unknown', { message: `There is no ${what} ${names}.`, details: { ids } });
}
