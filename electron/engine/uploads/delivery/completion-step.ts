import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { outcomeOf } from '../../api/classify.ts';
import { finishUpload } from '../../api/completion.ts';
import { existing } from '../../api/existing.ts';
import { getFile } from '../../api/files.ts';
import { DONE, type StepResult, waitFor } from '../../scheduler/job-result.ts';
import { finishThumbnail } from './additions.ts';
import { isNew } from './new-in-library.ts';
import type { StepTools } from './step-tools.ts';
import { fileIdOf, mediaIdOf, stopsChanges } from './upload-steps.ts';

/**
 * Notifies the service of the bytes, if it requires that. When the notification fails, the file's status decides:
 * `processing`, `complete` and `error` mean that the service has the bytes; only a missing or abandoned file is sent
 * again. Otherwise only the notification is repeated.
 */
export async function finish(upload: Upload, tools: StepTools): Promise<StepResult> {
  if (upload.addition?.kind === 'thumbnail') return finishThumbnail(upload, tools);
  const url = upload.destination?.postprocess_url;
  const ended = url ? await notify(upload, url, tools) : null;
  if (ended !== null) return ended;
  tools.completions.forget(upload.id);
  tools.journal.record(upload.id, { kind: 'finished', at: tools.clock.now() });
  return DONE;
}

/**
 * Sends the notification, unless an earlier one failed and must not be repeated yet. Returns null when it was accepted.
 */
async function notify(upload: Upload, url: string, tools: StepTools): Promise<StepResult | null> {
  const { client, clock, signal, completions } = tools;
  const failed = completions.get(upload.id);
  if (failed !== undefined && (upload.retriesByStep.finish?.count ?? 0) >= failed.retries) {
    if (await hasNoticed(upload, failed.error.details ?? {}, tools)) return DONE;
    const inMs = failed.againAt - clock.monotonic();
    if (inMs > 0) return waitFor(Math.ceil(Math.min(inMs, failed.pollEveryMs)), failed.error);
  }
  try {
    await finishUpload(client, url, { signal, ways: completions.ways });
    return null;
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError) || stopsChanges(error)) throw error;
    if (await hasNoticed(upload, error.details ?? {}, tools)) return DONE;
    if (outcomeOf(error) !== 'refused') throw error;
    throw appError('upload.completion-refused', { details: error.details ?? {}, cause: error });
  }
}

/**
 * Returns whether the service has detected the bytes, and records it. Throws `upload.not-received` when the file is
 * missing or abandoned, with `reason`, the details of the failed notification.
 */
async function hasNoticed(upload: Upload, reason: Record<string, unknown>, tools: StepTools): Promise<boolean> {
  const { client, journal, clock, signal, completions } = tools;
  const file = await existing(getFile(client, mediaIdOf(upload), fileIdOf(upload), signal));
  // Not every server of the library may know the file yet.
  if (file === null && isNew(upload.destinationAt, clock.now())) return false;
  if (file === null || file.status === 'aborted') {
    completions.forget(upload.id);
    journal.record(upload.id, { kind: 'file-dropped' });
    throw appError('upload.not-received', { details: { ...reason, fileStatus: file?.status ?? 'deleted' } });
  }
  // A file in error has its bytes, too: polling its processing reports the error.
  if (!['processing', 'complete', 'error'].includes(file.status)) return false;
  completions.forget(upload.id);
  journal.record(upload.id, { kind: 'finished', at: clock.now() });
  return true;
}
