import { expect, it } from 'vitest';
import { titleHandlers } from '../../../../electron/engine/library/items/title-handlers.ts';
import { MirrorDesk, SITE } from '../../../helpers/engine/mirror-desk.ts';

async function filledDesk(count: number) {
  const desk = await MirrorDesk.open();
  desk.library.pageSize = 2000;
  for (let index = 1; index <= count; index += 1) {
    desk.library.add(`Folge ${index}: Über den Wind`, {
      duration: 60 + index,
      collection_id: index % 2 === 0 ? '1' : '2',
    });
  }
  await desk.pass();
  const calls = titleHandlers({ clientFor: () => ({}) as never, mirrors: desk.mirrors });
  const similarTo = (title: string, collectionId: string, seconds: number | null = null) =>
    calls['library.similarItems']({ siteId: SITE, titles: [{ key: 'k', title, collectionId, seconds }] });
  return { desk, calls, similarTo };
}

it('the copy of a library names items with the same title and length in the collection, also with unsent edits', async () => {
  const { desk, similarTo } = await filledDesk(1300);
  const { similar } = await similarTo('folge 1202 uber den WIND', '1', 1262);
  expect(similar).toMatchObject([
    {
      key: 'k',
      isEqual: true,
      item: { title: 'Folge 1202: Über den Wind', collectionName: 'Top', durationSeconds: 1262 },
    },
  ]);
  expect((await similarTo('Folge 1202: Über den Wind', '2')).similar).toEqual([]);
  expect((await similarTo('Folge 1202: Über den Wind', '1', 999)).similar).toEqual([]);
  const id = similar?.[0]?.item.id ?? '';
  desk.mirrors.setOverlay(SITE, id, { title: 'Renamed here' });
  expect((await similarTo('Folge 1202: Über den Wind', '1')).similar).toEqual([]);
  expect((await similarTo('renamed HERE', '1')).similar).toMatchObject([{ item: { id } }]);
  desk.mirrors.setOverlay(SITE, id, 'deleted');
  expect((await similarTo('Folge 1202: Über den Wind', '1')).similar).toEqual([]);
});

it('a later comparison ends the earlier one, and there is none without a complete copy', async () => {
  const { calls, similarTo } = await filledDesk(1300);
  const [first, second] = await Promise.all([
    similarTo('Folge 2: Über den Wind', '1'),
    similarTo('Folge 4: Über den Wind', '1'),
  ]);
  expect(first.similar).toBeNull();
  expect(second.similar).toHaveLength(1);
  const desk = await MirrorDesk.open();
  const empty = titleHandlers({ clientFor: () => ({}) as never, mirrors: desk.mirrors });
  expect(await empty['library.similarItems']({ siteId: SITE, titles: [] })).toEqual({ similar: null });
  expect(await empty['library.titleSeries']({ siteId: SITE, collectionId: '1' })).toEqual({ series: null });
  const { series } = await calls['library.titleSeries']({ siteId: SITE, collectionId: '1' });
  expect(series).toMatchObject({ before: 'Folge ', number: 1300, title: 'Folge 1300: Über den Wind', titles: 650 });
});
