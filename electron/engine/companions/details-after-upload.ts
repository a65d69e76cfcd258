import { basename } from 'node:path';
import { type AppError, appError, toAppError } from '../../../shared/contract/app-error.ts';
import type { ItemFields } from '../../../shared/item/fields.ts';
import { mergeDetails } from '../../../shared/model/details/details-fields.ts';
import type { DescribedItems, ItemDescription } from '../../../shared/model/item-description.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import { isDescribable } from '../../../shared/model/uploads/upload-machine.ts';
import { shownName } from '../ports/system/byte-paths.ts';
import { noteDetails } from '../uploads/journal/note-details.ts';
import { knownFile, type VolumeOf, volumesByFolder } from '../uploads/places/volume-of.ts';
import type { EarlierUploads } from './earlier-uploads.ts';
import type { LateDetailsFile, LateFileTools, RefusedLateFile } from './late-file.ts';
import { pairUnclear, valuesEntered } from './pair-problems.ts';

/** The values of all late files about one upload. */
interface Described {
  upload: Upload;
  files: readonly LateDetailsFile[];
  /**
   * Returns the values, if the files may replace those of the item (`present`; by default as this computer knows them); null: they
   * may not.
   */
  fieldsFor(present?: ItemFields): Partial<ItemFields> | null;
}

/**
 * Applies files with details to earlier uploads: to the row of an upload whose item is not created yet, otherwise as one edit of
 * the items. Values that someone entered are replaced only if the user chose the upload of a file. Applying the files again
 * changes nothing.
 */
export async function applyLateDetails(
  files: readonly LateDetailsFile[],
  { siteId, earlier }: { siteId: string; earlier: EarlierUploads },
  { journal, items, volumes }: LateFileTools,
): Promise<{ refused: RefusedLateFile[]; groupId: string | null }> {
  const refused: RefusedLateFile[] = [];
  const refuse: Refuse = (all, errorOf) => {
    for (const file of all) refused.push({ ...file, error: errorOf(file.path) });
  };
  const edits: ItemEdit[] = [];
  const tools = { journal, earlier, items, volumeOf: volumesByFolder(volumes) };
  for (const [id, some] of Map.groupBy(files, ({ late }) => late.upload.id)) {
    const described = await describedFor(id, some, earlier);
    // The row is read again: a step may have been recorded during the await above. No await may come before the record below.
    const upload = earlier.get(id);
    if (described === null || upload === null) refuse(some, notClear);
    else if (isDescribable(upload)) describeRow(upload, described, { ...tools, refuse });
    else if (upload.mediaId === null) refuse(some, () => appError('upload.item-unconfirmed'));
    else edits.push({ ...described, of: described, mediaId: upload.mediaId });
  }
  const groupId =
    edits.length === 0 ? null : await applyToItems(edits, { siteId, label: labelOf(files), refuse, ...tools });
  return { refused, groupId };
}

type ItemEdit = ItemDescription & { of: Described };

/** Returns the id of the edit; null: no item changes. */
async function applyToItems(
  edits: readonly ItemEdit[],
  {
    siteId,
    label,
    items,
    refuse,
    ...tools
  }: NoteTools & { siteId: string; label: string; items: LateFileTools['items']; refuse: Refuse },
): Promise<string | null> {
  let answer: DescribedItems;
  try {
    answer = await items.describe(siteId, edits, label);
  } catch (error) {
    // Nothing was changed, so the files can be added again.
    for (const { of: described } of edits) refuse(described.files, () => toAppError(error));
    return null;
  }
  for (const { of: described, mediaId } of edits) {
    const result = answer.results.get(mediaId) ?? 'gone';
    if (result === 'described') noteFiles(described, tools);
    else refuse(described.files, result === 'gone' ? () => appError('edit.item-gone') : valuesEntered);
  }
  return answer.groupId;
}

type Refuse = (files: readonly LateDetailsFile[], errorOf: (path: string) => AppError) => void;

const notClear = (path: string) => pairUnclear(path, null);

function describeRow(before: Upload, described: Described, { refuse, ...tools }: NoteTools & { refuse: Refuse }): void {
  const fields = described.fieldsFor();
  if (fields !== null) {
    tools.journal.recordMany([{ before, event: { kind: 'described', fields } }]);
    noteFiles(described, tools);
  } else refuse(described.files, valuesEntered);
}

/**
 * Returns the merged values: JSON comes before XML, and XML before text, field by field. null: the upload ended without an item
 * in the meantime.
 */
async function describedFor(
  id: string,
  files: readonly LateDetailsFile[],
  earlier: EarlierUploads,
): Promise<Described | null> {
  const upload = earlier.get(id);
  if (upload === null) return null;
  const fields = mergeDetails(files.map(({ path, late }) => ({ path, fields: late.fields })));
  // By choosing the upload, the user agreed that entered values are replaced.
  const isChosen = files.every(({ path }) => earlier.chosenFor(path) === id);
  const entered = await earlier.entered(upload, fields);
  const fieldsFor = (now?: ItemFields) => (isChosen || entered(now).length === 0 ? fields : null);
  return { upload, files, fieldsFor };
}

/** Returns the name of the edit in the list of edits. */
function labelOf(files: readonly LateDetailsFile[]): string {
  const [first] = files;
  return first === undefined || files.length > 1 ? '' : shownName(basename(first.path));
}

type NoteTools = Pick<LateFileTools, 'journal'> & { earlier: EarlierUploads; volumeOf: VolumeOf };

/** Notes the files in their upload, so that they are moved with the recording. */
function noteFiles({ upload: { id }, files }: Described, { journal, earlier, volumeOf }: NoteTools): void {
  for (const { path, late } of files) {
    const before = earlier.get(id);
    if (before === null) return;
    const known = knownFile(path, late.read, volumeOf);
    noteDetails(before, { path, fileName: shownName(basename(path)), known }, journal);
  }
}
