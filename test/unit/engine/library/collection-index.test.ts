import { describe, expect, it } from 'vitest';
import {
  type CollectionIndex,
  entriesOfTree,
  entryOfList,
  indexOf,
  namesOnPath,
} from '../../../../electron/engine/library/collections/collection-index.ts';
import { searchCollections } from '../../../../electron/engine/library/collections/collection-search.ts';
import {
  type Collection,
  type CollectionTreeNode,
  collectionSchema,
  treeNodes,
} from '../../../../shared/api/collections.ts';

type Sent = Omit<CollectionTreeNode, 'parent_id'> & { children: Sent[] };

function node(id: string, name: string, children: Sent[] = [], over: Partial<Sent> = {}): Sent {
  return { id, display_name: name, is_podcast: false, slug: name.toLowerCase(), media_count: 3, children, ...over };
}

const indexOfTree = (root: Sent) => indexOf([...entriesOfTree(treeNodes(root))]);
const indexOfList = (collections: readonly Collection[]) => indexOf(collections.map(entryOfList));

function flat(id: string, parent: string | null, name = id): Collection {
  return collectionSchema.parse({ id, parent_id: parent, display_name: name, slug: name });
}

/** Returns each id with its parent, from the top down. */
function shapeOf(index: CollectionIndex): Record<string, string | null> {
  return Object.fromEntries([...index.nodes.values()].map(({ row }) => [row.id, row.parentId]));
}

describe('the tree of collections', () => {
  it('has the real root as its only top row', () => {
    const index = indexOfTree(node('1', 'Library', [node('2', 'Physics', [node('3', 'Optics')])]));
    expect(index.top).toEqual(['1']);
    expect(shapeOf(index)).toEqual({ '1': null, '2': '1', '3': '2' });
    expect(index.nodes.get('1')?.row).toMatchObject({ childCount: 1, mediaCount: 3, isPodcast: false });
    expect(namesOnPath(index, '3')).toEqual(['Library', 'Physics', 'Optics']);
  });

  it('shows the children of an artificial root at the top', () => {
    const index = indexOfTree(node('-1', '', [node('2', 'B'), node('3', 'A')], { is_podcast: null }));
    expect(index.top).toEqual(['3', '2']);
    expect(index.nodes.has('-1')).toBe(false);
    expect(namesOnPath(index, '2')).toEqual(['B']);
  });

  it('is sorted by name, with numbers by value', () => {
    const names = ['Week 10', 'week 2', 'Äther', 'Zoo', 'atom'];
    const index = indexOfTree(
      node(
        '1',
        'L',
        names.map((name, at) => node(`c${at}`, name)),
      ),
    );
    const sorted = index.nodes.get('1')?.children.map((id) => index.nodes.get(id)?.row.displayName);
    expect(sorted).toEqual(['Äther', 'atom', 'week 2', 'Week 10', 'Zoo']);
  });

  it('shows a repeated id once', () => {
    const index = indexOfTree(node('1', 'L', [node('2', 'A', [node('2', 'A')]), node('1', 'L')]));
    expect([...index.nodes.keys()].sort()).toEqual(['1', '2']);
    expect(index.top.length).toBeGreaterThan(0);
  });

  it('counts the items below each collection when the service reports counts', () => {
    const optics = node('3', 'Optics', [node('5', 'Lasers', [], { media_count: 11 })], { media_count: 40 });
    const secret = node('4', 'Secret', [node('6', 'Untold', [], { media_count: null })]);
    const physics = node('2', 'Physics', [optics, node('7', 'Waves', [], { media_count: 40 })], { media_count: 0 });
    const index = indexOfTree(node('1', 'Library', [physics, secret]));
    const below = (id: string) => index.nodes.get(id)?.row.mediaCountBelow;
    expect([below('2'), below('3'), below('5')]).toEqual([91, 11, 0]);
    expect([below('4'), below('1')]).toEqual([null, null]);
  });

  it('is built for 20,000 levels', () => {
    let tree = node('0', 'x');
    for (let depth = 1; depth < 20_000; depth++) tree = node(String(depth), 'x', [tree]);
    expect(indexOfTree(tree).nodes.size).toBe(20_000);
  });
});

describe('the flat list of collections', () => {
  it('puts collections without a known parent at the top', () => {
    const index = indexOfList([flat('3', '2'), flat('2', null), flat('9', 'hidden')]);
    expect(index.top).toEqual(['2', '9']);
    expect(shapeOf(index)).toEqual({ '2': null, '3': '2', '9': null });
  });

  it.each([
    ['one is its own parent', [flat('a', 'a'), flat('b', 'a')]],
    ['two are each other’s parents', [flat('a', 'b'), flat('b', 'a')]],
    ['three are each other’s parents', [flat('x', 'a'), flat('a', 'b'), flat('b', 'c'), flat('c', 'a')]],
  ])('shows all of them when %s', (_, list) => {
    const index = indexOfList(list);
    const reached = new Set<string>();
    const walk = (ids: string[]) => {
      for (const id of ids) {
        expect(reached.has(id)).toBe(false);
        reached.add(id);
        walk(index.nodes.get(id)?.children ?? []);
      }
    };
    walk(index.top);
    expect(reached.size).toBe(list.length);
  });
});

describe('a search in the collections', () => {
  const index = indexOfTree(
    node('1', 'Library', [
      node('2', 'Physics', [node('4', 'Optics'), node('5', 'Applied physics')]),
      node('3', 'Métaphysique'),
      node('6', 'Astrophysics', [], { slug: 'physics-of-stars' }),
      node('7', 'Physics 2'),
    ]),
  );
  const names = (text: string, limit = 10) =>
    searchCollections(index, text, limit).map(({ collection }) => collection.displayName);

  it('ranks matches at the start of a name first, then of a word, then inside', () => {
    expect(names('phys')).toEqual(['Physics', 'Physics 2', 'Applied physics', 'Astrophysics', 'Métaphysique']);
  });

  it('ignores case and accents', () => {
    expect(names('METAPHYSIQUE')).toEqual(['Métaphysique']);
  });

  it('puts an exact id or slug first', () => {
    expect(names('optics')[0]).toBe('Optics');
    expect(names('physics-of-stars')).toEqual(['Astrophysics']);
    expect(names('7')[0]).toBe('Physics 2');
  });

  it('returns the path of each match, and at most the requested number of matches', () => {
    expect(searchCollections(index, 'optics', 1)).toMatchObject([{ path: ['Library', 'Physics', 'Optics'] }]);
    expect(names('phys', 2)).toHaveLength(2);
  });
});
