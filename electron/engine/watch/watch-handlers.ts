import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { appError } from '../../../shared/contract/app-error.ts';
import type { EngineCallName } from '../../../shared/contract/contract.ts';
import type { WATCHED_FILTERS } from '../../../shared/contract/watch.ts';
import type { WatchRules } from '../../../shared/contract/watch-rules.ts';
import { rulesProblems } from '../../../shared/model/watch/rules-problems.ts';
import type { WatchedState } from '../../../shared/model/watch/watched-states.ts';
import type { Handlers } from '../common/handlers.ts';
import type { ReadMediaFacts } from '../media-tags/media-facts.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { FolderWatch } from './detection/folder-watch.ts';
import { ruleFactsOf } from './detection/reconcile.ts';
import { findRows, folderAt } from './find-rows.ts';
import { type CandidateTools, checkCandidate, checkMoveFolders } from './identity/check-candidate.ts';
import { offeredManifest } from './intake/offered-manifest.ts';
import { countFolder, freshFacts, previewOf } from './read-folder.ts';
import type { WatchedFileStore } from './rows/file-store.ts';
import type { FolderChange, FolderRecord, FolderStore } from './rows/folder-store.ts';
import type { WatchedFile } from './rows/watched-file.ts';
import { forcedOutcome } from './settling/settle-file.ts';
import type { WatchFeed } from './watch-feed.ts';

export interface WatchHandlerTools extends CandidateTools {
  folders: FolderStore;
  rows: WatchedFileStore;
  watch: FolderWatch;
  feed: WatchFeed;
  clock: Clock;
  random: Random;
  mediaFacts: ReadMediaFacts;
  isKnownSite(siteId: string): boolean;
  /** Ends reads of folders for which a caller waits. */
  signal: AbortSignal;
  /** Rows have become due. */
  onDue(): void;
}

export type WatchHandlers = Pick<Handlers, Extract<EngineCallName, `watch.${string}`>>;

/** A file that is done without an upload existed before, or its contents were uploaded before: it counts as skipped. */
const ROWS_OF: Record<
  (typeof WATCHED_FILTERS)[number],
  { states: readonly WatchedState[]; done: 'none' | 'sent' | 'unsent' }
> = {
  settling: { states: ['settling', 'waiting'], done: 'none' },
  attention: { states: ['incomplete'], done: 'none' },
  recent: { states: ['queued'], done: 'sent' },
  refused: { states: ['refused'], done: 'unsent' },
};
/** The number of rows that are removed in one step. */
const SLICE_ROWS = 1000;

/** The calls about watched folders. */
export function watchHandlers(tools: WatchHandlerTools): WatchHandlers {
  const { folders, rows, watch, feed, clock, random, walker, signal, onDue } = tools;
  const known = (folderId: string): FolderRecord => {
    const folder = folders.get(folderId);
    if (folder === null) throw appError('watch.unknown-folder', { details: { folderId } });
    return folder;
  };
  const change = (folderId: string, changes: FolderChange) => {
    known(folderId);
    const after = folders.change(folderId, changes);
    if (after !== null) watch.subscribe(after);
    feed.touch(folderId);
  };
  return {
    'watch.list': async () => feed.folders(),
    'watch.at': async ({ path }) => {
      const found = await folderAt(path, tools);
      return found === null ? null : feed.folder(found.id);
    },
    'watch.count': async ({ path }) => {
      const { root } = await checkCandidate(path, folders.list(), tools);
      const { manifests, ...count } = await countFolder(root, walker, signal);
      const manifest = await offeredManifest(root, manifests, tools);
      const isNetwork = tools.volumes.of(root).isNetwork;
      return { ...count, isNetwork, ...(manifest === null ? {} : { manifest }) };
    },
    'watch.manifests': async ({ folderId }) => {
      const { root } = known(folderId);
      const { manifests } = await countFolder(root, walker, signal);
      return offeredManifest(root, manifests, { ...tools, uploaded: (paths) => rows.handledPaths(folderId, paths) });
    },
    'watch.add': async ({ path, rules, sweepEveryMs }) => {
      assertUsable(rules);
      assertKnownSites(rules, tools);
      const candidate = await checkCandidate(path, folders.list(), tools);
      await checkMoveFolders([...folders.list(), { root: candidate.root, rules }], tools);
      const id = random.uuid();
      folders.add({
        id,
        ...candidate,
        rules,
        isPaused: false,
        sweepEveryMs,
        sweepOnly: null,
        misses: 0,
        baseline: 'begun',
        lastSweepAt: null,
        numbered: 0,
        addedAt: clock.now(),
      });
      watch.sweepSoon(id);
      feed.touch(id);
      return feed.folder(id);
    },
    'watch.edit': async ({ folderId, rules, sweepEveryMs }) => {
      const before = known(folderId);
      if (rules !== undefined) {
        assertUsable(rules);
        assertKnownSites(rules, tools);
        const others = folders.list().filter(({ id }) => id !== folderId);
        await checkMoveFolders([...others, { root: before.root, rules }], tools);
      }
      change(folderId, {
        ...(rules === undefined ? {} : { rules }),
        ...(sweepEveryMs === undefined ? {} : { sweepEveryMs }),
      });
      // Files that other rules skipped or postponed are decided again.
      if (rules !== undefined) rows.makeDueAfterRuleChange(folderId, clock.monotonic());
      onDue();
      watch.sweepSoon(folderId);
      return feed.folder(folderId);
    },
    'watch.remove': async ({ folderId }) => {
      known(folderId);
      folders.remove(folderId);
      await watch.remove(folderId);
      // A crash in between leaves rows without a folder, which the next start removes.
      while (rows.removeOrphans(SLICE_ROWS)) await nextTurn();
      feed.touch(folderId);
      return null;
    },
    'watch.pause': async ({ folderId }) => {
      change(folderId, { isPaused: true });
      return feed.folder(folderId);
    },
    'watch.resume': async ({ folderId }) => {
      change(folderId, { isPaused: false });
      rows.makeDueInFolder(folderId, clock.monotonic());
      watch.sweepSoon(folderId);
      onDue();
      return feed.folder(folderId);
    },
    'watch.sweepNow': async ({ folderId }) => {
      known(folderId);
      watch.sweepSoon(folderId);
      return feed.folder(folderId);
    },
    'watch.files': async ({ folderId, filter, offset, limit }) => {
      const { total, files } = rows.page(folderId, ROWS_OF[filter], { offset, limit });
      return { total, rows: files.map((file) => feed.row(file)) };
    },
    'watch.find': async ({ paths }) => {
      const found = await findRows(paths, tools);
      return { rows: found.map((row) => (row === null ? null : feed.row(row))) };
    },
    'watch.preview': async ({ path, folderId, rules, limit }) => {
      assertUsable(rules);
      const folder = folderId === null ? null : known(folderId);
      const others = folders.list().filter(({ id }) => id !== folderId);
      const { root } = await checkCandidate(path, others, tools);
      const now = clock.now();
      let number = folder?.numbered ?? 0;
      return previewOf(
        { root, rules: { ...rules, folderName: basename(root) }, limit, now },
        (entries) => {
          const paths = entries.map((entry) => entry.path);
          const byPath = folder === null ? new Map() : rows.byPaths(folder.id, paths);
          return entries.map((entry) => {
            const row = byPath.get(entry.path);
            if (row !== undefined) {
              const isHandled = row.uploadId !== null || (row.state === 'done' && !row.isExisting);
              return { ...ruleFactsOf(row), isHandled };
            }
            number += 1;
            return freshFacts(entry, number, now, rules, folder === null);
          });
        },
        tools,
      );
    },
    'watch.confirmMoved': async ({ folderId, path }) => {
      const before = known(folderId);
      const others = folders.list().filter(({ id }) => id !== folderId);
      const candidate = await checkCandidate(path, others, tools);
      await checkMoveFolders([...others, { root: candidate.root, rules: before.rules }], tools);
      await watch.unsubscribe(folderId);
      change(folderId, candidate);
      watch.runtime(folderId).root = 'unknown';
      watch.sweepSoon(folderId);
      return feed.folder(folderId);
    },
    'watch.uploadAnyway': async ({ fileIds }) => {
      const chosen = fileIds.flatMap((id) => forcible(Number(id), tools) ?? []);
      rows.transaction(() => {
        for (const row of chosen) {
          const forced = { ...row, isForced: true, state: 'settling' as const, uploadId: null, handledAt: null };
          rows.save({ ...forced, dueAt: clock.monotonic() });
          feed.touch(row.folderId);
        }
      });
      if (chosen.length > 0) onDue();
      return { changed: chosen.length };
    },
  };
}

/** Returns the row of a file whose upload the user may force; null for others. */
function forcible(seq: number, { rows, folders, clock }: WatchHandlerTools): WatchedFile | null {
  const row = rows.get(seq);
  const folder = row === null ? null : folders.get(row.folderId);
  if (row === null || folder === null || row.kind !== 'file') return null;
  if (row.state === 'queued' || row.goneAt !== null) return null;
  return forcedOutcome(folder, row, clock.now()).kind === 'upload' ? row : null;
}

/** Throws `site.unknown` for an account that this profile does not have. */
function assertKnownSites(
  { rules, defaults }: WatchRules,
  { isKnownSite }: Pick<WatchHandlerTools, 'isKnownSite'>,
): void {
  const own = rules.flatMap(({ action }) => (action.kind === 'upload' ? [action.settings.siteId] : []));
  for (const siteId of [defaults.settings.siteId, ...own]) {
    if (siteId !== undefined && !isKnownSite(siteId)) throw appError('site.unknown', { details: { siteId } });
  }
}

/** Throws `input.invalid` for rules with a glob or a title that can't be used. */
function assertUsable(rules: WatchRules): void {
  const problems = rulesProblems(rules);
  const [first] = problems;
  if (first === undefined) return;
  const message = 'sentence' in first ? first.sentence : undefined;
  throw appError('input.invalid', { ...(message === undefined ? {} : { message }), details: { problems } });
}
