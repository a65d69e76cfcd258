import { cleanItemFields } from '../../../../shared/model/item-fields.ts';
import { AGAIN_MS, applyLate, isOver, type LateTools, type LateValues, madeBy } from '../../companions/late-values.ts';
import type { ReadMediaFacts } from '../../media-tags/media-facts.ts';
import type { FolderManifests } from '../intake/folder-manifests.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import { planOfUpload } from './plan-of-upload.ts';
import { forcedOutcome } from './settle-file.ts';

export interface LateRowTools extends LateTools {
  rows: WatchedFileStore;
  manifests: FolderManifests;
  mediaFacts: ReadMediaFacts;
}

/** How long after its upload was queued a file accepts values from a manifest. Later, its name may be used for another file. */
const LATE_ROW_MS = 24 * 60 * 60_000;

/**
 * Applies the rows of a manifest whose files were queued before it arrived: to the uploads whose items are not created yet,
 * otherwise as edits of the items. Only values that the rules of the folder set are replaced; values that someone changed, on
 * this computer or in the library, stay. After a crash in between the manifest is applied again, which changes nothing.
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
  const againMs = await applyLate(late, manifest.path, tools);
  return mustWait ? AGAIN_MS : againMs;
}

/** Returns the values of the manifest for a queued file; null: nothing to apply. `again`: the manifest can't be read now. */
async function lateRowOf(
  row: WatchedFile,
  folder: FolderRecord,
  manifest: WatchedFile,
  tools: LateRowTools,
): Promise<LateValues | 'again' | null> {
  const { rows, manifests, clock, uploadOf } = tools;
  const upload = row.uploadId === null ? null : uploadOf(row.uploadId);
  const outcome = forcedOutcome(folder, row, clock.now());
  if (upload === null || outcome.kind !== 'upload' || !outcome.plan.manifest || isOver(upload)) return null;
  const found = await manifests.rowOf(folder, row.path, manifest);
  if (found.kind === 'problem' && found.code.startsWith('file.')) return 'again';
  if (found.kind !== 'row') return null;
  const plan = await planOfUpload(folder, row, upload, tools);
  if (plan === null) return null;
  // The row replaces values from files that describe the recording, as at an upload for which both exist.
  const details = rows.ofUpload(upload.id).flatMap(({ described }) => described ?? []);
  return {
    uploadId: upload.id,
    made: [madeBy(plan), ...details],
    given: cleanItemFields(found.row.fields),
    named: found.row,
  };
}
