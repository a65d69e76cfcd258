import { basename } from 'node:path';
import type { ListedFile } from '../../../../shared/contract/upload-files.ts';
import type { UploadsPreview } from '../../../../shared/contract/uploads.ts';
import { mergeDetails } from '../../../../shared/model/details/details-fields.ts';
import { localDay } from '../../../../shared/model/local-day.ts';
import { MOST_LISTED_FILES, PREVIEW_LIMIT } from '../../../../shared/model/preview-limit.ts';
import { isManifestName } from '../../../../shared/model/watch/manifest-names.ts';
import { type FoundCompanion, sidecarsOf } from '../../companions/companion-pairs.ts';
import type { EarlierUploads } from '../../companions/earlier-uploads.ts';
import { shownLate } from '../../companions/late-files.ts';
import type { FileFacts, Files } from '../../ports/files.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import { folderNameOf } from '../places/folder-name.ts';
import { FileChoices } from './file-choices.ts';
import { type FoundPath, findRecordings } from './find-recordings.ts';

const NAMED_FILES = 3;

export interface PreviewOptions {
  sidecars?: boolean;
  limit?: number;
  /** Whether the result lists the files. */
  lists?: boolean;
  /** The user's choices for single files; by default there are none. */
  choices?: FileChoices;
  /** The earlier uploads to which captions, thumbnails and details can be added; null: these files become items of their own. */
  earlier?: EarlierUploads | null;
  looksKnown?: (path: string, facts: FileFacts) => boolean;
  signal?: AbortSignal;
}

/**
 * Returns the result that adding these paths would have, with the same search as adding. Stops after `limit` findings, which is
 * enough to recognize a wrong folder. Unreadable paths count as skipped. `looksKnown` returns whether the collection probably has
 * a file already. An aborted `signal` ends the search with the findings so far.
 */
export async function previewPaths(
  files: Files,
  paths: readonly string[],
  options: PreviewOptions = {},
): Promise<UploadsPreview> {
  const {
    sidecars: takesAlong = true,
    limit = PREVIEW_LIMIT,
    lists = false,
    choices = new FileChoices([], true),
    earlier = null,
    looksKnown = () => false,
    signal,
  } = options;
  const preview: UploadsPreview = {
    files: 0,
    bytes: 0,
    skipped: 0,
    sidecars: 0,
    likelyDuplicates: 0,
    isAll: true,
    firstNames: [],
  };
  const list = lists ? { files: [] as ListedFile[], isAll: true } : null;
  const manifests: { path: string; fileName: string }[] = [];
  const result = (isAll: boolean): UploadsPreview =>
    list === null
      ? { ...preview, isAll }
      : { ...preview, isAll, manifests, list: { files: list.files, isAll: isAll && list.isAll } };
  const findings = findRecordings(files, paths, { sidecars: takesAlong, chosen: choices.pairs, earlier });
  for await (const finding of untilAborted(findings, signal)) {
    if (!choices.admits(finding.path) || (lists && setAside(finding, manifests))) continue;
    if (preview.files + preview.skipped >= limit) return result(false);
    const isKnown = !('error' in finding) && finding.late === undefined && looksKnown(finding.path, finding.facts);
    if (list !== null && list.files.length < MOST_LISTED_FILES) list.files.push(listedFile(finding, isKnown, earlier));
    else if (list !== null) list.isAll = false;
    if ('error' in finding) {
      preview.skipped += 1;
      continue;
    }
    count(preview, finding);
    if (isKnown) preview.likelyDuplicates += 1;
  }
  return result(signal?.aborted !== true);
}

/** Counts a file that would be sent. `firstNames` are for previews of titles: a file that is added to an item has no title. */
function count(
  preview: UploadsPreview,
  { path, facts, companions, late }: Extract<FoundPath, { companions: unknown }>,
): void {
  preview.files += 1;
  preview.bytes += facts.sizeBytes;
  preview.sidecars += sidecarsOf(companions).length;
  if (late !== undefined || preview.firstNames.length >= NAMED_FILES) return;
  const fileName = shownName(basename(path));
  preview.firstNames.push({ fileName, folderName: folderNameOf(path), date: localDay(facts.mtimeMs) });
}

/** Notes a spreadsheet that may describe the files. Returns whether the finding is one. */
function setAside(finding: FoundPath, manifests: { path: string; fileName: string }[]): boolean {
  const fileName = shownName(basename(finding.path));
  if ('error' in finding || !isManifestName(fileName)) return false;
  manifests.push({ path: finding.path, fileName });
  return true;
}

function listedFile(finding: FoundPath, isLikelyDuplicate: boolean, earlier: EarlierUploads | null): ListedFile {
  const { path, facts } = finding;
  const isSkipped = 'error' in finding;
  const late = isSkipped ? undefined : finding.late;
  return {
    path,
    fileName: shownName(basename(path)),
    folderName: folderNameOf(path),
    sizeBytes: facts?.sizeBytes ?? 0,
    date: facts === undefined ? null : localDay(facts.mtimeMs),
    problem: isSkipped ? finding.error.toData() : null,
    unclear: isSkipped ? (finding.unclear ?? null) : null,
    isLikelyDuplicate,
    sidecars: isSkipped ? [] : sidecarsOf(finding.companions).map(({ fileName }) => fileName),
    details: isSkipped ? null : shownDetails(finding.companions),
    ...(late === undefined || earlier === null ? {} : { late: shownLate(late, earlier) }),
  };
}

function shownDetails(companions: readonly FoundCompanion[]): ListedFile['details'] {
  const sources = companions.filter(({ kind }) => kind === 'details').map(({ fileName }) => fileName);
  return sources.length === 0 ? null : { fields: mergeDetails(companions), sources };
}

/** Ends as soon as the signal is aborted, without waiting for the disk: an unreachable share answers late. */
async function* untilAborted<T>(walk: AsyncGenerator<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  if (signal === undefined) return yield* walk;
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    for (;;) {
      const next = await Promise.race([aborted, walk.next()]);
      if (next === null || signal.aborted || next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: it ends when the disk has answered.
    void walk.return(undefined);
  }
}
