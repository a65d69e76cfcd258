import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A mistake in the model of edits that a law must find. */
interface Mutant {
  mistake: string;
  file: string;
  is: string;
  becomes: string;
}

const FOLD = 'shared/model/edits/fold.ts';
const COLLECTION_FOLD = 'shared/model/edits/collection-fold.ts';
const REPLAY = 'shared/model/edits/verdicts.ts';
const MERGE = 'shared/model/edits/merge-text.ts';
const CANONICAL = 'shared/model/edits/canonical.ts';
const UNDO = 'electron/engine/edits/commands/undo-group.ts';

const MUTANTS: readonly Mutant[] = [
  // coalesce
  { mistake: 'two edits of a field keep the first value', file: FOLD, is: 'known.last = op;', becomes: '' },
  {
    mistake: 'two edits of a field have the base of the second',
    file: FOLD,
    is: 'return first.base === last.mine && !mayBeSent ? null : { ...last, base: first.base };',
    becomes: 'return first.base === last.mine && !mayBeSent ? null : last;',
  },
  {
    mistake: 'an edit of another tag cancels one',
    file: FOLD,
    is: 'canonicalTag(op.tag)}`;',
    becomes: "''}`;",
  },
  {
    mistake: 'a tag that is removed and added again is removed',
    file: FOLD,
    is: 'first.kind === last.kind || mayBeSent ? last : null',
    becomes: 'first',
  },
  {
    mistake: 'an edit after a deletion replaces it',
    file: FOLD,
    is: 'if (end >= 0) return [deletion(ops, end, sent)];',
    becomes: '',
  },
  // fold
  {
    mistake: 'a removed tag stays',
    file: FOLD,
    is: 'tags: item.tags.filter((tag) => canonicalTag(tag) !== removed)',
    becomes: 'tags: item.tags.slice(removed.length * 0)',
  },
  {
    mistake: 'an unpublished item stays published',
    file: FOLD,
    is: "return { ...item, status: 'draft' };",
    becomes: 'return item;',
  },
  {
    mistake: 'a change of a collection is not shown',
    file: COLLECTION_FOLD,
    is: 'return { ...state, values: { ...state.values, [op.field]: op.mine } };',
    becomes: 'return state;',
  },
  {
    mistake: 'a deleted new collection is created',
    file: COLLECTION_FOLD,
    is: 'if (isNew) return [];',
    becomes: 'if (isNew) return [{ op: ops[0] as CollectionOp, positions: [0], carried: [], steps: [] }];',
  },
  // verdicts and rebase
  {
    mistake: 'a text is sent over a change of someone else',
    file: REPLAY,
    is: "return canonical === canonicalText(field, mine) ? 'same' : 'conflict';",
    becomes: "return canonical === canonicalText(field, mine) ? 'same' : 'send';",
  },
  {
    mistake: 'a move is sent over a move of someone else',
    file: REPLAY,
    is: "return theirs.collectionId === op.base ? 'send' : 'conflict';",
    becomes: "return 'send';",
  },
  {
    mistake: 'a publication is sent over one of someone else',
    file: REPLAY,
    is: "if (!isSamePublication(theirs, base)) return 'conflict';",
    becomes: '',
  },
  {
    mistake: 'a value that the library has is sent again',
    file: REPLAY,
    is: "if (now === mine) return 'same';",
    becomes: "if (now === mine) return 'send';",
  },
  {
    mistake: 'keep mine keeps the old base',
    file: REPLAY,
    is: 'return { ...op, base: theirs[op.field] };',
    becomes: 'return op;',
  },
  {
    mistake: 'a deletion is sent for an item that someone changed',
    file: REPLAY,
    is: "return fingerprintOf(theirs) === op.base ? 'send' : 'conflict';",
    becomes: "return 'send';",
  },
  {
    mistake: 'a collection is moved over a move of someone else',
    file: COLLECTION_FOLD,
    is: "return theirs.parentId === op.base ? 'send' : 'conflict';",
    becomes: "return 'send';",
  },
  {
    mistake: 'keep mine keeps the old base of a collection',
    file: COLLECTION_FOLD,
    is: "return 'field' in op ? { ...op, base: theirs.values[op.field] ?? null } : op;",
    becomes: 'return op;',
  },
  // canonical forms and undo
  {
    mistake: 'a line with two blanks is another line',
    file: CANONICAL,
    is: "return text.normalize('NFC').replace(/\\s+/g, ' ').trim();",
    becomes: "return text.normalize('NFC').replace(/\\s/g, '  ').trim();",
  },
  {
    mistake: 'an undo overwrites what someone changed since',
    file: REPLAY,
    is: "if (canonical === canonicalText(field, base)) return 'send';",
    becomes: "return 'send';",
  },
  {
    mistake: 'an undo restores the value that was written',
    file: UNDO,
    is: "return { ...op, base: typeof wrote === 'string' ? wrote : op.mine, mine: op.base };",
    becomes: "return { ...op, base: op.base, mine: typeof wrote === 'string' ? wrote : op.mine };",
  },
  // three-way merge
  {
    mistake: 'a conflict takes mine in silence',
    file: MERGE,
    is: "else parts.push({ kind: 'conflict', base: was, mine: own, theirs: other });",
    becomes: 'else addText(parts, own);',
  },
  {
    mistake: 'a change of theirs alone is lost',
    file: MERGE,
    is: 'else if (own === was) addText(parts, other);',
    becomes: 'else if (own === was) addText(parts, own);',
  },
  { mistake: 'the end of a text is lost', file: MERGE, is: 'copied, b.tokens.length)', becomes: 'copied, copied)' },
  {
    mistake: 'the same change of both is a conflict',
    file: MERGE,
    is: 'if (own === other || other === was)',
    becomes: 'if (other === was)',
  },
  {
    mistake: 'an element is changed without its contents',
    file: MERGE,
    is: '(isSameChange(was, is) && !isBlank(base, last.baseTo, hunk.baseFrom))',
    becomes: '!isBlank(base, last.baseTo, hunk.baseFrom)',
  },
];

const ROOT = resolve(import.meta.dirname, '../..');

/** Makes each mistake in a copy of the model and checks the laws there. Returns the mistakes that no law found. */
export function survivingMutants(runs: number, onProgress: (line: string) => void): string[] {
  const root = mkdtempSync(join(tmpdir(), 'mediadesk-mutants-'));
  try {
    for (const part of ['shared', 'electron', 'test/laws', 'package.json'])
      cpSync(join(ROOT, part), join(root, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'dir');
    const survivors: string[] = [];
    for (const { mistake, file, is, becomes } of MUTANTS) {
      const path = join(root, file);
      const original = readFileSync(path, 'utf8');
      if (original.split(is).length < 2) throw new Error(`${file} does not contain ${JSON.stringify(is)}`);
      writeFileSync(
        path,
        original.replace(is, () => becomes),
      );
      const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'test/laws/run.ts'), String(runs)], {
        encoding: 'utf8',
      });
      writeFileSync(path, original);
      const broken = [...stdout.matchAll(/^broken: (.*)$/gm)].map(([, name]) => name);
      // Any other end is a mutant that can't run, which shows nothing.
      if (broken.length === 0 && stderr !== '') throw new Error(`${mistake}: ${stderr}`);
      onProgress(`${mistake}: ${broken.length === 0 ? 'NOT FOUND' : broken.join('; ')}`);
      if (broken.length === 0) survivors.push(mistake);
    }
    return survivors;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
