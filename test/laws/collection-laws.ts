// The laws of edits of collections, as properties of random collections, edits and other editors.
import fc from 'fast-check';
import {
  canonicalCollectionValue,
  coalesceCollection,
  collectionValueOf,
  collectionVerdict,
  foldCollection,
  keyOfAnyOp,
  rebasedOnCollection,
} from '../../shared/model/edits/collection-fold.ts';
import {
  type CollectionOp,
  type CollectionValues,
  type EditableCollection,
  isLocalId,
  localIdsOf,
  withServerIds,
} from '../../shared/model/edits/collection-ops.ts';
import { type Law, law } from './law.ts';

const NAMES = ['display_name', 'description', 'slug'] as const;
const SWITCHES = ['is_podcast', 'inherit_memberships'] as const;
const PODCAST = ['copyright', 'directory_category'] as const;

/** Few values, so that edits of different people meet on the same ones. */
const texts = fc.constantFrom('', 'A', 'a', ' A ', 'Cafe\u0301', 'Café', '<p>B</p>', '<b>B</b>');
const parents = fc.constantFrom('1', '2', 'local:3');

/** What a user does, whatever the collection is like. */
const actions = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), field: fc.constantFrom(...NAMES), mine: texts }),
  fc.record({ kind: fc.constant('switch' as const), field: fc.constantFrom(...SWITCHES), mine: fc.boolean() }),
  fc.record({ kind: fc.constant('podcast' as const), field: fc.constantFrom(...PODCAST), mine: fc.option(texts) }),
  fc.record({ kind: fc.constant('move' as const), mine: parents }),
);
type Action = typeof actions extends fc.Arbitrary<infer T> ? T : never;
type Actions = readonly Action[];
const some = fc.array(actions, { maxLength: 6 });

const collections: fc.Arbitrary<EditableCollection> = fc
  .record({
    parentId: fc.constantFrom('1', '2'),
    display_name: texts,
    description: texts,
    slug: texts,
    is_podcast: fc.boolean(),
    inherit_memberships: fc.boolean(),
    copyright: fc.option(texts),
    directory_category: fc.option(texts),
  })
  .map(({ parentId, ...values }) => ({ id: '7', parentId, values }));

/** The ops of actions that one user makes one after the other, each on the collection as the user sees it then. */
function opsOf(truth: EditableCollection | null, all: Actions, first: readonly CollectionOp[] = []): CollectionOp[] {
  const ops: CollectionOp[] = [...first];
  for (const action of all) {
    const seen = foldCollection(truth, ops, '7');
    if (seen === null) break;
    if (action.kind === 'move') {
      const base = seen.parentId ?? '';
      if (base !== action.mine) ops.push({ kind: 'move-to-parent', v: 1, base, mine: action.mine });
      continue;
    }
    const base = seen.values[action.field] ?? null;
    if (base === action.mine) continue;
    if (action.kind === 'podcast')
      ops.push({ kind: 'set-podcast-field', v: 1, field: action.field, base, mine: action.mine });
    else ops.push({ kind: 'set-collection-field', v: 1, field: action.field, base, mine: action.mine });
  }
  return ops;
}

const creation = (values: CollectionValues): CollectionOp => ({
  kind: 'create-collection',
  v: 1,
  parentId: 'local:1',
  values,
});
const deletion: CollectionOp = { kind: 'delete-collection', v: 1, base: { collections: 1, items: 0 } };

/** Values that are missing and null are equal. */
function shown(state: EditableCollection | null): string {
  if (state === null) return 'none';
  const values = Object.entries(state.values).filter(([, value]) => value !== null && value !== undefined);
  return JSON.stringify([state.parentId, values.sort(([one], [other]) => (one < other ? -1 : 1))]);
}

/** What a library makes of the ops: sends what is to be sent, asks about the rest. */
function replayed(theirs: EditableCollection, ops: readonly CollectionOp[]): EditableCollection {
  const net = coalesceCollection(ops).map(({ op }) => op);
  return (
    foldCollection(
      theirs,
      net.filter((op) => collectionVerdict(op, theirs) === 'send'),
    ) ?? theirs
  );
}

export const COLLECTION_LAWS: readonly Law[] = [
  law('coalesced edits of a collection have the effect of all of them', [collections, some], (truth, all) => {
    const ops = opsOf(truth, all);
    const net = coalesceCollection(ops).map(({ op }) => op);
    return shown(foldCollection(truth, net)) === shown(foldCollection(truth, ops));
  }),
  law('coalesced edits of a new collection are one creation with their effect', [texts, some], (name, all) => {
    const ops = opsOf(null, all, [creation({ display_name: name })]);
    const net = coalesceCollection(ops).map(({ op }) => op);
    const others = net.filter(({ kind }) => kind !== 'create-collection' && kind !== 'set-podcast-field');
    return others.length === 0 && shown(foldCollection(null, net, '7')) === shown(foldCollection(null, ops, '7'));
  }),
  law('a collection that is created and deleted needs no request', [texts, some], (name, all) => {
    return coalesceCollection([...opsOf(null, all, [creation({ display_name: name })]), deletion]).length === 0;
  }),
  law('a deletion of a collection replaces all edits before it', [collections, some], (truth, all) => {
    const net = coalesceCollection([...opsOf(truth, all), deletion]);
    return net.length === 1 && net[0]?.op.kind === 'delete-collection';
  }),
  law('coalesced edits of a collection can’t be coalesced further', [collections, some], (truth, all) => {
    const net = coalesceCollection(opsOf(truth, all)).map(({ op }) => op);
    return new Set(net.map(keyOfAnyOp)).size === net.length && coalesceCollection(net).length === net.length;
  }),
  law('coalesced ops name the position of each op at most once', [collections, some], (truth, all) => {
    const ops = opsOf(truth, all);
    const positions = coalesceCollection(ops).flatMap((each) => each.positions);
    return new Set(positions).size === positions.length && positions.every((position) => position < ops.length);
  }),
  law('a replay overwrites no value of someone else', [collections, some, some], (truth, mine, others) => {
    const ops = opsOf(truth, mine);
    const theirs = foldCollection(truth, opsOf(truth, others)) ?? truth;
    const after = replayed(theirs, ops);
    return coalesceCollection(ops).every(({ op }) => {
      const form = (state: EditableCollection) =>
        canonicalCollectionValue('field' in op ? op.field : '', collectionValueOf(op, state));
      return form(theirs) === form(truth) || form(after) === form(theirs);
    });
  }),
  law('an edit that the user keeps causes no second question', [collections, some, some], (truth, mine, others) => {
    const theirs = foldCollection(truth, opsOf(truth, others)) ?? truth;
    const net = coalesceCollection(opsOf(truth, mine)).map(({ op }) => op);
    return net.every((op) => collectionVerdict(rebasedOnCollection(op, theirs), theirs) !== 'conflict');
  }),
  law('a second replay of edits of a collection sends nothing', [collections, some], (truth, all) => {
    const ops = opsOf(truth, all);
    const once = replayed(truth, ops);
    return coalesceCollection(ops).every(({ op }) => collectionVerdict(op, once) !== 'send');
  }),
  law('an op with the ids of the library contains no local id', [collections, some], (truth, all) => {
    const idOf = (id: string) => (isLocalId(id) ? '30' : id);
    return opsOf(truth, all).every((op) => localIdsOf(withServerIds(op, idOf)).length === 0);
  }),
];
