import { appError } from '../../../../shared/contract/app-error.ts';
import { type ItemFields, noItemFields } from '../../../../shared/item/fields.ts';
import { compareDetails } from '../../../../shared/model/details/details-fields.ts';
import { cleanItemFields, pickFields } from '../../../../shared/model/item-fields.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { UploadPlan } from '../../../../shared/model/watch/apply-rules.ts';
import { applyLate, type LateTools, type LateValues, NO_PLACE } from '../../companions/late-values.ts';
import type { ReadMediaFacts } from '../../media-tags/media-facts.ts';
import type { Logger } from '../../ports/logger.ts';
import { noteDetails } from '../../uploads/journal/note-details.ts';
import { companionOf } from '../intake/companion-of.ts';
import type { FolderManifests } from '../intake/folder-manifests.ts';
import type { LateCompanion } from '../intake/ready-file.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import { forcedOutcome } from './settle-file.ts';

// Values that arrive after their recording was queued: of files that describe it, and of the rows of a manifest. Only values that
// Mediadesk set by itself are replaced; values that someone changed, on this computer or in the library, stay.

export interface LateRowTools extends LateTools {
  logger: Logger;
  rows: WatchedFileStore;
  manifests: FolderManifests;
  mediaFacts: ReadMediaFacts;
}

/** How long after its upload was queued a file accepts values from a manifest. Later, its name may be used for another file. */
const LATE_ROW_MS = 24 * 60 * 60_000;
/** The interval for values that can't be applied to the upload or the item now. */
const AGAIN_MS = 30_000;
/** The same for uploads that continue only after a decision of the user. */
const USER_AGAIN_MS = 10 * 60_000;

/**
 * Applies the values of a file about a recording that was queued before: to its upload while the item is not created yet,
 * otherwise as an edit of the item.
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
  { row, recording, before }: LateCompanion,
  tools: LateRowTools,
): Promise<WatchedFile> {
  const { rows, manifests, clock, journal } = tools;
  const upload = uploadFor(recording, tools);
  const plan = upload === null ? null : await planOfUpload(folder, recording, upload, tools);
  if (upload === null || plan === null) {
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
  const isFree = (field: keyof ItemFields) => stronger.every((other) => other[field] === undefined);
  const made = [madeBy(plan), ...others.flatMap(({ described }) => described ?? []), before ?? {}];
  const given = pickFields(row.described ?? {}, isFree);
  const late: LateValues = { uploadId: upload.id, made, given, replaces: 'made', named: NO_PLACE };
  const againMs = await applyAll([late], row.path, tools);
  if (againMs !== null) {
    // `before` has the values that were applied last.
    return { ...row, state: 'waiting', described: before, dueAt: clock.monotonic() + againMs };
  }
  // The file is moved with the recording.
  const noted = tools.uploadOf(upload.id);
  const file = noted === null ? null : companionOf(row, folder, noted);
  if (noted !== null && file !== null) noteDetails(noted, file, journal);
  return { ...row, state: 'done', uploadId: upload.id, handledAt: clock.now() };
}

/**
 * Applies the rows of a manifest whose files were queued before it arrived: to the uploads whose items are not created yet,
 * otherwise as edits of the items. After a crash in between the manifest is applied again, which changes nothing.
 *
 * Returns after how many milliseconds to apply the manifest again; null: everything is applied.
 */
export async function applyLateRows(
  folder: FolderRecord,
  manifest: WatchedFile,
  tools: LateRowTools,
): Promise<number | null> {
  const { rows, clock } = tools;
  const base = manifest.path.slice(0, manifest.path.lastIndexOf('/') + 1);
  const late: LateValues[] = [];
  let mustWait = false;
  for (const row of rows.queuedBelow(folder.id, base, clock.now() - LATE_ROW_MS)) {
    const found = await lateRowOf(row, folder, manifest, tools);
    if (found === 'again') mustWait = true;
    else if (found !== null) late.push(found);
  }
  const againMs = await applyAll(late, manifest.path, tools);
  return mustWait ? AGAIN_MS : againMs;
}

/** Returns the values of the manifest for a queued file; null: nothing to apply. `again`: the manifest can't be read now. */
async function lateRowOf(
  row: WatchedFile,
  folder: FolderRecord,
  manifest: WatchedFile,
  tools: LateRowTools,
): Promise<LateValues | 'again' | null> {
  const { rows, manifests, clock } = tools;
  const upload = uploadFor(row, tools);
  const outcome = forcedOutcome(folder, row, clock.now());
  if (upload === null || outcome.kind !== 'upload' || !outcome.plan.manifest) return null;
  const found = await manifests.rowOf(folder, row.path, manifest);
  if (found.kind === 'problem' && found.code.startsWith('file.')) return 'again';
  if (found.kind !== 'row') return null;
  const plan = await planOfUpload(folder, row, upload, tools);
  if (plan === null) return null;
  // The row replaces values from files that describe the recording, as at an upload for which both exist.
  const details = rows.ofUpload(upload.id).flatMap(({ described }) => described ?? []);
  const given = cleanItemFields(found.row.fields);
  return { uploadId: upload.id, made: [madeBy(plan), ...details], given, replaces: 'made', named: found.row };
}

/** Applies values. Returns after how many milliseconds to apply them again; null: all are applied. */
async function applyAll(late: readonly LateValues[], label: string, tools: LateRowTools): Promise<number | null> {
  const uploadOf = (uploadId: string) => uploadFor({ uploadId }, tools);
  const { outcomes } = await applyLate(late, label, { ...tools, uploadOf });
  let againMs: number | null = null;
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind === 'failed') tools.logger.warn('watch.late-values', { error: outcome.error.toData() });
    if (outcome.kind === 'failed' || outcome.kind === 'unconfirmed') againMs = AGAIN_MS;
    if (outcome.kind !== 'applied' || !outcome.isOpen) continue;
    const state = uploadOf(late[index]?.uploadId ?? '')?.state;
    const needsUser = state === 'failed' || state === 'paused';
    againMs = Math.min(againMs ?? USER_AGAIN_MS, needsUser ? USER_AGAIN_MS : AGAIN_MS);
  }
  return againMs;
}

/** Returns the upload of a file; null: there is none that has an item or will have one. */
function uploadFor(
  { uploadId }: Pick<WatchedFile, 'uploadId'>,
  { uploadOf }: Pick<LateTools, 'uploadOf'>,
): Upload | null {
  const upload = uploadId === null ? null : uploadOf(uploadId);
  return upload === null || upload.state === 'cancelled' || upload.state === 'skipped' ? null : upload;
}

/**
 * Returns the plan that the current rules give to a queued file, with the title of its upload; null when no rule accepts the file
 * now. Reads the contents of the file only if the title needs them and the row does not have the title.
 */
async function planOfUpload(
  folder: FolderRecord,
  row: WatchedFile,
  upload: Upload,
  { clock, mediaFacts }: LateRowTools,
): Promise<UploadPlan | null> {
  const outcome = forcedOutcome(folder, row, clock.now());
  if (outcome.kind !== 'upload') return null;
  const title = row.outcome?.title;
  if (title !== undefined) return { ...outcome.plan, title, needsContents: false };
  if (!outcome.plan.needsContents) return outcome.plan;
  const complete = forcedOutcome(folder, row, clock.now(), await mediaFacts(upload.path, folder.root));
  return complete.kind === 'upload' ? complete.plan : null;
}

/** Returns the values that a plan gives to an item. */
function madeBy({ title, tags }: UploadPlan): ItemFields {
  return { ...noItemFields(), title, tags: [...tags] };
}
