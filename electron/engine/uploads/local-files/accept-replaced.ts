import { toAppError } from '../../../../shared/contract/app-error.ts';
import { isReplaced, type KnownFile } from '../../../../shared/model/uploads/follow-ups.ts';
import { hasReplacedFile } from '../../../../shared/model/uploads/replaced-file.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/uploads/upload.ts';
import { inParallel } from '../../common/in-parallel.ts';
import type { Files } from '../../ports/files.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Volumes } from '../../ports/volumes.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import { knownFile, volumesByFolder } from '../places/volume-of.ts';

export interface AcceptTools {
  store: UploadStore;
  journal: UploadJournal;
  files: Files;
  volumes: Volumes;
  logger: Logger;
  /** Returns the function that returns the root of each file of an upload, see `rootsForUpload`. */
  rootsFor(upload: Upload): (path: string) => string;
}

/** The number of uploads whose files are read in parallel, because each read waits for the disk. */
const AT_ONCE = 16;

/**
 * Records the decision of the user that the files are sent that are at the paths of uploads now: of recordings, captions and
 * thumbnails. Each file is read now, so that no later one is sent instead. What can't be read, or is a link, is only retried: the
 * upload then reports the reason. Returns how many uploads changed.
 */
export async function acceptReplaced(ids: readonly string[], tools: AcceptTools): Promise<number> {
  const changed = new Set<string>();
  await inParallel(ids, AT_ONCE, async (id) => {
    if (await acceptOne(id, tools)) changed.add(id);
  });
  return changed.size;
}

async function acceptOne(id: string, tools: AcceptTools): Promise<boolean> {
  const { store, journal } = tools;
  const upload = store.get(id);
  if (upload === null || !hasReplacedFile(upload)) return false;
  const paths = [
    ...(isReplaced(upload) ? [upload.path] : []),
    ...upload.followUps.filter(isReplaced).map(({ path }) => path),
  ];
  const found = new Map<string, KnownFile | null>();
  for (const path of paths) found.set(path, await presentFile(path, upload, tools));
  let isChanged = false;
  // Each event changes the row, and it may have been changed during the reads.
  for (let done = 0; done <= paths.length; done += 1) {
    const before = store.get(id);
    const event = before === null ? null : nextEvent(before, found);
    if (event === null) break;
    journal.record(id, event);
    isChanged = true;
  }
  return isChanged;
}

/** Returns the next event for a row; null when it no longer has a replaced file. */
function nextEvent(upload: Upload, found: ReadonlyMap<string, KnownFile | null>): UploadEvent | null {
  if (isReplaced(upload)) {
    const file = found.get(upload.path) ?? null;
    return file === null ? { kind: 'retried' } : { kind: 'replacement-accepted', file };
  }
  const index = upload.followUps.findIndex((each) => isReplaced(each) && (found.get(each.path) ?? null) !== null);
  const file = found.get(upload.followUps[index]?.path ?? '');
  if (file) return { kind: 'companion-accepted', index, file };
  return upload.followUps.some(isReplaced) ? { kind: 'follow-ups-retried' } : null;
}

/** Returns the file at a path; null when there is none that could be sent. */
async function presentFile(
  path: string,
  upload: Upload,
  { files, volumes, logger, rootsFor }: AcceptTools,
): Promise<KnownFile | null> {
  try {
    const facts = await files.within(rootsFor(upload)(path)).facts(path);
    return facts.kind === 'file' ? knownFile(path, facts, volumesByFolder(volumes)) : null;
  } catch (error) {
    logger.info('replaced.not-read', { id: upload.id, code: toAppError(error).code });
    return null;
  }
}
