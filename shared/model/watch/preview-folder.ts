import { applyRules, type FolderRules, type RuleOutcome } from './apply-rules.ts';
import type { WatchedFileFacts } from './watched-file.ts';

/** A file on disk with its decision. */
interface PreviewedFile {
  path: string;
  sizeBytes: number;
  outcome: RuleOutcome;
}

/** The number of files with each outcome, and their bytes. */
interface PreviewTotals {
  upload: { files: number; bytes: number };
  wait: { files: number; bytes: number };
  skip: { files: number; bytes: number };
}

interface FolderPreview {
  files: PreviewedFile[];
  totals: PreviewTotals;
}

/**
 * Returns the decision about each file of a watched folder at `nowMs`, in the order given. The settle lane decides with the same
 * function (`applyRules`) on the same facts. Readiness is not considered: a file that is still being written is listed with the
 * decision for when it is complete.
 */
export function previewFolder(rules: FolderRules, files: Iterable<WatchedFileFacts>, nowMs: number): FolderPreview {
  const none = () => ({ files: 0, bytes: 0 });
  const preview: FolderPreview = { files: [], totals: { upload: none(), wait: none(), skip: none() } };
  for (const facts of files) {
    const outcome = applyRules(rules, facts, nowMs);
    preview.files.push({ path: facts.path, sizeBytes: facts.sizeBytes, outcome });
    const total = preview.totals[outcome.kind];
    total.files += 1;
    total.bytes += facts.sizeBytes;
  }
  return preview;
}
