import { expect, it } from 'vitest';
import { collectionSchema } from '../../../../shared/api/collections.ts';
import type { MediaItem } from '../../../../shared/api/media.ts';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { MirrorDesk, SITE } from '../../../helpers/engine/mirror-desk.ts';
import type { ModelLibrary } from '../../../helpers/wire/model-library.ts';

function fill(library: ModelLibrary, count: number): string[] {
  return Array.from({ length: count }, (_, index) => library.add(`item ${index}`));
}

/** Returns the current item of the library. */
function itemOf(library: ModelLibrary, id: string): MediaItem {
  const item = library.items.get(id);
  if (item === undefined) throw new Error(`there is no item ${id}`);
  return structuredClone(item);
}

/** Creates a copy of three items after a pass. `slow`: the answer to a request for one of them that begins now, at `since`. */
async function withSlowAnswer() {
  const desk = await MirrorDesk.open();
  const { library } = desk;
  const [id = ''] = fill(library, 3);
  await desk.pass();
  return { desk, library, id, slow: itemOf(library, id), since: desk.mirrors.readMoment(SITE) };
}

it('the mirror keeps the result of a pass when an older answer about one item arrives', async () => {
  const desk = await MirrorDesk.open();
  const { library } = desk;
  const [id = ''] = fill(library, 3);
  await desk.pass();
  const slow = structuredClone(library.items.get(id));
  const since = desk.mirrors.readMoment(SITE);
  library.now += 200;
  library.change(id, { title: 'newer' });
  await desk.pass();
  if (slow !== undefined) desk.mirrors.put(SITE, slow, since);
  expect(desk.listed()?.[id]).toEqual(desk.expected()[id]);
  // Data that is requested after the pass is stored, even when the clock of the service was set back.
  library.now -= 1000;
  library.change(id, { title: 'newest' });
  const read = library.items.get(id);
  if (read !== undefined) desk.mirrors.put(SITE, read, desk.mirrors.readMoment(SITE));
  expect(desk.listed()).toEqual(desk.expected());
});

it('the mirror keeps the result of a pass also when the change did not update the time of change', async () => {
  const { desk, library, id, slow, since } = await withSlowAnswer();
  const item = library.items.get(id);
  if (item !== undefined) library.items.set(id, { ...item, title: 'changed in silence' });
  await desk.pass();
  desk.mirrors.put(SITE, slow, since);
  expect(desk.listed()?.[id]).toBe('changed in silence');
  // An answer with a later time of change is newer, whenever it was requested.
  desk.mirrors.put(SITE, { ...slow, title: 'changed again', modified_on: '2030-01-01T00:00:00Z' }, since);
  expect(desk.listed()?.[id]).toBe('changed again');
});

it('the mirror does not replace a later write with an older answer', async () => {
  const desk = await MirrorDesk.open();
  const { library } = desk;
  const ids = fill(library, 30);
  await desk.pass();
  const [changed = '', removed = ''] = ids;
  library.now += 200;
  library.change(changed, { title: 'older' });
  library.change(removed, { title: 'older' });
  library.spoil = (path, answer) => {
    if (!path.includes('modified_on')) return answer;
    // Changes the item after the service composed its answer, and before the answer arrives.
    library.change(changed, { title: 'newer' });
    const item = library.items.get(changed);
    if (item !== undefined) desk.mirrors.put(SITE, item, desk.mirrors.readMoment(SITE));
    library.items.delete(removed);
    desk.mirrors.remove(SITE, removed);
    library.spoil = (_path, later) => {
      listed.push(desk.listed()?.[changed], desk.listed()?.[removed]);
      return later;
    };
    return answer;
  };
  const listed: unknown[] = [];
  await desk.pass();
  expect(desk.listed()).toEqual(desk.expected());
  // The older value was not shown between two requests either.
  expect(listed.slice(0, 2)).toEqual(['newer', undefined]);
});

it('the mirror keeps an item that was read after a change of this computer when an earlier request is answered last', async () => {
  const { desk, library, id, slow, since } = await withSlowAnswer();
  library.change(id, { title: 'mine' });
  desk.mirrors.put(SITE, itemOf(library, id), desk.mirrors.readMoment(SITE));
  desk.mirrors.put(SITE, slow, since);
  expect(desk.listed()).toEqual(desk.expected());
});

it('the mirror keeps an item that this computer changed and read when a pass ends before an older answer arrives', async () => {
  const { desk, library, id, slow, since } = await withSlowAnswer();
  library.now += 500;
  library.change(id, { title: 'mine' });
  desk.mirrors.put(SITE, itemOf(library, id), desk.mirrors.readMoment(SITE));
  await desk.pass();
  desk.mirrors.put(SITE, slow, since);
  expect(desk.listed()).toEqual(desk.expected());
});

it('the mirror stores a page that was requested after an item whose answer arrives first', async () => {
  const { desk, library, id, slow, since } = await withSlowAnswer();
  library.now += 500;
  library.change(id, { title: 'theirs' });
  library.spoil = (path, answer) => {
    // The service has composed the page; the older answer arrives before it.
    if (path.includes('modified_on')) desk.mirrors.put(SITE, slow, since);
    return answer;
  };
  await desk.pass();
  expect(desk.listed()).toEqual(desk.expected());
});

it('the mirror keeps an item removed, and captions known, when an earlier request is answered last', async () => {
  const desk = await MirrorDesk.open();
  const { library } = desk;
  const [removed = '', captioned = ''] = fill(library, 3);
  await desk.pass();
  const slow = [removed, captioned].map((id) => itemOf(library, id));
  const since = desk.mirrors.readMoment(SITE);
  library.items.delete(removed);
  desk.mirrors.remove(SITE, removed);
  desk.mirrors.noteFiles(SITE, captioned, { hasCaptions: true, sizeBytes: null });
  for (const item of slow) desk.mirrors.put(SITE, item, since, []);
  expect(desk.listed()).toEqual(desk.expected());
  expect(Object.keys(desk.listed({ search: 'has:captions' }) ?? {})).toEqual([captioned]);
});

it('the mirror keeps captions that became known while an earlier list of them was read and another pass started', async () => {
  const desk = await MirrorDesk.open();
  const { library } = desk;
  const [id = ''] = fill(library, 3);
  await desk.pass();
  let hasPassed = false;
  library.spoil = (path, answer) => {
    if (path.includes('joins=files')) desk.mirrors.noteFiles(SITE, id, { hasCaptions: true, sizeBytes: null });
    return answer;
  };
  const reading = desk.readFiles(() => hasPassed);
  await desk.pass();
  hasPassed = true;
  await reading;
  expect(Object.keys(desk.listed({ search: 'has:captions' }) ?? {})).toEqual([id]);
});

it('the mirror keeps collections that this computer created, changed and removed while an older tree was requested', async () => {
  const desk = await MirrorDesk.open();
  const { library } = desk;
  const tree = (...names: [id: string, name: string][]) => ({
    root: {
      id: '1',
      display_name: 'Top',
      is_podcast: false,
      slug: 'top',
      children: names.map(([id, display_name]) => ({ id, display_name, is_podcast: false, slug: id, children: [] })),
    },
  });
  let current = tree(['2', 'Old'], ['3', 'Gone']);
  const trees = (path: string, answer: unknown) => (path.startsWith('/api2/collections/tree') ? current : answer);
  library.spoil = trees;
  await desk.pass();
  const store = await desk.store();
  const made = (id: string, display_name: string) =>
    collectionSchema.parse({ id, display_name, slug: id, parent_id: '1' });
  library.spoil = (path, answer) => {
    if (!path.startsWith('/api2/collections/tree')) return answer;
    const old = tree(['2', 'Old'], ['3', 'Gone'], ['5', 'Theirs']);
    store.putCollection(made('2', 'Mine'), null);
    store.putCollection(made('4', 'New'), null);
    store.removeCollection('3');
    return old;
  };
  await desk.pass();
  const names = () => store.collections().map(({ displayName }) => displayName);
  expect(names()).toEqual(['Top', 'Mine', 'New', 'Theirs']);
  // The next tree is compared completely, although it equals the previous answer.
  current = tree(['2', 'Old'], ['3', 'Gone'], ['5', 'Theirs']);
  library.spoil = trees;
  await desk.pass();
  expect(names()).toEqual(['Top', 'Old', 'Gone', 'Theirs']);
});

it('of a collection and a tree, the mirror keeps the one that was requested last, whichever answer arrives first', async () => {
  const desk = await MirrorDesk.open();
  await desk.pass();
  const store = await desk.store();
  const [first, second, third] = [store.collectionMoment(), store.collectionMoment(), store.collectionMoment()];
  const named = (display_name: string) => collectionSchema.parse({ id: '1', display_name, slug: 'top' });
  const [row] = store.collections();
  if (row === undefined) throw new Error('there is no collection');
  store.putCollection(named('second'), null, second);
  expect(store.putCollection(named('first'), null, first)).toBe(false);
  expect(store.collections()).toMatchObject([{ displayName: 'second' }]);
  store.replaceCollections([{ ...row, displayName: 'third' } as CollectionRow], third);
  expect(store.collections()).toMatchObject([{ displayName: 'third' }]);
  store.putCollection(named('second again'), null, second);
  expect(store.collections()).toMatchObject([{ displayName: 'third' }]);
});

it('the mirror shows a collection that was read alone when a tree with its unknown parent arrives', async () => {
  const desk = await MirrorDesk.open();
  await desk.pass();
  const store = await desk.store();
  const rows = store.collections();
  const requested = store.collectionMoment();
  store.putCollection(collectionSchema.parse({ id: '9', display_name: 'Deep', slug: 'deep', parent_id: '8' }), null);
  expect(store.collections()).toEqual(rows);
  const row = (id: string, parentId: string | null) => ({
    id,
    parentId,
    displayName: id,
    slug: id,
    isPodcast: false,
    mediaCount: 0,
  });
  store.replaceCollections([...rows, row('8', rows[0]?.id ?? null), row('9', '8')] as CollectionRow[], requested);
  expect(store.collections().map(({ id }) => id)).toEqual([...rows.map(({ id }) => id), '8', '9']);
});
