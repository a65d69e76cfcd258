import { basename, dirname, join } from 'node:path';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import { stemsOfCaptions } from '../../../../shared/model/pairing/caption-stems.ts';
import { splitFileName } from '../../../../shared/model/title-template.ts';
import { type FollowUp, type FollowUpFacts, fileFingerprintOf } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { existing } from '../../api/existing.ts';
import { getFile } from '../../api/files.ts';
import type { FileMover } from '../../ports/file-mover.ts';
import type { FileFacts } from '../../ports/files.ts';
import { isSameFolder } from '../../ports/same-folder.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import { fileIdOf, mediaIdOf } from '../delivery/upload-steps.ts';
import { companionProblem } from '../local-files/known-companion.ts';
import { reasonOfAbsence } from '../local-files/locate-file.ts';
import type { FollowUpTools } from './follow-up-tools.ts';

/** The number of names tried in a folder until one is free. */
const MOST_NAMES = 1000;

/**
 * Moves a recording that is complete in the library, or puts it into the trash, together with its sidecars.
 *
 * This happens only when everything else is done, the library has the file complete with equal size, and the local file still has
 * the size, the time and (if the transfer computed one) the hash of the sent file. Nothing is ever replaced, and a copy to
 * another disk is compared before the original is deleted. An interrupted move is recognized after a crash, and a failed attempt
 * leaves no partial copy.
 */
export async function disposeOfSource(
  upload: Upload,
  index: number,
  followUp: FollowUp,
  tools: FollowUpTools,
): Promise<void> {
  const { source } = followUp;
  if (source === null || source.kind === 'keep') return;
  // A refused publication does not count: a draft is in the library, too.
  const isMissing = ({ kind, state }: FollowUp) => kind !== 'source' && kind !== 'publish' && state !== 'done';
  if (upload.followUps.some(isMissing)) throw appError('source.held');
  const note: Note = (facts) => tools.journal.record(upload.id, { kind: 'follow-up-noted', index, facts });
  if (source.kind === 'trash') return trashSource(upload, followUp, note, tools);
  try {
    await moveSource(upload, followUp, source.folder, note, tools);
  } catch (error) {
    // Removes the partial copy, also that of an attempt before a crash, because this may be the last attempt. A stop of the
    // program leaves it: the next start continues. An error of the removal is ignored, so that the error of the move is reported.
    if (!tools.signal.aborted) await dropPart(partOf(upload, source.folder), tools).catch(() => {});
    throw error;
  }
}

type Note = (facts: FollowUpFacts) => void;

async function trashSource(upload: Upload, followUp: FollowUp, note: Note, tools: FollowUpTools): Promise<void> {
  const found = await factsIfThere(upload.path, tools);
  // If an earlier attempt began and the file is missing now, that attempt succeeded, unless the drive or folder is missing.
  if (found === null && followUp.intentAt !== null) return assertGoneByItself(upload, tools);
  await assertSafe(upload, found, tools);
  note({ intentAt: tools.clock.now() });
  await tools.journal.whenDurable();
  try {
    for (const sidecar of await sidecarsAsSent(upload, tools)) await tools.mover.trash(sidecar.path);
    await assertUnchanged(upload, tools);
    await tools.mover.trash(upload.path);
  } catch (error) {
    // The trash did not accept the file: a later attempt that finds no file must not conclude that this one succeeded.
    note({ intentAt: null });
    throw error;
  }
}

async function moveSource(
  upload: Upload,
  followUp: FollowUp,
  folder: string,
  note: Note,
  tools: FollowUpTools,
): Promise<void> {
  const found = await factsIfThere(upload.path, tools);
  if (followUp.target !== null && found === null && (await isAsSent(upload, followUp.target, tools))) return;
  await assertSafe(upload, found, tools);
  await assertFolder(folder, tools);
  if (dirname(upload.path) === folder || (await isSameFolder(dirname(upload.path), folder, tools.files))) {
    note({ target: upload.path });
    return;
  }
  await moveTo(upload, followUp.target, folder, (target) => note({ target }), tools);
}

/** Returns the path of a copy to another disk, specific to this upload, because a copy with the same name may be in progress. */
function partOf({ id }: Upload, folder: string): string {
  return join(folder, `.${id}.mediadesk-part`);
}

async function dropPart(part: string, tools: FollowUpTools): Promise<void> {
  // Checked first, with a timeout: removing a file from a disk that does not answer would block the slot.
  if ((await factsIfThere(part, tools)) !== null) await tools.mover.remove(part);
}

/** Throws when the file may still exist: on a drive or in a folder that is missing. */
async function assertGoneByItself(upload: Upload, tools: FollowUpTools): Promise<void> {
  const missing = appError('file.missing', { details: { path: upload.path } });
  const reason = await reasonOfAbsence(upload, missing, tools);
  if (reason !== missing) throw reason;
}

/** Throws unless the library has the current contents. */
async function assertSafe(upload: Upload, found: FileFacts | null, tools: FollowUpTools): Promise<void> {
  const { client, mover, signal } = tools;
  const file = await existing(getFile(client, mediaIdOf(upload), fileIdOf(upload), signal));
  if (file?.status !== 'complete' || file.size !== upload.sizeBytes) {
    const details = { status: file?.status ?? 'gone', storedBytes: file?.size ?? null, sentBytes: upload.sizeBytes };
    throw appError('source.not-agreed', { details });
  }
  if (found === null) throw appError('file.missing', { details: { path: upload.path } });
  assertSame(upload, found);
  if (upload.sha256 !== null && (await mover.hash(upload.path, signal)) !== upload.sha256) {
    throw appError('source.changed', { details: { path: upload.path } });
  }
  await assertUnchanged(upload, tools);
}

async function assertUnchanged(upload: Upload, { files }: FollowUpTools): Promise<void> {
  assertSame(upload, await files.facts(upload.path));
}

/** Without a hash of the sent bytes, only its identity proves that a file of this size and time is the one that was sent. */
function assertSame(upload: Upload, { sizeBytes, mtimeMs, kind, identity }: FileFacts): void {
  const isProven = upload.sha256 !== null || identity === upload.identity;
  if (isProven && kind === 'file' && sizeBytes === upload.sizeBytes && mtimeMs === upload.mtimeMs) return;
  throw appError('source.changed', {
    details: { path: upload.path, sentBytes: upload.sizeBytes, foundBytes: sizeBytes },
  });
}

async function assertFolder(folder: string, tools: FollowUpTools): Promise<void> {
  const facts = await factsIfThere(folder, tools);
  if (facts?.kind !== 'folder') throw appError('source.folder-missing', { details: { folder } });
}

async function moveTo(
  upload: Upload,
  begun: string | null,
  folder: string,
  noteTarget: (target: string) => void,
  tools: FollowUpTools,
): Promise<void> {
  const part = partOf(upload, folder);
  let target = begun;
  for (let number = 1; number <= MOST_NAMES; number += 1) {
    const isBegun = target !== null;
    target ??= await freeName(upload, folder, number, tools);
    if (target === null) continue;
    if (!isBegun) noteTarget(target);
    await tools.journal.whenDurable();
    for (const sidecar of await sidecarsAsSent(upload, tools)) {
      const asSent = sidecar.fingerprint ?? '';
      await moveFile(sidecar.path, besides(target, upload, nameOnDisk(sidecar)), isBegun, { part, asSent }, tools);
    }
    await assertUnchanged(upload, tools);
    if (await moveFile(upload.path, target, isBegun, { part, asSent: fileFingerprintOf(upload) }, tools)) return;
    // Another program took the name in the meantime.
    target = null;
  }
  throw appError('source.folder-unwritable', { details: { folder, reason: 'no free name' } });
}

/** Returns a free name such as `name.mp4`, `name (2).mp4` … for the recording and all its sidecars. */
async function freeName(upload: Upload, folder: string, number: number, tools: FollowUpTools): Promise<string | null> {
  const { stem, extension } = splitFileName(nameOnDisk(upload));
  const name = `${number === 1 ? stem : `${stem} (${number})`}${extension === '' ? '' : `.${extension}`}`;
  const target = join(folder, name);
  const sidecars = upload.followUps.filter(isSidecar).map((sidecar) => besides(target, upload, nameOnDisk(sidecar)));
  for (const path of [target, ...sidecars]) if ((await factsIfThere(path, tools)) !== null) return null;
  return target;
}

/** Returns the name in the library, or the name on the disk if it only differs by bytes that are not valid text. */
function nameOnDisk({ path, fileName }: { path: string; fileName: string }): string {
  const name = basename(path);
  return shownName(name) === fileName ? name : fileName;
}

/**
 * Returns the path of a sidecar beside the new path of its recording. A sidecar with another name, because the recording was
 * renamed while it was queued, keeps that name; it only gets the number of a name that was taken.
 */
function besides(target: string, upload: Upload, sidecarName: string): string {
  const before = splitFileName(nameOnDisk(upload)).stem.normalize('NFC');
  const after = splitFileName(basename(target)).stem;
  const name = sidecarName.normalize('NFC');
  if (name.startsWith(`${before}.`)) return join(dirname(target), `${after}${name.slice(before.length)}`);
  const number = after.normalize('NFC').slice(before.length);
  const { stem } = splitFileName(name);
  const own = stemsOfCaptions(stem).at(-1) ?? stem;
  return join(dirname(target), `${own}${number}${name.slice(own.length)}`);
}

/**
 * Moves a file. Returns false when the name is taken. `isBegun`: an earlier attempt may have begun this move. A copy to another
 * disk is compared with the original before the original is deleted.
 */
async function moveFile(
  from: string,
  to: string,
  isBegun: boolean,
  { part, asSent }: { part: string; asSent: string },
  tools: FollowUpTools,
): Promise<boolean> {
  const { mover, signal, files } = tools;
  const outcome = await mover.rename(from, to, { replacesEmpty: isBegun });
  if (outcome !== 'other-disk') {
    if (outcome === 'done' || !isBegun) return outcome === 'done';
    // An earlier attempt may have completed its copy and crashed before it deleted the original.
    if ((await mover.hash(from, signal)) !== (await mover.hash(to, signal))) return false;
    await removeOriginal(from, to, mover);
    return true;
  }
  await mover.copy(from, part, signal);
  const [original, copied] = [await mover.hash(from, signal), await mover.hash(part, signal)];
  if (original !== copied) throw appError('source.copy-differs', { details: { path: to } });
  const isAsSent = (facts: FileFacts) => fileFingerprintOf(facts) === asSent;
  // If the file was changed in the meantime, the copy may contain either version, so the original stays.
  if (!isAsSent(await files.facts(from))) throw appError('source.changed', { details: { path: from } });
  if ((await mover.rename(part, to)) !== 'done') {
    await mover.remove(part);
    return false;
  }
  const facts = await factsIfThere(from, tools);
  if (facts !== null && !isAsSent(facts)) throw appError('source.changed', { details: { path: from } });
  await removeOriginal(from, to, mover);
  return true;
}

/**
 * Removes a file whose copy is at its new path. Throws `source.not-removed` when it no longer exists: whether it was deleted or
 * renamed is unknown, so both the copy and the original stay.
 */
async function removeOriginal(from: string, to: string, mover: FileMover): Promise<void> {
  if (!(await mover.remove(from))) throw appError('source.not-removed', { details: { path: from, copy: to } });
}

const isSidecar = ({ kind }: FollowUp) => kind === 'captions' || kind === 'thumbnail' || kind === 'details';

/** Returns the sidecars that still exist, are the same files and are unchanged; others are not moved. */
async function sidecarsAsSent(upload: Upload, tools: FollowUpTools): Promise<FollowUp[]> {
  const found: FollowUp[] = [];
  for (const sidecar of upload.followUps.filter(isSidecar)) {
    const facts = await factsIfThere(sidecar.path, tools);
    if (facts === null || fileFingerprintOf(facts) !== sidecar.fingerprint) continue;
    if (companionProblem(sidecar, facts, tools.volumes) === null) found.push(sidecar);
  }
  return found;
}

/** Returns whether the file at a path is the recording that was sent. */
async function isAsSent(upload: Upload, path: string, tools: FollowUpTools): Promise<boolean> {
  const facts = await factsIfThere(path, tools);
  if (facts?.sizeBytes !== upload.sizeBytes) return false;
  return upload.sha256 === null || (await tools.mover.hash(path, tools.signal)) === upload.sha256;
}

async function factsIfThere(path: string, { files }: FollowUpTools): Promise<FileFacts | null> {
  try {
    return await files.facts(path);
  } catch (error) {
    if (error instanceof AppError && error.code === 'file.missing') return null;
    throw error;
  }
}
