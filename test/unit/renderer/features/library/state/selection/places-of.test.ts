// The values that the rights to selected items depend on.
import { describe, expect, it } from 'vitest';
import { rightsPlacesOf } from '../../../../../../../renderer/features/library/state/selection/rights-store.ts';
import type { MediaQuery, MediaRow } from '../../../../../../../shared/contract/library.ts';

const row = (id: string, collectionId: string, createdOn: string | null, status = 'draft') => ({
  row: { id, collectionId, createdOn, status } as MediaRow,
});
const ofIds = (...ids: string[]) => ({ selection: { siteId: 's', ids }, count: ids.length, title: null });
const ofQuery = (query: Partial<MediaQuery>, count: number, except: string[] = []) => ({
  selection: { siteId: 's', query: { siteId: 's', collectionId: null, ...query } as MediaQuery, except },
  count,
  title: null,
});

describe('the places of a selection', () => {
  it('are one for each collection, with the date of its newest item that is not published, if any', () => {
    const loaded = [
      row('a', '2', '2026-01-01'),
      row('b', '2', '2026-01-03'),
      row('c', '2', '2026-01-09', 'published'),
      row('d', '1', '2026-01-01', 'published'),
      row('not selected', '3', '2026-01-09'),
    ];
    expect(rightsPlacesOf(ofIds('a', 'b', 'c', 'd'), loaded)).toEqual([
      { collectionId: '1', createdOn: '2026-01-01', status: 'published' },
      { collectionId: '2', createdOn: '2026-01-03', status: 'draft' },
    ]);
  });

  it('are not known while a row is not loaded, so that nothing is refused', () => {
    expect(rightsPlacesOf(ofIds('a', 'b'), [row('a', '1', '2026-01-01')])).toBeNull();
    expect(rightsPlacesOf(ofQuery({}, 10_000), [row('a', '1', '2026-01-01')])).toBeNull();
    expect(
      rightsPlacesOf(ofQuery({ collectionId: '1', includesBelow: true }, 10_000), [row('a', '1', null)]),
    ).toBeNull();
  });

  it('are known for all items of one collection, but without a date', () => {
    expect(rightsPlacesOf(ofQuery({ collectionId: '7' }, 10_000), [row('a', '7', '2026-01-01')])).toEqual([
      { collectionId: '7', createdOn: null, status: 'draft' },
    ]);
  });

  it('omit excepted rows', () => {
    const loaded = [row('a', '1', '2026-01-01'), row('b', '2', '2026-01-01')];
    expect(rightsPlacesOf(ofQuery({}, 1, ['b']), loaded)).toEqual([
      { collectionId: '1', createdOn: '2026-01-01', status: 'draft' },
    ]);
  });
});
