import { basename } from 'node:path';
import { appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { Addition } from '../../../../shared/contract/upload-choices.ts';
import { type AddUploadsOutput, batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { newFollowUp } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { FileFacts, Files } from '../../ports/files.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import type { AddTools } from './add-tools.ts';
import { newUpload } from './new-upload.ts';
import { recoverPath } from './recover-path.ts';

/** A file of the library as an upload names it. */
interface KnownFile {
  id: string;
  name: string;
}

/** One local file that is added to an item. */
export interface NewAddition {
  path: string;
  addition: Addition;
  /** Its name in the library; by default that of the file on disk. */
  fileName?: string;
  /** The file of the item that is deleted once the new one is complete. */
  replaces?: KnownFile;
}

export interface AdditionRequest {
  siteId: string;
  /** `id` null: the files belong to the collection itself. */
  item: { id: string | null; title: string; collectionId: string; collectionName: string };
  files: readonly NewAddition[];
  /** The ids of the new rows, in the order of `files`; made up by default. */
  ids?: readonly string[];
}

/**
 * Creates the durable rows of files that are added to an item or a collection that already exists. A file that can't be sent gets a row,
 * too, as `skipped` with its reason. Sends nothing; if the item no longer exists, the rows fail later.
 */
export async function addToItem(request: AdditionRequest, tools: AddTools): Promise<AddUploadsOutput> {
  const { siteId, item, files: wanted, ids = [] } = request;
  const { batches, journal, files, clock, random, ranks } = tools;
  const defaults = { ...batchDefaultsSchema.parse({}), duplicates: 'upload' as const, sidecars: false };
  const batch = { id: random.uuid(), siteId, collectionId: item.collectionId };
  const output: AddUploadsOutput = {
    batchId: batch.id,
    added: 0,
    addedBytes: 0,
    skipped: [],
    skippedCount: 0,
    fallbackTitles: 0,
    sidecars: 0,
  };
  const rows: Upload[] = [];
  for (const [index, { path: given, addition, fileName, replaces }] of wanted.entries()) {
    const { path, facts, error } = await inspect(files, given);
    const old = replaces === undefined ? [] : [oldFileFollowUp(replaces)];
    const row: Upload = {
      ...newUpload({
        ...{ id: ids[index] ?? random.uuid(), batch, path, fileName: fileName ?? shownName(basename(path)) },
        ...{ facts, sidecars: [], fields: { title: item.title }, defaults, now: clock.now() },
      }),
      mediaId: item.id,
      addition,
      followUps: old,
    };
    if (error === null) {
      output.added += 1;
      output.addedBytes += row.sizeBytes;
      rows.push(row);
    } else {
      output.skippedCount += 1;
      output.skipped.push({ path, error });
      rows.push({ ...row, state: 'skipped', followUps: [], error, endedAt: clock.now() });
    }
  }
  batches.add({
    ...batch,
    collectionName: item.collectionName,
    collectionRef: null,
    below: null,
    defaults,
    addedAt: clock.now(),
    roots: [],
  });
  journal.add(rows, ranks());
  await journal.whenDurable();
  return output;
}

function oldFileFollowUp({ id, name }: KnownFile) {
  return { ...newFollowUp({ kind: 'old-file', path: '', fileName: name }), fileId: id };
}

interface Inspected {
  path: string;
  facts: FileFacts | null;
  error: ReturnType<ReturnType<typeof toAppError>['toData']> | null;
}

/** What is at a path, or why it can't be sent. Folders are not searched: each file of an item is chosen itself. */
async function inspect(files: Files, given: string): Promise<Inspected> {
  let path = given;
  try {
    path = await recoverPath(files, given);
    const facts = await files.facts(path);
    if (facts.kind !== 'file') throw appError('file.not-regular', { details: { path } });
    if (facts.sizeBytes === 0) throw appError('file.empty', { details: { path } });
    if (facts.isOwnReadable !== true) await files.assertReadable(path);
    return { path, facts, error: null };
  } catch (error) {
    return { path, facts: null, error: toAppError(error).toData() };
  }
}
