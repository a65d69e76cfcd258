import { basename } from 'node:path';
import type { UploadsPreview } from '../../../shared/contract/uploads.ts';
import { PREVIEW_LIMIT } from '../../../shared/model/preview-limit.ts';
import type { FileFacts, Files } from '../ports/files.ts';
import { findRecordings, folderNameOf } from './find-recordings.ts';
import { localDay } from './local-day.ts';

const NAMED_FILES = 3;

/**
 * What adding these paths would come to, seen by the very walk that adding does. Stops after `limit` findings: what a
 * person wants to know is whether they took the right folder. Paths that can't be read count as skipped. `looksKnown` tells
 * whether the collection seems to have a file already.
 */
export async function previewPaths(
  files: Files,
  paths: readonly string[],
  options: { sidecars?: boolean; limit?: number; looksKnown?: (path: string, facts: FileFacts) => boolean } = {},
): Promise<UploadsPreview> {
  const { sidecars: takesAlong = true, limit = PREVIEW_LIMIT, looksKnown = () => false } = options;
  const preview: UploadsPreview = {
    files: 0,
    bytes: 0,
    skipped: 0,
    sidecars: 0,
    likelyDuplicates: 0,
    isAll: true,
    firstNames: [],
  };
  for await (const finding of findRecordings(files, paths, { sidecars: takesAlong })) {
    if (preview.files + preview.skipped >= limit) return { ...preview, isAll: false };
    if ('error' in finding) {
      preview.skipped += 1;
      continue;
    }
    const { path, facts, sidecars } = finding;
    preview.files += 1;
    preview.bytes += facts.sizeBytes;
    if (looksKnown(path, facts)) preview.likelyDuplicates += 1;
    preview.sidecars += sidecars.length;
    if (preview.firstNames.length < NAMED_FILES) {
      preview.firstNames.push({
        fileName: basename(path),
        folderName: folderNameOf(path),
        date: localDay(facts.mtimeMs),
      });
    }
  }
  return preview;
}
