import type { EditGuard } from './edit-guard.ts';
import { act, trouble } from './guard-story.ts';

/** Guards of the copy of a library. */
export const COPY_GUARDS: readonly EditGuard[] = [
  {
    name: 'changes are read two minutes further back than the last known one',
    seed: 1,
    story: {
      items: 8,
      service: { pageSize: 1, commitsLateMs: 100_000 },
      acts: [
        ...[act(10, 'editor', 'edit', 2, 7), act(11, 'editor', 'edit', 3, 13), act(30, 'editor', 'edit', 0)],
        act(105, 'editor', 'edit', 1, 10),
      ],
    },
    file: 'electron/engine/mirror/sync/incremental-sync.ts',
    find: 'const OVERLAP_SECONDS = 120;',
    replaceBy: 'const OVERLAP_SECONDS = 0;',
  },
  {
    name: 'a pass reads all changes again while some of them are new',
    seed: 1,
    // Five changes on three pages. The newest one is deleted after two pages were read: the item edited at 45 s moves from the third
    // page to the second one. The library has more items than one page of a search for deletions, which would read it, too.
    story: {
      items: 260,
      service: { pageSize: 2 },
      acts: [
        ...[act(1, 'A', 'sync'), act(45, 'editor', 'edit', 10, 7)],
        ...[act(46, 'editor', 'edit', 245), act(47, 'editor', 'edit', 246), act(48, 'editor', 'edit', 247)],
        ...[act(178, 'editor', 'edit', 250), act(187, 'A', 'sync'), act(187.3, 'editor', 'delete', 250)],
      ],
      troubles: [trouble('offline', 'A', 43, 186)],
    },
    file: 'electron/engine/mirror/sync/incremental-sync.ts',
    find: 'const found = await readChanges(tools, watermark);',
    replaceBy: 'const found = await readChanges(tools, newest);',
  },
  {
    name: 'deletions are found by counts',
    seed: 1,
    story: { acts: [act(30, 'editor', 'delete')] },
    file: 'electron/engine/mirror/sync/find-deletions.ts',
    find: 'const { suspects, added } = await findDifferences(tools, counted);',
    replaceBy: 'const { suspects, added } = { suspects: [] as string[], added: 0 };',
  },
  {
    name: 'an item whose edit is being stored stays in lists',
    seed: 'edited-while-it-is-removed',
    file: 'electron/engine/mirror/sync/find-deletions.ts',
    find: 'return store.hasEdits(id) || hasOpenEdits(id);',
    replaceBy: 'return store.hasEdits(id);',
  },
  {
    name: 'values that were read for a plan are used again only while lists show the same',
    seed: 'planned-again-after-a-change',
    file: 'electron/engine/edits/edit-handlers.ts',
    find: 'const version = tools.mirrors.version(selection.siteId);',
    replaceBy: 'const version = 0;',
  },
  {
    name: 'an answer replaces nothing that a later request returned',
    seed: 12,
    story: {
      acts: [act(20, 'A', 'open'), act(32, 'editor', 'edit', 0, 6), act(33, 'A', 'open'), act(39, 'B', 'sync')],
      troubles: [trouble('slow', 'A', 19.9, 20.5)],
    },
    file: 'electron/engine/mirror/request-order.ts',
    find: 'return (this.#stored.get(id) ?? 0) <= moment;',
    replaceBy: 'return true;',
  },
  {
    name: 'a slow answer replaces no later change that a pass has read',
    seed: 12,
    story: {
      acts: [act(20, 'A', 'open'), act(32, 'editor', 'edit', 0, 6), act(33, 'A', 'sync'), act(39, 'B', 'sync')],
      troubles: [trouble('slow', 'A', 19.9, 20.5)],
    },
    file: 'electron/engine/mirror/mirror-store.ts',
    find: 'return since.syncWrites < this.#syncWrites && ',
    replaceBy: 'return since.syncWrites < 0 && ',
  },
];
