import { beforeEach, expect, it } from 'vitest';
import { createSavedSearches, type SavedSearches } from '../../../../electron/engine/library/saved-searches.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';

const NAME = 'searches/s1';
const MINE = { id: 'a', preset: null, name: 'Mine', search: 'mine', collectionId: null, includesBelow: false };
/** A search as a newer version could store it. */
const NEWER = { ...MINE, id: 'b', name: 'Newer', preset: 'waiting-for-review' };

let texts: Map<string, string>;
let logger: ReturnType<typeof captureLogger>;
let calls: SavedSearches['handlers'];
let searches: SavedSearches;
/** Epoch seconds. */
let latest = 100;

beforeEach(() => {
  texts = new Map();
  logger = captureLogger();
  searches = createSavedSearches({
    texts: { get: (name) => texts.get(name) ?? null, set: (name, text) => void texts.set(name, text) },
    accounts: { clientFor: () => ({}) as never },
    mirrors: {
      count: () => null,
      captionsUnknown: () => 0,
      changedSince: (_query, seconds) => latest - seconds,
      latestChange: () => latest,
    },
    random: { uuid: () => 'new' },
    logger,
  });
  calls = searches.handlers;
});

const stored = () => JSON.parse(texts.get(NAME) ?? '') as object[];
const names = async () => (await calls['searches.list']({ siteId: 's1' })).map(({ name, preset }) => name || preset);

it('searches that this version can read are listed, and the others are kept at each change', async () => {
  texts.set(NAME, JSON.stringify([NEWER, { ...MINE, color: 'red' }]));
  expect(await names()).toEqual(['Mine']);
  await calls['searches.rename']({ siteId: 's1', id: 'a', name: 'Ours' });
  await calls['searches.add']({ siteId: 's1', name: 'All', search: '', collectionId: null, includesBelow: false });
  await calls['searches.move']({ siteId: 's1', id: 'new', to: 0 });
  expect(stored()).toMatchObject([NEWER, { id: 'new' }, { ...MINE, name: 'Ours', color: 'red' }]);
  await calls['searches.remove']({ siteId: 's1', id: 'a' });
  expect(stored()).toMatchObject([NEWER, { id: 'new' }]);
});

it('an unreadable text of saved searches is reported and kept until the sign-out, and the presets are shown', async () => {
  texts.set(NAME, '{ damaged');
  expect(await names()).toEqual(['drafts', 'captions-missing']);
  expect(logger.lines).toMatchObject([
    { event: 'settings.unreadable', fields: { name: NAME, code: 'profile.setting-unreadable' } },
  ]);
  await calls['searches.remove']({ siteId: 's1', id: 'drafts' });
  expect(await names()).toEqual(['captions-missing']);
  expect([...texts.values()]).toContain('{ damaged');
  searches.forgetOthers([{ id: 's1', state: 'signed-out' } as never]);
  expect([...texts.values()].join('')).toBe('');
});

it('changes are counted from the last look at the results, and only for searches that were looked at', async () => {
  const changed = async () => (await calls['searches.list']({ siteId: 's1' })).map((each) => each.changed);
  latest = 100;
  await calls['searches.markSeen']({ siteId: 's1', id: 'drafts' });
  latest = 103;
  expect(await changed()).toEqual([3, 0]);
  await calls['searches.rename']({ siteId: 's1', id: 'drafts', name: 'To do' });
  expect(await changed()).toEqual([3, 0]);
  await calls['searches.markSeen']({ siteId: 's1', id: 'drafts' });
  expect(await changed()).toEqual([0, 0]);
});
