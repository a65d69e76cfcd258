// The laws of the pure model of edits, as properties of random items, changes and other editors. The unit tests check each
// with some hundred runs; `npm run edit-laws` checks them with many more.

import fc from 'fast-check';
import { undoOf } from '../../electron/engine/edits/commands/undo-group.ts';
import type { EditRecord, StoredOp } from '../../electron/engine/edits/journal/edit-row.ts';
import type { ItemChange } from '../../shared/contract/edits.ts';
import { TEXT_FIELDS } from '../../shared/item/fields.ts';
import { planItem } from '../../shared/model/edits/bulk-change.ts';
import { canonicalTag, canonicalText, fingerprintOf, isSamePublication } from '../../shared/model/edits/canonical.ts';
import { type AnyOp, isCollectionOp } from '../../shared/model/edits/collection-ops.ts';
import type { EditableMedia, EditOp } from '../../shared/model/edits/edit-ops.ts';
import { applyOp, coalesce, fold, keyOfOp } from '../../shared/model/edits/fold.ts';
import { fieldValueOf, rebased, verdictOf } from '../../shared/model/edits/verdicts.ts';
import { type Law, law } from './law.ts';

const NOW = Date.parse('2031-01-01T00:00:00Z');
const LATER = ['2031-02-01T00:00:00Z', '2031-03-01T00:00:00Z'];

/** Few values, so that edits of different people meet on the same ones. */
const texts = fc.constantFrom(
  '',
  'A',
  'a',
  ' A ',
  'B',
  'Cafe\u0301',
  'Café',
  '<p>B</p>',
  '<p>B</p>\n',
  '<b>B</b>',
  'A & B',
);
const tags = fc.constantFrom('one', 'One', 'two', 'three', 'Zwölf');
const publication = fc.oneof(
  fc.record({ status: fc.constant('draft'), publishOn: fc.constantFrom(null, ...LATER) }),
  fc.record({ status: fc.constant('scheduled'), publishOn: fc.constantFrom(...LATER) }),
  fc.record({ status: fc.constant('published'), publishOn: fc.constantFrom('2030-01-01T00:00:00Z') }),
);

const items: fc.Arbitrary<EditableMedia> = fc
  .record({
    title: texts,
    byline: texts,
    description: texts,
    tags: fc.uniqueArray(tags, { selector: canonicalTag }),
    collectionId: fc.constantFrom('1', '2', '3'),
    publication,
  })
  .map(({ publication: { status, publishOn }, ...rest }) => ({ id: '7', ...rest, status, publishOn }));

const textChanges = fc.oneof(
  texts.map((value) => ({ kind: 'set', value }) as const),
  fc.constant({ kind: 'clear' } as const),
  texts.filter((text) => text !== '').map((text) => ({ kind: 'prefix', text }) as const),
  texts.filter((text) => text !== '').map((text) => ({ kind: 'suffix', text }) as const),
  fc.record({
    kind: fc.constant('replace' as const),
    find: texts.filter((text) => text !== ''),
    replaceWith: texts,
    matchCase: fc.boolean(),
  }),
);

const changes: fc.Arbitrary<ItemChange> = fc.record(
  {
    title: textChanges,
    byline: textChanges,
    description: textChanges,
    tags: fc.oneof(
      fc.record({ kind: fc.constant('change' as const), add: fc.array(tags), remove: fc.array(tags) }),
      fc.record({ kind: fc.constant('replace' as const), tags: fc.array(tags) }),
    ),
    collectionId: fc.constantFrom('1', '2', '3'),
    publication: fc.oneof(
      fc.constant({ kind: 'now' } as const),
      fc.constantFrom(...LATER).map((at) => ({ kind: 'at', at }) as const),
      fc.constant({ kind: 'unpublish' } as const),
    ),
  },
  { requiredKeys: [] },
);

/** Changes that have the same result when they are made twice. */
const settling = changes.filter((change) =>
  TEXT_FIELDS.every((field) => change[field] === undefined || ['set', 'clear'].includes(change[field].kind)),
);

/** HTML in pieces, also broken. */
const markup = fc
  .array(
    fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<a href="x&amp;y">',
      "<A HREF='x&y' class=c>",
      '<br/>',
      '<',
      '>',
      '&lt;',
      '&',
      'a',
      ' ',
      '\n',
      '\u0338',
      'e\u0301',
      '<span>',
      '<!--',
      '-->',
      '"',
      '&nbsp;',
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(''));

/** The ops of changes that one user makes one after the other, each on the item as the user sees it then. */
function opsOf(item: EditableMedia, all: readonly ItemChange[]): EditOp[] {
  const ops: EditOp[] = [];
  for (const change of all) {
    const seen = fold(item, ops);
    if (seen !== null) ops.push(...planItem(seen, change, item).ops);
  }
  return ops;
}

/** Returns an item as everyone would describe it. */
function canonical(item: EditableMedia | null): unknown {
  if (item === null) return null;
  return {
    ...Object.fromEntries(TEXT_FIELDS.map((field) => [field, canonicalText(field, item[field])])),
    tags: item.tags.map(canonicalTag).sort(),
    collectionId: item.collectionId,
    publication: item.status === 'draft' ? 'draft' : `${item.status} ${item.publishOn}`,
  };
}

interface Replayed {
  item: EditableMedia;
  stored: StoredOp[];
}

/** What the lane does with ops, without requests: the same coalescing and the same verdicts. */
function replay(item: EditableMedia, ops: readonly EditOp[]): Replayed {
  const stored: StoredOp[] = ops.map((op) => ({ op, outcome: 'superseded' }));
  let now = item;
  for (const { op, positions } of coalesce(ops)) {
    const own = positions.at(-1) ?? 0;
    const verdict = verdictOf(op, item, NOW);
    if (verdict === 'conflict' || verdict === 'passed') stored[own] = { op, outcome: null, asks: true };
    else if (verdict === 'same') stored[own] = { op, outcome: 'same' };
    else {
      now = applyOp(now, op) ?? now;
      stored[own] = { op, outcome: 'sent', wrote: fieldValueOf(op, now) };
    }
  }
  return { item: now, stored };
}

function recordOf(ops: readonly StoredOp[]): EditRecord {
  return {
    seq: 1,
    groupSeq: 1,
    siteId: 's',
    entityKind: 'media',
    entityId: '7',
    name: 'x',
    ops,
    state: 'done',
    error: null,
    retries: 0,
    nextAt: null,
    sentAt: 1,
    createdAt: 1,
    endedAt: 2,
  };
}

/** Whether two items have the same value where an op has its effect. */
function agreesOn(op: EditOp, one: EditableMedia, other: EditableMedia): boolean {
  switch (op.kind) {
    case 'set-field':
      return canonicalText(op.field, one[op.field]) === canonicalText(op.field, other[op.field]);
    case 'add-tag':
    case 'remove-tag': {
      const has = ({ tags: all }: EditableMedia) => all.some((tag) => canonicalTag(tag) === canonicalTag(op.tag));
      return has(one) === has(other);
    }
    case 'move-collection':
      return one.collectionId === other.collectionId;
    case 'publish':
    case 'unpublish':
      return isSamePublication(one, other);
    case 'delete-file':
    case 'add-embed':
      return true;
    case 'delete':
      return fingerprintOf(one) === fingerprintOf(other);
  }
}

const mediaOps = (ops: readonly AnyOp[]) => ops.filter((op) => !isCollectionOp(op));

const someChanges = fc.array(changes, { maxLength: 5 });

export const EDIT_LAWS: readonly Law[] = [
  law('coalesced ops have the same effect as all of them', [items, someChanges], (item, all) => {
    const ops = opsOf(item, all);
    const net = coalesce(ops).map(({ op }) => op);
    return JSON.stringify(canonical(fold(item, net))) === JSON.stringify(canonical(fold(item, ops)));
  }),
  law('coalesced ops can’t be coalesced further and concern different values', [items, someChanges], (item, all) => {
    const net = coalesce(opsOf(item, all)).map(({ op }) => op);
    const keys = net.map(keyOfOp);
    return new Set(keys).size === keys.length && coalesce(net).length === net.length;
  }),
  law('the order of edits of one item matters for ops on the same value only', [items, someChanges], (item, all) => {
    const ops = opsOf(item, all);
    const requested = (sequence: readonly EditOp[]) =>
      coalesce(sequence)
        .map(({ op }) => JSON.stringify(op))
        .sort()
        .join();
    // Every swap of neighbors about different values: by such swaps, any order is reached that keeps each value's own.
    return ops.every((op, index) => {
      const next = ops[index + 1];
      if (next === undefined || keyOfOp(op) === keyOfOp(next)) return true;
      return requested([...ops.slice(0, index), next, op, ...ops.slice(index + 2)]) === requested(ops);
    });
  }),
  law('a deletion replaces all ops before and after it', [items, someChanges, someChanges], (item, all, late) => {
    const deletion: EditOp = { kind: 'delete', v: 1, base: fingerprintOf(item) };
    const before = opsOf(item, all);
    const ops = [...before, deletion, ...opsOf(item, late)];
    const [only, ...others] = coalesce(ops);
    const isLast = only?.positions.at(-1) === before.length && only.positions.length === ops.length;
    return others.length === 0 && only?.op === deletion && isLast && fold(item, ops) === null;
  }),
  law('a deletion is sent only if the item is as the user saw it', [items, someChanges], (item, others) => {
    const theirs = fold(item, opsOf(item, others)) ?? item;
    const isAsSeen = JSON.stringify(canonical(theirs)) === JSON.stringify(canonical(item));
    const verdict = verdictOf({ kind: 'delete', v: 1, base: fingerprintOf(item) }, theirs, NOW);
    return verdict === (isAsSeen ? 'send' : 'conflict');
  }),
  law('a replay without other editors results in what the user saw', [items, someChanges], (item, all) => {
    const ops = opsOf(item, all);
    const seen = fold(item, ops) ?? item;
    const after = replay(item, ops).item;
    // The library, not the user, sets the date of an item that is published now.
    const dated = seen.status === 'published' ? { ...seen, publishOn: after.publishOn } : seen;
    return JSON.stringify(canonical(after)) === JSON.stringify(canonical(dated));
  }),
  law('a replay overwrites no value of someone else', [items, someChanges, someChanges], (item, mine, others) => {
    const ops = opsOf(item, mine);
    const theirs = fold(item, opsOf(item, others)) ?? item;
    const { item: after } = replay(theirs, ops);
    return coalesce(ops).every(({ op }) => {
      if (!('base' in op) || agreesOn(op, theirs, item)) return true;
      return agreesOn(op, after, theirs);
    });
  }),
  law('a replay changes only values that ops are about', [items, someChanges, someChanges], (item, mine, others) => {
    const ops = opsOf(item, mine);
    const theirs = fold(item, opsOf(item, others)) ?? item;
    const { item: after } = replay(theirs, ops);
    const fields = new Set(ops.flatMap((op) => (op.kind === 'set-field' ? [op.field] : [])));
    return TEXT_FIELDS.every((field) => fields.has(field) || after[field] === theirs[field]);
  }),
  law('a second replay sends nothing', [items, someChanges], (item, all) => {
    const ops = opsOf(item, all);
    const once = replay(item, ops);
    return replay(once.item, ops).stored.every(({ outcome }) => outcome !== 'sent');
  }),
  law('an edit that the user keeps causes no second question', [items, changes, changes], (item, mine, others) => {
    const ops = opsOf(item, [mine]);
    const theirs = fold(item, opsOf(item, [others])) ?? item;
    const answered = ops.map((op) => (verdictOf(op, theirs, NOW) === 'conflict' ? rebased(op, theirs) : op));
    return answered.every((op) => verdictOf(op, theirs, NOW) !== 'conflict');
  }),
  law('an undo restores every value that no one changed since', [items, changes], (item, change) => {
    const { item: edited, stored } = replay(item, opsOf(item, [change]));
    const { edits } = undoOf([recordOf(stored)]);
    const restored = replay(edited, mediaOps(edits.flatMap(({ ops }) => ops.map(({ op }) => op)))).item;
    // The API can't date back an item that was published.
    const wasPublic = item.status === 'published' && edited.status !== 'published';
    return (
      JSON.stringify(canonical(restored)) ===
      JSON.stringify(canonical(wasPublic ? { ...item, publishOn: restored.publishOn } : item))
    );
  }),
  law('an undo overwrites no value that someone changed since', [items, changes, changes], (item, change, others) => {
    const { item: edited, stored } = replay(item, opsOf(item, [change]));
    const touched = fold(edited, opsOf(edited, [others])) ?? edited;
    const { edits } = undoOf([recordOf(stored)]);
    const inverse = mediaOps(edits.flatMap(({ ops }) => ops.map(({ op }) => op)));
    const after = replay(touched, inverse).item;
    return inverse.every((op) => !('base' in op) || agreesOn(op, touched, edited) || agreesOn(op, after, touched));
  }),
  law('a change results in no ops when it was made already', [items, settling], (item, change) => {
    const after = fold(item, planItem(item, change).ops) ?? item;
    return planItem(item, change).problem !== null || planItem(after, change).ops.length === 0;
  }),
  law('the canonical form of HTML is its own canonical form', [markup], (html) => {
    const form = canonicalText('description', html);
    return canonicalText('description', form) === form;
  }),
  law('the canonical form of a line is its own canonical form', [fc.string({ unit: 'grapheme' })], (text) => {
    const form = canonicalText('title', text);
    return canonicalText('title', form) === form;
  }),
];
