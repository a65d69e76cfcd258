import { appError } from '../../../../shared/contract/app-error.ts';
import type { ItemField, ItemFields } from '../../../../shared/item/fields.ts';
import { compareDetails } from '../../../../shared/model/details/details-fields.ts';
import { applyLate, isOver, madeBy, NO_PLACE } from '../../companions/late-values.ts';
import { noteDetails } from '../../uploads/journal/note-details.ts';
import { detailsFile } from '../intake/described-files.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import type { LateRowTools } from './late-rows.ts';
import { planOfUpload } from './plan-of-upload.ts';
import type { LateDetails } from './settle-details.ts';

/**
 * Applies the values of a file about a recording that was queued before: to its upload while the item is not created yet,
 * otherwise as an edit of the item. Only values that Mediadesk set by itself are replaced: by the rules, or from a file like this
 * one.
 *
 * For each field the first of these that has it counts: the recording's row in a manifest, then the files about the recording in
 * the order of `compareDetails`.
 *
 * Returns the row of the file, which the caller saves: `done`; `waiting` when values can't be applied yet; `refused` when the
 * upload is cancelled or skipped, or no rule accepts the recording now. After a crash before the save it is applied again, which
 * changes nothing.
 */
export async function applyLateDetails(
  folder: FolderRecord,
  { row, recording, before }: LateDetails,
  tools: LateRowTools,
): Promise<WatchedFile> {
  const { rows, manifests, clock, uploadOf } = tools;
  const upload = recording.uploadId === null ? null : uploadOf(recording.uploadId);
  const plan = upload === null ? null : await planOfUpload(folder, recording, upload, tools);
  if (upload === null || isOver(upload) || plan === null) {
    return { ...row, state: 'refused', described: null, reason: appError('watch.sidecar-late').toData() };
  }
  const others = rows.ofUpload(upload.id).filter(({ seq, described }) => seq !== row.seq && described !== null);
  const stronger: Partial<ItemFields>[] = others
    .filter(({ path }) => compareDetails(path, row.path) < 0)
    .flatMap(({ described }) => described ?? []);
  if (plan.manifest) {
    const found = await manifests.rowOf(folder, recording.path);
    if (found.kind === 'row') stronger.push(found.row.fields);
  }
  const made = [madeBy(plan), ...others.flatMap(({ described }) => described ?? []), before ?? {}];
  const late = { uploadId: upload.id, made, given: without(row.described ?? {}, stronger), named: NO_PLACE };
  const againMs = await applyLate([late], row.path, tools);
  if (againMs !== null) {
    // `before` has the values that were applied last.
    return { ...row, state: 'waiting', described: before, dueAt: clock.monotonic() + againMs };
  }
  noteFile(upload.id, row, folder, tools);
  return { ...row, state: 'done', uploadId: upload.id, handledAt: clock.now() };
}

/** Notes the file in its upload, so that it is moved with the recording. */
function noteFile(uploadId: string, row: WatchedFile, folder: FolderRecord, { journal, uploadOf }: LateRowTools): void {
  const upload = uploadOf(uploadId);
  if (upload !== null) noteDetails(upload, detailsFile(row, folder, upload), journal);
}

/** Returns the fields that none of the other files has. */
function without(fields: Partial<ItemFields>, others: readonly Partial<ItemFields>[]): Partial<ItemFields> {
  const isFree = (name: string) => others.every((other) => other[name as ItemField] === undefined);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isFree(name)));
}
