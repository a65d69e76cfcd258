import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GuardSource } from '../station/switch-off.ts';

/** A guard of the journal or the mirror and a change of its source that switches it off. */
interface EditGuard extends GuardSource {
  name: string;
  /** A seed that breaks a rule without the guard. */
  seed: number;
}

/** The guards that keep the promises of offline edits. The simulation has to notice the absence of each. */
export const EDIT_GUARDS: readonly EditGuard[] = [
  {
    name: 'a text that someone else changed asks',
    seed: 1,
    file: 'shared/model/edits/replay.ts',
    find: "return canonical === canonicalText(field, mine) ? 'same' : 'conflict';",
    replaceBy: "return canonical === canonicalText(field, mine) ? 'same' : 'send';",
  },
  {
    name: 'an item that someone else moved asks',
    seed: 1,
    file: 'shared/model/edits/replay.ts',
    find: "return theirs.collectionId === op.base ? 'send' : 'conflict';",
    replaceBy: "return 'send';",
  },
  {
    name: 'a publication that someone else changed asks',
    seed: 1,
    file: 'shared/model/edits/replay.ts',
    find: "return isSamePublication(theirs, base) ? 'send' : 'conflict';",
    replaceBy: "return 'send';",
  },
  {
    name: 'a publish time that has passed asks',
    seed: 1,
    file: 'shared/model/edits/replay.ts',
    find: "return Date.parse(when.at) > nowMs ? 'send' : 'passed';",
    replaceBy: "return 'send';",
  },
  {
    name: 'the deletion of an item that someone edited asks',
    seed: 1,
    file: 'shared/model/edits/replay.ts',
    find: "return fingerprintOf(theirs) === op.base ? 'send' : 'conflict';",
    replaceBy: "return 'send';",
  },
  {
    name: 'several edits of a value have the first base',
    seed: 1,
    file: 'shared/model/edits/fold.ts',
    find: `  if (first.kind === 'set-field' && last.kind === 'set-field') {
    return first.base === last.mine ? null : { ...last, base: first.base };`,
    replaceBy: `  if (first.kind === 'set-field' && last.kind === 'set-field') {
    return first.base === last.mine ? null : last;`,
  },
  {
    name: 'an own value is known after a lost reply',
    seed: 1,
    file: 'electron/engine/edits/replay-entity.ts',
    find: "outcome: tools.wasSent ? 'sent' : 'same'",
    replaceBy: "outcome: 'same'",
  },
  {
    name: 'the first request is noted before it is sent',
    seed: 1,
    file: 'electron/engine/edits/replay-entity.ts',
    find: '  tools.onSending();\n',
    replaceBy: '',
  },
  {
    name: 'that note is on the disk before the request',
    seed: 1,
    file: 'electron/engine/sites/guarded-client.ts',
    find: 'if (isWrite && asked.isRepeatable !== true) await journal.whenDurable();',
    replaceBy: '',
  },
  {
    name: 'an edit is confirmed when it is on the disk',
    seed: 1,
    file: 'electron/engine/edits/edit-journal.ts',
    find: '    await store.whenDurable();\n',
    replaceBy: '',
  },
  {
    name: 'edits of an item wait behind one that asks',
    seed: 1,
    file: 'electron/engine/edits/edit-jobs.ts',
    find: '  if (end < 0) return [...records];',
    replaceBy:
      "  if (end >= 0) return records.filter(({ state }) => state === 'pending');\n  if (end < 0) return [...records];",
  },
  {
    name: 'an answer becomes the base',
    seed: 1,
    file: 'electron/engine/edits/edit-commands.ts',
    find: 'return theirs === undefined ? stored : { op: seen, outcome: null };',
    replaceBy: 'return theirs === undefined ? stored : { op, outcome: null };',
  },
  {
    name: 'later edits get the base of a dropped one',
    seed: 1,
    file: 'electron/engine/edits/edit-commands.ts',
    find: 'after: withoutBase(known?.after ?? later, before)',
    replaceBy: 'after: known?.after ?? later',
  },
  {
    name: 'later edits get the value that was sent as base',
    seed: 1,
    file: 'electron/engine/edits/record-replay.ts',
    find: 'return outcome === null && isOnTop ? { ...stored, op: rebased(op, written) } : stored;',
    replaceBy: 'return stored;',
  },
  {
    name: 'an edit in flight does not confirm what someone else changed meanwhile',
    seed: 142,
    file: 'electron/engine/edits/record-replay.ts',
    find: 'rebasedRecord(before, touched, was, written)',
    replaceBy: 'rebasedRecord(before, touched, was, editableOf(replay.item as never))',
  },
  {
    name: 'own values that were sent are known as seen',
    seed: 1008,
    file: 'electron/engine/edits/edits.ts',
    find: 'onWritten: (siteId, entityId, change) => single.noteWritten(siteId, entityId, change),',
    replaceBy: 'onWritten: () => {},',
  },
  {
    name: 'an edit that was dropped while its caller waited is no error',
    seed: 127,
    file: 'electron/engine/edits/single-edits.ts',
    find: "if (state === 'dropped' && error === null) return { kind: 'done', item };",
    replaceBy: '',
  },
  {
    name: 'overlays of ended edits are removed after a crash',
    seed: 11,
    file: 'electron/engine/edits/overlays.ts',
    find: 'for (const { siteId, mediaId } of this.#mirror.overlaid()) this.note(siteId, mediaId);',
    replaceBy: '',
  },
  {
    name: 'an item that is not listed is removed only when its id is gone',
    seed: 1,
    file: 'electron/engine/mirror/sync/deletions.ts',
    find: 'if (found !== null) changed += store.putAll([found], moment);\n    else if (store.hasEdits',
    replaceBy: 'if (found === undefined) changed += 1;\n    else if (store.hasEdits',
  },
  {
    name: 'an item with edits is never removed',
    seed: 1,
    file: 'electron/engine/mirror/sync/deletions.ts',
    find: 'else if (store.hasEdits(id)) store.vanishAll([id]);',
    replaceBy: '',
  },
  {
    name: 'many vanished items are checked by id',
    seed: 1,
    file: 'electron/engine/mirror/sync/deletions.ts',
    find: "      throw incompleteList('an item that was not listed exists');\n",
    replaceBy: '',
  },
  {
    name: 'an older answer replaces nothing newer',
    seed: 1,
    file: 'electron/engine/mirror/mirror-store.ts',
    find: '(this.#writtenAt.get(item.id) ?? 0) <= moment && ',
    replaceBy: '',
  },
  {
    name: 'changes of the last known second are read again',
    seed: 1,
    file: 'electron/engine/mirror/sync/incremental-sync.ts',
    find: 'const OVERLAP_SECONDS = 120;',
    replaceBy: 'const OVERLAP_SECONDS = -2;',
  },
  {
    name: 'the instant of the last change is stored after the pass',
    seed: 1,
    file: 'electron/engine/mirror/sync/incremental-sync.ts',
    find: '    changed += await storePage(tools, page);\n    const { items } = page;',
    replaceBy:
      "    changed += await storePage(tools, page);\n    for (const item of page.items) newest = Math.max(newest, secondsOf(item.modified_on) ?? 0);\n    store.setState('watermark', String(newest + 200));\n    const { items } = page;",
  },
  {
    name: 'the whole library is swept once a day',
    seed: 1,
    file: 'electron/engine/mirror/sync/rolling-sweep.ts',
    find: 'const SWEEP_MS = 24 * 60 * 60_000;',
    replaceBy: 'const SWEEP_MS = 1e15;',
  },
];

interface Failure {
  seed: number;
  rule: string;
  text: string;
}

/** Runs seeds of editors on an engine without a guard. Returns the first one that breaks a rule; null when none does. */
export async function firstEditFailureWithout(guard: string, from: number, to: number): Promise<Failure | null> {
  const worker = join(import.meta.dirname, 'edit-guard-worker.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [worker, guard, String(from), String(to)]);
  return JSON.parse(stdout) as Failure | null;
}
