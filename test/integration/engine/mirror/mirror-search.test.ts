import { describe, expect, it } from 'vitest';
import { correctedSearch } from '../../../../electron/engine/library/items/corrected-search.ts';
import { MIRROR_MIGRATIONS } from '../../../../electron/engine/mirror/mirror-schema.ts';
import type { ListSort } from '../../../../shared/contract/library.ts';
import { LOCAL_SORTS } from '../../../../shared/model/local-sorts.ts';
import { MirrorDesk, SITE } from '../../../helpers/engine/mirror-desk.ts';

describe('the tags of the mirror', () => {
  it('are found by any part, without case and accents: beginnings first, then the most frequent', async () => {
    const desk = await MirrorDesk.open();
    desk.library.add('one', { tags: ['Optics', 'Café'] });
    desk.library.add('two', { tags: ['optics', 'field trip'] });
    const id = desk.library.add('three', { tags: ['trip'] });
    await desk.pass();
    expect(desk.mirrors.values(SITE, 'tag', '', 2)).toEqual([
      { value: 'Optics', items: 2 },
      { value: 'Café', items: 1 },
    ]);
    expect(desk.mirrors.values(SITE, 'tag', 'cafe', 10)).toEqual([{ value: 'Café', items: 1 }]);
    expect(desk.mirrors.values(SITE, 'tag', 'TRIP', 10).map(({ value }) => value)).toEqual(['trip', 'field trip']);
    desk.mirrors.setOverlay(SITE, id, { tags: ['trip to Rome'] });
    expect(desk.mirrors.values(SITE, 'tag', 'trip', 10).map(({ value }) => value)).toEqual([
      'trip to Rome',
      'field trip',
    ]);
  });
});

describe('captions in the mirror', () => {
  const CAPTIONS = { id: '9', type: 'captions', status: 'complete', display_name: 'en.vtt', links: {} };

  /** Returns the ids that a search lists, and the number of further items that may match. */
  function found(desk: MirrorDesk, search: string) {
    const window = desk.mirrors.window(desk.query({ search }), 0, 1000);
    return { ids: window?.rows.map(({ id }) => id), unknown: window?.captionsUnknown ?? 0 };
  }

  async function deskWith(videos: number): Promise<{ desk: MirrorDesk; ids: string[] }> {
    const desk = await MirrorDesk.open();
    const ids = Array.from({ length: videos }, (_, index) => {
      desk.library.now += 60;
      return desk.library.add(`video ${index}`, { tags: index === 0 ? ['first'] : [] });
    });
    desk.library.add('sound', { type: 'audio' });
    await desk.pass();
    return { desk, ids };
  }

  it('match neither has:captions nor no:captions while they are unknown, and the number of these items is reported', async () => {
    const { desk, ids } = await deskWith(3);
    const sound = String(ids.length + 1);
    expect(found(desk, 'type:video no:captions')).toEqual({ ids: [], unknown: 3 });
    expect(found(desk, 'has:captions')).toEqual({ ids: [], unknown: 3 });
    expect(found(desk, '-has:captions tag:first')).toEqual({ ids: [], unknown: 1 });
    // Captions belong to videos: other types are known to have none.
    expect(found(desk, 'no:captions')).toEqual({ ids: [sound], unknown: 3 });
    expect(found(desk, 'video')).toEqual({ ids, unknown: 0 });
  });

  it('are known after the sweep, which reads lists with files and continues where it stopped', async () => {
    const { desk, ids } = await deskWith(35);
    const [first = '', second = ''] = ids;
    desk.library.files?.set(first, [CAPTIONS]);
    desk.library.files?.set(second, [{ ...CAPTIONS, status: 'error' }]);
    const before = desk.library.requests(/joins=files/).length;
    await desk.readFiles(() => false);
    expect(desk.library.requests(/joins=files/).length - before).toBe(1);
    expect(found(desk, 'has:captions')).toEqual({ ids: [first], unknown: 25 });
    await desk.restart();
    while (found(desk, 'has:captions').unknown > 0) expect(await desk.readFiles()).toBeGreaterThan(0);
    expect(found(desk, 'has:captions').ids).toEqual([first]);
    expect(found(desk, 'type:video no:captions').ids).toEqual(ids.slice(1));
    const after = desk.library.requests(/joins=files/).length;
    expect(await desk.readFiles()).toBe(0);
    expect(desk.library.requests(/joins=files/).length).toBe(after);
  });

  it('of a new video are read with the next pass, and those of all videos again after a day', async () => {
    const { desk, ids } = await deskWith(12);
    await desk.readFiles();
    const id = desk.library.add('new');
    desk.library.files?.set(id, [CAPTIONS]);
    await desk.pass();
    expect(await desk.readFiles()).toBe(1);
    expect(found(desk, 'has:captions')).toEqual({ ids: [id], unknown: 0 });
    desk.library.files?.set(ids[3] ?? '', [CAPTIONS]);
    desk.clock.advance(25 * 60 * 60_000);
    expect(await desk.readFiles()).toBe(1);
    expect(found(desk, 'has:captions').ids).toContain(ids[3]);
  });

  it('stay unknown with a service that adds no files to lists, and such lists are not requested again for an hour', async () => {
    const { desk, ids } = await deskWith(2);
    desk.library.files = null;
    expect(await desk.readFiles()).toBe(0);
    const asked = desk.library.requests(/joins=files/).length;
    await desk.readFiles();
    expect(desk.library.requests(/joins=files/).length).toBe(asked);
    // When an item is opened, its files are read.
    desk.mirrors.noteFiles(SITE, ids[0] ?? '', { hasCaptions: true, sizeBytes: null });
    expect(found(desk, 'has:captions')).toEqual({ ids: [ids[0]], unknown: 1 });
    desk.clock.advance(61 * 60_000);
    await desk.readFiles();
    expect(desk.library.requests(/joins=files/).length).toBe(asked + 1);
  });

  it('stay known when an item is edited on this computer or by someone else', async () => {
    const { desk, ids } = await deskWith(2);
    desk.library.files?.set(ids[0] ?? '', [CAPTIONS]);
    await desk.readFiles();
    desk.library.now += 60;
    desk.library.change(ids[0] ?? '', { title: 'changed there' });
    await desk.pass();
    desk.mirrors.setOverlay(SITE, ids[0] ?? '', { title: 'changed here' });
    expect(found(desk, 'has:captions')).toEqual({ ids: [ids[0]], unknown: 0 });
  });
});

describe('the best matches of a search', () => {
  const RANKED = { sort: 'relevance', order: 'desc' } as const;
  const titles = (desk: MirrorDesk, search: string, offset = 0, limit = 1000) =>
    desk.mirrors.window(desk.query({ search, ...RANKED }), offset, limit)?.rows.map(({ title }) => title);

  it('have the word in the title, then in tags, byline and description; equal ones are sorted by age', async () => {
    const desk = await MirrorDesk.open();
    const add = (title: string, over: Parameters<typeof desk.library.add>[1] = {}) => {
      desk.library.now += 60;
      return desk.library.add(title, over);
    };
    add('harbours');
    add('harbour older');
    add('harbour newer');
    add('in the tags', { tags: ['harbour'] });
    add('in the byline', { byline: 'Ada Harbour' });
    add('superharbours');
    add('in the description', { description_plain: 'about a harbour' });
    add('a boat and nothing else');
    await desk.pass();
    expect(titles(desk, 'harbour')).toEqual([
      ...['harbour newer', 'harbour older', 'harbours', 'in the tags', 'in the byline'],
      // In the description, and inside a word of the title.
      ...['in the description', 'superharbours'],
    ]);
    expect(titles(desk, 'harbour', 4, 2)).toEqual(['in the byline', 'in the description']);
    expect(titles(desk, 'harbour boat')).toEqual([]);
    expect(titles(desk, 'harbour tag:harbour')).toEqual(['in the tags']);
    expect(titles(desk, 'harbour -older')).not.toContain('harbour older');
    expect(titles(desk, 'tag:harbour')).toEqual(['in the tags']);
    const query = desk.query({ search: 'harbour', ...RANKED });
    expect(desk.mirrors.ids(query, 3)).toEqual(['3', '2', '1']);
    expect(desk.mirrors.count(query)).toBe(7);
  });

  it('are the same list in windows of any size, and matches in titles are ranked first, however many items match', {
    timeout: 300_000,
  }, async () => {
    const desk = await MirrorDesk.open();
    desk.library.pageSize = 200;
    for (let index = 0; index < 5400; index += 1) {
      desk.library.now += 60;
      desk.library.add(index % 900 === 0 ? `river ${index}` : `item ${index}`, { description_plain: 'by the river' });
    }
    await desk.pass();
    const all = titles(desk, 'river', 0, 10_000) ?? [];
    expect(new Set(all).size).toBe(5400);
    expect(all.slice(0, 7)).toEqual([...[4500, 3600, 2700, 1800, 900, 0].map((at) => `river ${at}`), 'item 5399']);
    for (const [offset, limit] of [
      [0, 7],
      [3, 20],
      [5000, 50],
      [5390, 50],
    ] as const) {
      expect(titles(desk, 'river', offset, limit)).toEqual(all.slice(offset, offset + limit));
    }
  });

  it('are the newest items with a common word in the title; with a rare word, those with both words come first', {
    timeout: 300_000,
  }, async () => {
    const desk = await MirrorDesk.open();
    desk.library.pageSize = 200;
    for (let index = 0; index < 5600; index += 1) {
      desk.library.now += 60;
      const title = index % 900 === 899 ? `other ${index}` : `talk ${index}`;
      const isRiver = index === 50;
      desk.library.add(isRiver ? `river talk ${index}` : title, {
        description_plain: index % 2 === 0 ? 'a talk by the river' : 'a talk',
      });
    }
    await desk.pass();
    const all = titles(desk, 'talk', 0, 10_000) ?? [];
    expect(new Set(all).size).toBe(5600);
    expect(all.slice(0, 2)).toEqual(['talk 5599', 'talk 5598']);
    expect(all.slice(-6)).toEqual([5399, 4499, 3599, 2699, 1799, 899].map((at) => `other ${at}`));
    for (const [offset, limit] of [
      [0, 7],
      [3000, 20],
      [5590, 8],
      [5597, 50],
    ] as const) {
      expect(titles(desk, 'talk', offset, limit)).toEqual(all.slice(offset, offset + limit));
    }
    const both = titles(desk, 'talk river', 0, 10_000) ?? [];
    expect(both.slice(0, 2)).toEqual(['river talk 50', 'talk 5598']);
    expect(new Set(both).size).toBe(2800);
    expect(titles(desk, 'talk river', 1, 3)).toEqual(both.slice(1, 4));
  });

  it('are the related items that the service names; without an answer those with the same tags', async () => {
    const desk = await MirrorDesk.open();
    const one = desk.library.add('one', { tags: ['a', 'b'] });
    desk.library.add('shares one tag', { tags: ['b'] });
    desk.library.add('shares both', { tags: ['A', 'b'] });
    const other = desk.library.add('unlike');
    await desk.pass();
    expect(titles(desk, `related:#${one}`)).toEqual(['shares both', 'shares one tag']);
    desk.mirrors.putRelated(SITE, one, [other, '2', 'unknown']);
    expect(titles(desk, `related:${one}`)).toEqual(['unlike', 'shares one tag']);
    expect(titles(desk, `-related:${one}`)?.sort()).toEqual(['one', 'shares both']);
    expect(titles(desk, `related:${one} shares`)).toEqual(['shares one tag']);
    desk.mirrors.putRelated(SITE, one, []);
    expect(titles(desk, `related:${one}`)).toEqual([]);
  });
});

it('a mirror with an earlier schema keeps its copy, and ranks its items', async () => {
  const desk = await MirrorDesk.open();
  desk.library.add('river 10', { likes_count: 2, byline: 'Élan' });
  desk.library.now += 60;
  desk.library.add('River 9', { description_plain: 'a river', likes_count: 3, byline: 'Zoe' });
  await desk.pass();
  const { database } = await desk.store();
  const indexes = ['type', 'status', 'title', 'byline', 'tags', 'captions', 'likes', 'comments', 'size']
    .map((name) => `DROP INDEX view_by_${name};`)
    .join('');
  const columns = ['likes', 'comments', 'title_key', 'byline_key', 'tags_key', 'size_bytes']
    .map((name) => `ALTER TABLE view_media DROP COLUMN ${name};`)
    .join('');
  database.exec(
    `${indexes} ${columns} CREATE INDEX view_by_title ON view_media (title COLLATE NOCASE);
      DROP INDEX view_in_collection; DROP TABLE media_words; DROP TABLE media_fields; DROP TABLE media_files;
      INSERT INTO sync_state (key, value) VALUES ('collectionsAnswer', '{}');
      PRAGMA user_version = ${MIRROR_MIGRATIONS.length - 6}`,
  );
  await desk.restart();
  expect(desk.mirrors.status(SITE)).toMatchObject({ phase: 'ready', items: 2 });
  expect((await desk.store()).state('collectionsAnswer')).toBe(null);
  const ranked = desk.mirrors.window(desk.query({ search: 'river', sort: 'relevance' }), 0, 10);
  expect(ranked?.rows.map(({ title }) => title)).toEqual(['River 9', 'river 10']);
  const sorted = (sort: 'title' | 'byline' | 'likes') =>
    desk.mirrors.window(desk.query({ sort, order: 'asc' }), 0, 10)?.rows.map(({ title }) => title);
  expect(sorted('title')).toEqual(['River 9', 'river 10']);
  expect(sorted('byline')).toEqual(['river 10', 'River 9']);
  expect(sorted('likes')).toEqual(['river 10', 'River 9']);
});

it('the items of a search that were added or changed after an instant are counted', async () => {
  const desk = await MirrorDesk.open();
  desk.library.add('river one');
  desk.library.add('other');
  await desk.pass();
  const seen = desk.mirrors.latestChange(SITE) ?? 0;
  const rivers = desk.query({ search: 'river' });
  expect(desk.mirrors.changedSince(rivers, seen)).toBe(0);
  desk.library.now += 60;
  desk.library.add('river two');
  desk.library.add('another');
  await desk.pass();
  expect(desk.mirrors.changedSince(rivers, seen)).toBe(1);
  expect(desk.mirrors.latestChange(SITE)).toBeGreaterThan(seen);
});

it('items without a length, whose length libraries give as 0, are in no range of lengths', async () => {
  const desk = await MirrorDesk.open();
  desk.library.add('talk', { duration: 90 });
  desk.library.add('picture', { type: 'image', duration: 0 });
  desk.library.add('document', { type: 'doc', duration: null });
  await desk.pass();
  const found = (search: string) => desk.mirrors.window(desk.query({ search }), 0, 10)?.rows.map(({ title }) => title);
  expect(found('length:..2m')).toEqual(['talk']);
  expect(found('length:<1m')).toEqual([]);
});

describe('a search that finds nothing', () => {
  it('is corrected by words of the library, in its collection, with its filters and phrases as they were', async () => {
    const desk = await MirrorDesk.open();
    desk.library.add('Photosynthesis of algae', { collection_id: '1', tags: ['Biologie'] });
    desk.library.add('Interview', { collection_id: '2', byline: 'Çelik' });
    await desk.pass();
    const corrected = (search: string, collectionId: string | null = null) => {
      const query = desk.query({ search, collectionId });
      return correctedSearch(search, {
        count: (text) => desk.mirrors.count({ ...query, search: text }) ?? 0,
        has: (word) => (desk.mirrors.count(desk.query({ search: word })) ?? 0) > 0,
        near: (word, initial) => desk.mirrors.wordsNear(SITE, word, initial),
      });
    };
    expect(await corrected('fotosynthesis')).toBe('photosynthesis');
    expect(await corrected('fotosynthesis agae type:video')).toBe('photosynthesis algae type:video');
    expect(await corrected('biolgie')).toBe('biologie');
    expect(await corrected('celki')).toBe('celik');
    expect(await corrected('interveiw', '1')).toBeNull();
    expect(await corrected('photosynthesis', '2')).toBeNull();
    expect(await corrected('"fotosynthesis"')).toBeNull();
    expect(await corrected('xylophone')).toBeNull();
    expect(await corrected('fotosynthesis '.repeat(500))).toBe('photosynthesis '.repeat(500).trim());
  });
});

it('lists sort texts without accents and numbers by value, and items by their numbers of views, likes and comments', async () => {
  const desk = await MirrorDesk.open();
  const numbers = (views: number, likes: number, comments: number) => {
    return { views_count: views, likes_count: likes, comments_count: comments };
  };
  desk.library.add('Part 10', { ...numbers(5, 0, 1), tags: ['über'], byline: 'Ørsted' });
  desk.library.add('part 9', { ...numbers(7, 2, 0), tags: ['zoo'], byline: 'Zuse' });
  desk.library.add('Élan', { ...numbers(6, 1, 2), tags: ['ubung'], byline: null });
  desk.library.add('zebra', { ...numbers(0, 0, 0), tags: [], byline: 'Abel' });
  await desk.pass();
  const sorted = (sort: ListSort) =>
    desk.mirrors.window(desk.query({ sort, order: 'asc' }), 0, 10)?.rows.map(({ title }) => title);
  expect(sorted('title')).toEqual(['Élan', 'part 9', 'Part 10', 'zebra']);
  expect(sorted('byline')).toEqual(['Élan', 'zebra', 'Part 10', 'part 9']);
  expect(sorted('tags')).toEqual(['zebra', 'Part 10', 'Élan', 'part 9']);
  expect(sorted('popularity')).toEqual(['zebra', 'Part 10', 'Élan', 'part 9']);
  expect(sorted('likes')).toEqual(['Part 10', 'zebra', 'Élan', 'part 9']);
  expect(sorted('comments')).toEqual(['part 9', 'zebra', 'Part 10', 'Élan']);
  const [first] = desk.mirrors.window(desk.query({ sort: 'popularity', order: 'desc' }), 0, 1)?.rows ?? [];
  expect(first).toMatchObject({ title: 'part 9', views: 7, likes: 2, comments: 0 });
});

describe('the orders that only the mirror has', () => {
  const LOCAL = LOCAL_SORTS;

  it('have every item once, in both directions, in windows of any size', async () => {
    const desk = await MirrorDesk.open();
    const some = <T>(index: number, every: number, value: T) => (index % every === 0 ? null : value);
    for (let index = 0; index < 60; index += 1) {
      desk.library.add(`item ${index}`, {
        type: ['video', 'audio', 'doc'][index % 3],
        status: some(index, 4, 'published') ?? 'draft',
        byline: some(index, 5, `Author ${index % 7}`),
        tags: some(index, 6, [`tag ${index % 5}`]) ?? [],
        duration: some(index, 8, index),
        collection_id: String(index % 3),
      });
    }
    await desk.pass();
    for (const sort of LOCAL) {
      const ids = (order: 'asc' | 'desc') => desk.mirrors.ids(desk.query({ sort, order }), 1000) ?? [];
      expect(new Set(ids('asc')).size, sort).toBe(60);
      if (sort !== 'collection') expect(ids('desc'), sort).toEqual(ids('asc').toReversed());
      const paged = [0, 7, 14, 21, 28, 35, 42, 49, 56].flatMap((offset) => {
        const { rows } = desk.mirrors.window(desk.query({ sort, order: 'asc' }), offset, 7) ?? { rows: [] };
        return rows.map(({ id }) => id);
      });
      expect(paged, sort).toEqual(ids('asc'));
    }
    const bylines = desk.mirrors.window(desk.query({ sort: 'byline', order: 'asc' }), 0, 60)?.rows;
    const shown = bylines?.map(({ byline }) => byline ?? '') ?? [];
    expect(shown).toEqual([...shown].sort());
  });
});
