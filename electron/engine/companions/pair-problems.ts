import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { UnclearPair } from '../../../shared/contract/upload-files.ts';
import type { DetailsResult } from '../../../shared/model/details/details-fields.ts';

/** Returns the error of a file whose recording is not certain. `unclear` null: without possible recordings in its details. */
export function pairUnclear(path: string, unclear: UnclearPair | null): AppError {
  if (unclear?.doubt === 'entered') return valuesEntered(path);
  const candidates = (unclear?.candidates ?? []).map((each) => each.path);
  return appError('file.pair-unclear', { details: { path, candidates } });
}

/** Returns the error of details that would replace values that someone entered. */
export function valuesEntered(path: string): AppError {
  return appError('details.entered', { details: { path } });
}

/** Returns the error of a file whose details can't be read. */
export function detailsProblem(path: string, { code, field }: Extract<DetailsResult, { kind: 'problem' }>): AppError {
  return appError(code, { details: { path, ...(field === undefined ? {} : { field }) } });
}
