import type { EditGuard } from './edit-guard.ts';
import { act, type GuardStory, trouble } from './guard-story.ts';

const CHANGED_SINCE: GuardStory = {
  acts: [act(10, 'A', 'edit'), act(20, 'editor', 'edit', 0, 7), act(30, 'A', 'undo')],
};

/** The item is read before, and its change is sent; after that no reply arrives. */
const UNANSWERED = trouble('replies-lost', 'A', 10.2, 60);

/** Guards of undo. */
export const UNDO_GUARDS: readonly EditGuard[] = [
  {
    name: 'an undo overwrites no value that someone changed since',
    seed: 1,
    story: CHANGED_SINCE,
    file: 'electron/engine/edits/replay/record-replay.ts',
    find: "return { op: stored.op, outcome: 'left', theirs: theirs ?? null };",
    replaceBy: 'return { op: seen ?? stored.op, outcome: null };',
  },
  {
    name: 'an undo causes no question',
    seed: 1,
    story: CHANGED_SINCE,
    file: 'electron/engine/edits/replay/record-replay.ts',
    find: "if (asks === true && isUndo) return { op: stored.op, outcome: 'left', theirs: theirs ?? null };",
    replaceBy: '',
  },
  {
    name: 'an undo has the value that was written as its base',
    seed: 1,
    story: { acts: [act(10, 'A', 'edit'), act(30, 'A', 'undo')] },
    file: 'electron/engine/edits/commands/undo-group.ts',
    find: "return { ...op, base: typeof wrote === 'string' ? wrote : op.mine, mine: op.base };",
    replaceBy: 'return { ...op, base: op.base, mine: op.base };',
  },
  {
    name: 'an undo waits for edits in flight',
    seed: 2,
    story: {
      items: 8,
      acts: [act(10, 'A', 'edit-many', 0, 9), act(14, 'A', 'undo')],
      troubles: [trouble('slow', 'A', 10.3, 60)],
    },
    file: 'electron/engine/edits/commands/undo-results.ts',
    find: '    await whenNotRunning(keys.filter(isRunning));\n',
    replaceBy: '',
  },
  {
    name: 'an undo also takes back edits whose requests got no answer',
    seed: 8,
    story: { acts: [act(10, 'A', 'edit'), act(30, 'A', 'undo')], troubles: [UNANSWERED] },
    file: 'electron/engine/edits/commands/undo-group.ts',
    find: "(stored) => stored.outcome === 'sent' || isToTakeBack(stored)",
    replaceBy: "(stored) => stored.outcome === 'sent'",
  },
  {
    name: 'an edit on top of an undone one accepts a value that the library may have received',
    seed: 8,
    story: {
      acts: [act(10, 'A', 'edit'), act(20, 'A', 'edit', 0, 7), act(30, 'A', 'undo', 1)],
      troubles: [UNANSWERED],
    },
    file: 'electron/engine/edits/replay/unanswered.ts',
    find: 'const steps = [...each.steps, ...(known.flatMap((other) => other.steps) as Op[])];',
    replaceBy: 'const steps = each.steps;',
  },
];
