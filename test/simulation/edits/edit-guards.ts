import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EDIT_SEEDS, keptSeeds } from '../kept-seeds.ts';
import { COPY_GUARDS } from './copy-guards.ts';
import type { EditGuard } from './edit-guard.ts';
import { type EditScenario, editScenarioOf, itemScenarioOf } from './edit-scenario.ts';
import { act, scenarioOfStory, trouble } from './guard-story.ts';
import { LANE_GUARDS } from './lane-guards.ts';
import { withOften } from './often.ts';
import { UNDO_GUARDS } from './undo-guards.ts';

/** The guards that keep the promises of offline edits. The simulation has to notice the absence of each. */
export const EDIT_GUARDS: readonly EditGuard[] = [
  {
    name: 'an edit of a text that someone else changed causes a question',
    seed: 8,
    file: 'shared/model/edits/verdicts.ts',
    find: "return canonical === canonicalText(field, mine) ? 'same' : 'conflict';",
    replaceBy: "return canonical === canonicalText(field, mine) ? 'same' : 'send';",
  },
  {
    name: 'a move of an item that someone else moved causes a question',
    seed: 1,
    story: {
      acts: [act(20, 'A', 'move', 0, 1), act(25, 'editor', 'move', 0, 2)],
      troubles: [trouble('offline', 'A', 15, 60)],
    },
    file: 'shared/model/edits/verdicts.ts',
    find: "return theirs.collectionId === op.base ? 'send' : 'conflict';",
    replaceBy: "return 'send';",
  },
  {
    name: 'an edit of a publication that someone else changed causes a question',
    seed: 214,
    file: 'shared/model/edits/verdicts.ts',
    find: "return isSamePublication(theirs, base) ? 'send' : 'conflict';",
    replaceBy: "return 'send';",
  },
  {
    name: 'a publish time that has passed causes a question',
    seed: 20,
    file: 'shared/model/edits/verdicts.ts',
    find: "return Date.parse(when.at) > nowMs ? 'send' : 'passed';",
    replaceBy: "return 'send';",
  },
  {
    name: 'the deletion of an item that someone else edited causes a question',
    seed: 22,
    file: 'shared/model/edits/verdicts.ts',
    find: "return fingerprintOf(theirs) === op.base ? 'send' : 'conflict';",
    replaceBy: "return 'send';",
  },
  {
    name: 'several edits of a value together have the base of the first one',
    seed: 80,
    file: 'shared/model/edits/fold.ts',
    find: `  if (first.kind === 'set-field' && last.kind === 'set-field') {
    return first.base === last.mine && !mayBeSent ? null : { ...last, base: first.base };`,
    replaceBy: `  if (first.kind === 'set-field' && last.kind === 'set-field') {
    return first.base === last.mine && !mayBeSent ? null : last;`,
  },
  {
    name: 'an own value is recognized after a lost reply',
    seed: 8,
    story: { acts: [act(10, 'A', 'edit')], troubles: [trouble('replies-lost', 'A', 10.2, 60)] },
    file: 'electron/engine/edits/replay/replay-subject.ts',
    find: "outcome: isOwn ? 'sent' : 'same'",
    replaceBy: "outcome: 'same'",
  },
  {
    name: 'the first request of an edit is recorded before it is sent',
    seed: 141,
    file: 'electron/engine/edits/replay/send-in-order.ts',
    find: '    tools.onSending(sentPositions(ops));\n',
    replaceBy: '',
  },
  {
    name: 'the record of a request is on the disk before the request is sent',
    often: 'power-cut',
    seed: 43,
    file: 'electron/engine/sites/guarded-client.ts',
    find: 'if (isWrite && asked.isRepeatable !== true) await journal.whenDurable();',
    replaceBy: '',
  },
  {
    name: 'an edit is confirmed only when it is on the disk',
    seed: 64,
    file: 'electron/engine/edits/journal/edit-journal.ts',
    find: 'durable = this.store.whenDurable();',
    replaceBy: 'durable = Promise.resolve();',
  },
  {
    name: 'an edit that the user keeps has the value that the user saw as its base',
    seed: 106,
    file: 'electron/engine/edits/commands/decide-op.ts',
    find: '{ op: since === undefined ? asShown(seen, shown) : seen, outcome: null,',
    replaceBy: '{ op, outcome: null,',
  },
  {
    name: 'an edit in flight does not confirm what someone else changed meanwhile',
    seed: 'deletion-after-a-race',
    file: 'electron/engine/edits/replay/record-replay.ts',
    find: 'const written = sent.reduce(withWritten, was);',
    replaceBy: 'const written = sent.reduce((it) => it, editableOf(item));',
  },
  {
    name: 'an edit that is dropped while its caller waits causes no error',
    seed: 'dropped-while-its-caller-waits',
    file: 'electron/engine/edits/apply-edits.ts',
    find: "    if (state === 'dropped') return { entityId, kind: 'stopped', error: error === null ? null : reportedError(record) };\n",
    replaceBy: '',
  },
  {
    name: 'overlays of ended edits are removed after a crash',
    seed: 'overlay-left-by-a-crash',
    file: 'electron/engine/edits/reports/overlays.ts',
    find: 'for (const { siteId, mediaId } of this.#mirrors.overlaid()) this.note(siteId, mediaId);',
    replaceBy: '',
  },
  {
    name: 'an item that lists lack is removed only when it is not found by its id',
    emptyLists: 5,
    seed: 1,
    file: 'electron/engine/mirror/sync/find-deletions.ts',
    find: 'if (found !== null) changed += store.putAll([found], moment);\n    else if (hasEdits',
    replaceBy: 'if (found === undefined) changed += 1;\n    else if (hasEdits',
  },
  {
    name: 'an item with edits is never removed',
    seed: 24,
    file: 'electron/engine/mirror/sync/find-deletions.ts',
    find: 'else if (hasEdits(tools, id)) store.vanishAll([id], () => true);',
    replaceBy: '',
  },
  {
    name: 'many items that lists lack are checked by their ids',
    emptyLists: 70,
    seed: 1,
    file: 'electron/engine/mirror/sync/find-deletions.ts',
    find: "      throw incompleteList('an item that was not listed exists');\n",
    replaceBy: '',
  },
  {
    name: 'changes are read back to the last known one',
    seed: 28,
    file: 'electron/engine/mirror/sync/incremental-sync.ts',
    find: 'if (reachesBehind(instants, notInFuture(tools, watermark) - OVERLAP_SECONDS)) break;',
    replaceBy: 'if (page.items.length > 0) break;',
  },
  {
    name: 'the whole library is swept once a day',
    seed: 18,
    file: 'electron/engine/mirror/sync/rolling-sweep.ts',
    find: 'const SWEEP_MS = 24 * 60 * 60_000;',
    replaceBy: 'const SWEEP_MS = 1e15;',
  },
  {
    name: 'a request that a stop aborts has no result',
    seed: 'stopped-while-a-deletion-is-sent',
    file: 'electron/engine/edits/replay/send-in-order.ts',
    find: '      if (tools.signal.aborted) throw thrown;\n',
    replaceBy: '',
  },
  {
    name: 'an edit that is undone while its group is stored is not sent',
    seed: 'undone-before-it-is-on-the-disk',
    file: 'electron/engine/edits/journal/edit-journal.ts',
    find: 'if (recorded.has(key) || ',
    replaceBy: 'if (recorded.size < 0 || ',
  },
  {
    name: 'an edit that the library accepted is not sent again',
    seed: 'changed-back-before-the-result-was-read',
    file: 'electron/engine/edits/replay/replays.ts',
    find: 'const accepted = acceptedOf(records, open);',
    replaceBy: 'const accepted = new Set<number>();',
  },
  {
    name: 'the record of an accepted edit reaches the disk soon',
    seed: 'power-cut-after-it-was-sent',
    file: 'electron/engine/edits/replay/attempt-notes.ts',
    find: 'store.whenDurable().catch(',
    replaceBy: 'Promise.resolve().catch(',
  },
  {
    name: 'a creation with an unclear result does not take the collection of another edit',
    seed: 14,
    story: {
      acts: [act(20, 'A', 'new-collection'), act(21, 'A', 'new-collection')],
      troubles: [{ ...trouble('requests-lost', 'A', 15, 120), rate: 0.5 }],
    },
    file: 'electron/engine/library/collections/create-collection-once.ts',
    find: '.filter(({ id }) => !isOfAnother(id));\n  const rivals',
    replaceBy: ';\n  const rivals',
  },
  {
    name: 'the creation of a collection is sent before the edits of it',
    seed: 'created-again-after-its-edits-were-refused',
    file: 'electron/engine/edits/journal/edit-store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a part of the source
    find: 'ORDER BY (op_kinds & ${CREATION}) = 0, edits.seq',
    replaceBy: 'ORDER BY edits.seq',
  },
  {
    name: 'a value that someone else wrote during a request does not count as an own one',
    seed: 'undone-after-a-change-during-the-request',
    file: 'electron/engine/edits/replay/replay-subject.ts',
    find: 'wrote: this.#writtenValue(op, before, after, isThere)',
    replaceBy: 'wrote: this.#subject.valueOf(op, after)',
  },
  {
    name: 'a missing description is sent as an empty text',
    seed: 'undone-first-description',
    file: 'electron/engine/edits/replay/collection-subject.ts',
    find: "(field === 'description' ? (mine ?? '') : mine)",
    replaceBy: 'mine',
  },
  {
    name: 'a group is marked as undone before its first edit is dropped',
    seed: 'undone-while-the-program-dies',
    file: 'electron/engine/edits/commands/bulk-edits.ts',
    find: '        alongside: () => journal.store.noteUndone(seq, null, clock.now()),\n',
    replaceBy: '',
  },
  {
    name: 'an undo that a crash interrupts is completed by the next start',
    often: 'crash-at-write',
    seed: 7,
    file: 'electron/engine/bulk-commands/bulk-commands.ts',
    find: 'this.#pending = commands.map((command) => ({ ...command, changed: 0 }));',
    replaceBy: 'this.#pending = [];',
  },
  {
    name: 'an edit whose collection was never created is refused',
    seed: 'retried-without-its-collection',
    file: 'electron/engine/edits/replay/edit-jobs.ts',
    find: 'if (unresolved || namesUncreatedEntity(entityId, open)) {',
    replaceBy: 'if (unresolved) {',
  },
  {
    name: 'a redo creates a deleted collection again',
    hasCollections: true,
    seed: 577,
    file: 'electron/engine/edits/commands/undo-group.ts',
    find: "new Set(['sent', 'same', 'superseded'])",
    replaceBy: "new Set(['superseded'])",
  },
  {
    name: 'an edit of a value of a collection that someone else changed causes a question',
    hasCollections: true,
    seed: 5,
    file: 'shared/model/edits/collection-fold.ts',
    find: "return now === canonicalCollectionValue(op.field, op.mine) ? 'same' : 'conflict';",
    replaceBy: "return now === canonicalCollectionValue(op.field, op.mine) ? 'same' : 'send';",
  },
  {
    name: 'a deletion that causes a question replaces no edit',
    seed: 'edited-and-undone-before-a-kept-deletion',
    file: 'electron/engine/edits/replay/subject.ts',
    find: '  for (const position of positions.slice(0, -1)) results.delete(position);\n',
    replaceBy: '',
  },
  {
    name: 'a collection whose pending move would form a cycle is shown in its old place',
    hasCollections: true,
    seed: 'moved-beside-a-circle',
    file: 'electron/engine/library/collections/effective-collections.ts',
    find: '  for (const id of opsOf.keys()) keepInPlaceOfCircle(id, index, entries);\n',
    replaceBy: '',
  },
  ...LANE_GUARDS,
  ...UNDO_GUARDS,
  ...COPY_GUARDS,
];

/**
 * Returns the scenario of a seed on which a guard matters. Of a guard with a kept scenario, a number is another seed of that
 * scenario: the same acts with other delays.
 */
export function scenarioFor(
  { seed: own, often, emptyLists, hasCollections, story }: Omit<EditGuard, 'name' | 'file' | 'find' | 'replaceBy'>,
  seed: number | string,
): EditScenario {
  const name = typeof seed === 'string' ? seed : own;
  if (typeof name === 'string') {
    const kept = keptSeeds<EditScenario>(EDIT_SEEDS).find((each) => each.name === `${name}.json`);
    if (kept === undefined) throw new Error(`no kept seed “${name}”`);
    return typeof seed === 'string' ? kept.kept.scenario : { ...kept.kept.scenario, seed };
  }
  if (typeof seed === 'string') throw new Error(`no number: “${seed}”`);
  if (story !== undefined) return scenarioOfStory(story, seed);
  const scenario = hasCollections ? editScenarioOf(seed) : itemScenarioOf(seed);
  if (emptyLists !== undefined) return withEmptyLists(scenario, emptyLists);
  return often === undefined ? scenario : withOften(scenario, often);
}

function withEmptyLists(scenario: EditScenario, items: number): EditScenario {
  const calmAtMs = Math.max(scenario.calmAtMs, 600_000);
  const span = { site: null, fromMs: calmAtMs / 3, toMs: (calmAtMs * 2) / 3, rate: 1 };
  const kinds = ['lists-empty', 'counts-too'] as const;
  const troubles = kinds.map((kind) => ({ kind, ...span }));
  return { ...scenario, items, calmAtMs, troubles, service: { ...scenario.service, pageSize: 50 } };
}

interface Failure {
  seed: number | string;
  rule: string;
  text: string;
}

/** Shorter than the timeout of the test, so that an endless run ends with it. */
const WORKER_TIMEOUT_MS = 110_000;

/**
 * Runs the seed of a guard, and further ones, on an engine without it. Returns the first one that breaks a rule; null
 * when none does. Throws when that takes too long.
 */
export async function firstEditFailureWithout(guard: string, further: number): Promise<Failure | null> {
  const worker = join(import.meta.dirname, 'edit-guard-worker.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [worker, guard, String(further)], {
    timeout: WORKER_TIMEOUT_MS,
  });
  return JSON.parse(stdout) as Failure | null;
}
