import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WatchPreview } from '../../../shared/contract/watch.ts';
import type { WatchRules } from '../../../shared/contract/watch-rules.ts';
import { ignoredPart } from '../../../shared/model/ignored-names.ts';
import { applyRules, type FolderRules, type UploadPlan } from '../../../shared/model/watch/apply-rules.ts';
import { isManifestName } from '../../../shared/model/watch/manifest-names.ts';
import { previewFolder } from '../../../shared/model/watch/preview-folder.ts';
import type { WatchedFileFacts } from '../../../shared/model/watch/watched-file.ts';
import { withRecordings } from '../../../shared/model/watch/with-recordings.ts';
import type { ReadMediaFacts } from '../media-tags/media-facts.ts';
import type { Clock } from '../ports/clock.ts';
import type { FolderEntry, FolderWalker } from '../ports/folder-walker.ts';
import { titleNotice } from '../uploads/adding/title-notice.ts';
import { nameOfTarget } from './intake/intake.ts';
import { fullPathOf } from './intake/ready-file.ts';
import { watchVerdictOf } from './watch-feed.ts';

/** The maximum number of files that a count reads, and a preview. */
const MOST_COUNTED = 500_000;
const MOST_PREVIEWED = 20_000;
/** How long a preview reads inside files, because a screen waits for it. */
const MOST_READING_MS = 4000;

export interface PreviewTools {
  walker: FolderWalker;
  clock: Clock;
  /** Reads the facts inside files that titles use: tags and dates. */
  mediaFacts: ReadMediaFacts;
  signal: AbortSignal;
}

/**
 * Counts the files in a folder that are neither hidden nor temporary, up to `MOST_COUNTED` (`isAll`: all were counted).
 * `manifests`: the paths of the manifest files.
 */
export async function countFolder(
  root: string,
  walker: FolderWalker,
  signal: AbortSignal,
): Promise<{ files: number; bytes: number; isAll: boolean; manifests: string[] }> {
  const manifests: string[] = [];
  let files = 0;
  let bytes = 0;
  const isAll = await walkSome(root, walker, signal, MOST_COUNTED, (entries) => {
    for (const { path, kind, sizeBytes } of entries) {
      if (kind !== 'file' || ignoredPart(path) !== null) continue;
      files += 1;
      bytes += sizeBytes;
      if (isManifestName(path.slice(path.lastIndexOf('/') + 1))) manifests.push(path);
    }
  });
  return { files, bytes, isAll, manifests };
}

/** Returns the decision about each file of a folder. `known`: returns the stored facts of some of the entries. */
export async function previewOf(
  { root, rules, limit, now }: { root: string; rules: FolderRules; limit: number; now: number },
  known: (entries: readonly FolderEntry[]) => WatchedFileFacts[],
  tools: PreviewTools,
): Promise<WatchPreview> {
  const { walker, signal } = tools;
  const facts: WatchedFileFacts[] = [];
  const isAll = await walkSome(root, walker, signal, MOST_PREVIEWED, (entries) => facts.push(...known(entries)));
  facts.sort((a, b) => (a.path < b.path ? -1 : 1));
  const { files, totals } = previewFolder(rules, withRecordings(facts), now);
  const titles = createTitles(rules, facts, { root, now }, tools);
  const shown: WatchPreview['files'] = [];
  for (const { path, sizeBytes, outcome } of files.slice(0, limit)) {
    const plan = outcome.kind === 'upload' ? shownPlan(outcome.plan, await titles(path, outcome.plan)) : null;
    shown.push({ path, sizeBytes, verdict: watchVerdictOf(outcome, rules), plan });
  }
  return { totals, isAll, files: shown };
}

type ShownPlan = NonNullable<WatchPreview['files'][number]['plan']>;
type ShownTitle = Pick<ShownPlan, 'title' | 'titleNotice'>;

function shownPlan(plan: UploadPlan, title: ShownTitle): ShownPlan {
  const { title: _, titleMissing, needsContents, titleDay, collection, ...settings } = plan;
  const { target, below, create } = collection;
  return { ...title, collection: { name: nameOfTarget(target), below: [...below], creates: create }, settings };
}

/**
 * Returns the titles of previewed files. If a title depends on the contents of its file, the file is read; after
 * `MOST_READING_MS`, the titles of the others are unknown.
 */
function createTitles(
  rules: FolderRules,
  all: readonly WatchedFileFacts[],
  { root, now }: { root: string; now: number },
  { mediaFacts, clock, signal }: PreviewTools,
): (path: string, plan: UploadPlan) => Promise<ShownTitle> {
  const byPath = new Map(all.map((facts) => [facts.path, facts]));
  const lastMs = clock.monotonic() + MOST_READING_MS;
  return async (path, plan) => {
    const facts = byPath.get(path);
    if (!plan.needsContents || facts === undefined) return { title: plan.title, titleNotice: null };
    if (signal.aborted || clock.monotonic() > lastMs) return { title: null, titleNotice: null };
    const contents = await mediaFacts(fullPathOf({ root }, { path }), root, { isLook: true });
    const outcome = applyRules(rules, { ...facts, contents }, now);
    const { title, titleMissing } = outcome.kind === 'upload' ? outcome.plan : plan;
    return { title, titleNotice: titleNotice(titleMissing, contents.problem) };
  };
}

/** Reads entries up to a limit. Returns whether all were read. */
async function walkSome(
  root: string,
  walker: FolderWalker,
  signal: AbortSignal,
  most: number,
  take: (entries: FolderEntry[]) => void,
): Promise<boolean> {
  const enough = new AbortController();
  let count = 0;
  try {
    await walker.walk(
      { root, from: '', isDeep: true },
      async ({ entries }) => {
        take(entries);
        count += entries.length;
        if (count >= most) enough.abort();
        await nextTurn();
      },
      AbortSignal.any([signal, enough.signal]),
    );
    return true;
  } catch (error) {
    if (enough.signal.aborted && !signal.aborted) return false;
    throw error;
  }
}

/** Returns the facts of a file without a row, as if it was found now. */
export function freshFacts(
  entry: FolderEntry,
  number: number,
  now: number,
  rules: WatchRules,
  isNewFolder: boolean,
): WatchedFileFacts {
  return {
    path: entry.path,
    kind: entry.kind === 'file' ? 'file' : 'other',
    sizeBytes: entry.sizeBytes,
    mtimeMs: entry.mtimeMs,
    firstSeenMs: now,
    unchangedSinceMs: now,
    number,
    isHandled: false,
    recording: null,
    isExisting: isNewFolder && rules.existingFiles === 'skip',
  };
}
