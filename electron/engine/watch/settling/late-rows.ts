import { toAppError } from '../../../../shared/contract/app-error.ts';
import { canonicalTag, canonicalText } from '../../../../shared/model/edits/canonical.ts';
import { cleanItemFields, type ItemFields } from '../../../../shared/model/item-fields.ts';
import type { Upload } from '../../../../shared/model/upload.ts';
import { isDescribable } from '../../../../shared/model/upload-machine.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { UploadJournal } from '../../uploads/journal/upload-journal.ts';
import type { FolderManifests } from '../intake/folder-manifests.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import { forcedOutcome } from './settle-file.ts';

/** Edits items of a library, except fields that no longer have the value of `expected`. Throws when they can't be read now. */
export type EditItems = (
  siteId: string,
  changes: readonly { mediaId: string; expected: ItemFields; fields: Partial<ItemFields> }[],
  label: string,
) => Promise<void>;

export interface LateRowTools {
  rows: WatchedFileStore;
  manifests: FolderManifests;
  journal: UploadJournal;
  clock: Clock;
  logger: Logger;
  uploadOf(id: string): Upload | null;
  editItems: EditItems;
}

/** How long after its upload was queued a file takes values from a manifest: its name may be used again. */
const LATE_ROW_MS = 24 * 60 * 60_000;
/** When a row is applied again whose upload or library can't take it now. */
const AGAIN_MS = 30_000;

/**
 * Applies the rows of a manifest whose files were queued before it arrived: to the uploads whose items are not created yet,
 * otherwise as edits of the items. Only values that the rules of the folder made are replaced: what anyone changed, here or in
 * the library, stays. Applying it again changes nothing, so a crash in between loses nothing.
 *
 * Returns after how many milliseconds to apply it again; null: everything is applied.
 */
export async function applyLateRows(
  folder: FolderRecord,
  manifest: WatchedFile,
  tools: LateRowTools,
): Promise<number | null> {
  const { rows, journal, clock, logger, editItems } = tools;
  const base = manifest.path.slice(0, manifest.path.lastIndexOf('/') + 1);
  const late: LateRow[] = [];
  let mustWait = false;
  for (const row of rows.queuedBelow(folder.id, base, clock.now() - LATE_ROW_MS)) {
    const found = await lateRowOf(row, folder, manifest, tools);
    if (found === 'again') mustWait = true;
    else if (found !== null) late.push(found);
  }
  const facts = late.filter(({ upload }) => isDescribable(upload));
  if (facts.length > 0) {
    journal.recordMany(facts.map(({ upload, fields }) => ({ before: upload, event: { kind: 'described', fields } })));
  }
  const items = late.flatMap(({ upload, fields }) => {
    const { siteId, mediaId, title, byline, description, tags } = upload;
    return mediaId === null ? [] : [{ siteId, mediaId, fields, expected: { title, byline, description, tags } }];
  });
  for (const [siteId, changes] of Map.groupBy(items, (item) => item.siteId)) {
    try {
      await editItems(siteId, changes, manifest.path);
    } catch (error) {
      logger.warn('watch.late-rows', { folderId: folder.id, error: toAppError(error).toData() });
      mustWait = true;
    }
  }
  return mustWait ? AGAIN_MS : null;
}

/** An upload and the values of its row. */
interface LateRow {
  upload: Upload;
  fields: Partial<ItemFields>;
}

/** null: the row changes nothing. `again`: it may change something later. */
async function lateRowOf(
  row: WatchedFile,
  folder: FolderRecord,
  manifest: WatchedFile,
  { manifests, clock, uploadOf }: LateRowTools,
): Promise<LateRow | 'again' | null> {
  const upload = row.uploadId === null ? null : uploadOf(row.uploadId);
  const outcome = forcedOutcome(folder, row, clock.now());
  if (upload === null || outcome.kind !== 'upload' || !outcome.plan.manifest || isOver(upload)) return null;
  const found = await manifests.rowOf(folder, row.path, manifest);
  if (found.kind === 'problem' && found.code.startsWith('file.')) return 'again';
  if (found.kind !== 'row') return null;
  const { title, tags } = outcome.plan;
  const made = { title, byline: '', description: '', tags: [...tags] };
  const fields = untouched(upload, made, cleanItemFields(found.row.fields));
  if (Object.keys(fields).length === 0) return null;
  // The library may or may not have created the item.
  return isDescribable(upload) || upload.mediaId !== null ? { upload, fields } : 'again';
}

function isOver({ state }: Upload): boolean {
  return state === 'cancelled' || state === 'skipped';
}

/** The values that differ from those of an upload, for fields that still have what the rules made. */
function untouched(upload: Upload, made: ItemFields, fields: Partial<ItemFields>): Partial<ItemFields> {
  const { title, byline, description, tags } = fields;
  const isMade = (field: 'title' | 'byline' | 'description') => isSame(field, upload[field], made[field]);
  const isNew = (field: 'title' | 'byline' | 'description', value: string) => !isSame(field, upload[field], value);
  return {
    ...(title !== undefined && isMade('title') && isNew('title', title) ? { title } : {}),
    ...(byline !== undefined && isMade('byline') && isNew('byline', byline) ? { byline } : {}),
    ...(description !== undefined && isMade('description') && isNew('description', description) ? { description } : {}),
    ...(tags !== undefined && tagsKey(upload.tags) === tagsKey(made.tags) && tagsKey(tags) !== tagsKey(made.tags)
      ? { tags }
      : {}),
  };
}

function isSame(field: 'title' | 'byline' | 'description', one: string, other: string): boolean {
  return canonicalText(field, one) === canonicalText(field, other);
}

function tagsKey(tags: readonly string[]): string {
  return tags.map(canonicalTag).sort().join('\n');
}
